"""Random questions as they are typed, good and malformed."""

import json
import re
from collections.abc import Sequence
from random import Random

_RANKS = (0, 1, 1, 2, 2, 3, 3, 4, 5)
_MISTAKES = (
    *("2.3", "2,,3", "1e3", "(2,3", "2,3)", "N+1", "...", "-2,3", "2_3", "for", "2, 3", "2 x 3"),
    *("x=", "=2", "N=N,2", "x=2 x=3", "axis=1 axis=1", "axis=", "[bold]", "3N", "2,3,,", ",2"),
    *("7" * 4301, "٣", "é", "\x1b[31m", "2\u202e", "{", "[[2,3],", '{"shapes": 3}'),
    *('{"axes": []}', "[[2.0]]", "[[true]]", '{"shapes": [[2]], "names": []}', "-", "--", "-q"),
)
_ALPHABET = '0123456789,()[]x×? \t;=NM.{}"-é:'


def _shape(random: Random, sizes: Sequence[str]) -> str:
    """A shape, in one of the ways in which it may be typed."""
    parts = [random.choice(sizes) for _ in range(random.choice(_RANKS))]
    if not parts:
        return random.choice(("()", "()", "(,)", "[]", "''", "scalar", "( )"))
    product = "x".join(parts)
    written = [
        *[",".join(parts)] * 6,
        f"{','.join(parts)},",
        f"({', '.join(parts)})",
        f"({', '.join(parts)},)",
        f"[{','.join(parts)}]",
        f"torch.Size([{', '.join(parts)}])",
        f"f32[{','.join(parts)}]",
        product if all(re.fullmatch(r"[0-9]+|[A-Z]|\?", part) for part in parts) else "()",
    ]
    return random.choice(written)


def json_question(random: Random, rule: str) -> str:
    """A question in JSON."""
    shapes = [random.choices([1, 2, 3, "N", "?", None, -1], k=random.randrange(4)) for _ in "AB"]
    fields: dict[str, object] = {"shapes": shapes}
    if random.random() < 0.3:
        return json.dumps(shapes)
    if random.random() < 0.3:
        fields["names"] = random.choice((["x", None], ["a", "b"], [None, "N"]))
    if rule == "pdpd" or random.random() < 0.1:
        fields["axis"] = random.choice((-1, 0, 1, 2, 7))
    return json.dumps(fields)


def _shape_rank(token: str) -> int:
    """About how many axes a shape has as it is typed."""
    return len(re.findall(r"[\w?.-]+", re.sub(r"^\w+=|torch.Size|f32|scalar", "", token)))


def question(random: Random, rule: str) -> str:
    """A line that is a question, as a rule."""
    kind = random.random()
    if rule == "explicit":
        kind = max(kind, 0.5)
    if kind < 0.05:
        return json_question(random, rule)
    sizes: tuple[str, ...] = ("1", "2", "3", "3")
    if kind < 0.5:  # what is recalled: few shapes, combined in new ways
        count = random.choice((2, 2, 2, 2, 1, 3))
        shapes = ("2,3", "3", "3,1", "4", "1,3", "()", "2,1,3", "03", "3,", "0", "1")
        return " ".join(random.choices(shapes, k=count))
    if kind > 0.8:
        sizes = (*sizes, "N", "M", "?", "-1", "None", "0", "007", "n", "1" + "0" * 21)
    tokens = [_shape(random, sizes) for _ in range(random.choice((2, 2, 2, 2, 1, 3)))]
    if random.random() < 0.2:
        tokens = [
            f"{name}={token}" if random.random() < 0.6 else token
            for name, token in zip(("x", "bias", "A"), tokens, strict=False)
        ]
    if random.random() < (0.5 if rule == "pdpd" else 0.03):
        tokens.insert(random.randrange(3), f"axis={random.choice((-1, 0, 1, 2, 5))}")
    if rule == "explicit" and random.random() < 0.9:
        tokens = tokens[:2] if random.random() < 0.9 else tokens
        rank = _shape_rank(tokens[0])
        axes = ",".join(map(str, random.choices(range(4), k=rank))) or "none"
        if random.random() < 0.7:
            axes = ",".join(map(str, range(rank))) or "none"
        tokens.insert(random.randrange(3), f"axes={axes}")
    between = random.choice((*[" "] * 6, "\t", ";", "  ", " ; ", "\t\t", " ;;"))
    around = random.choice((*["", ""] * 5, " ", "\t", ";"))
    return f"{around}{between.join(tokens)}{around}"


def mutated(random: Random, line: str) -> str:
    """A line with a character taken, changed or added: mostly no question any more."""
    place = random.randrange(len(line) + 1)
    new = random.choice(("", random.choice(_ALPHABET), random.choice(_ALPHABET)))
    return line[:place] + new + line[place + random.randrange(2) :]


def random_lines(rule: str, count: int, seed: int = 1) -> list[str]:
    """Lines that each ask something, good and malformed, some of them more than once."""
    random = Random(f"{rule} {seed}")
    lines: list[str] = []
    while len(lines) < count:
        kind = random.random()
        if kind < 0.15 and lines:
            line = random.choice(lines)
        elif kind < 0.3 and lines:
            line = mutated(random, random.choice(lines))
        elif kind < 0.35:
            line = random.choice(("", "2,3 ", "3\t")) + random.choice(_MISTAKES)
        else:
            line = question(random, rule)
        if line.strip(" \t") and line[0] != "#" and line != "-":
            lines.append(line)
    return lines
