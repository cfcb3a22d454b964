"""Random lines as they are typed: questions, good and malformed, and texts meant badly."""

import json
import re
from collections.abc import Callable
from random import Random

from bcastcli.core.shapes import Shape, Size
from bcastcli.rules import RULES
from tests.strategies import Kind, random_question

MANY = 10_000
_MISTAKES = (
    *("2.3", "2,,3", "1e3", "(2,3", "2,3)", "N+1", "...", "-2,3", "2_3", "for", "2, 3", "2 x 3"),
    *("x=", "=2", "N=N,2", "x=2 x=3", "axis=1 axis=1", "axis=", "[bold]", "3N", "2,3,,", ",2"),
    *("7" * 4301, "٣", "é", "\x1b[31m", "2\u202e", "{", "[[2,3],", '{"shapes": 3}'),
    *('{"axes": []}', "[[2.0]]", "[[true]]", '{"shapes": [[2]], "names": []}', "-", "--", "-q"),
)
_RECALLED = ("2,3", "3", "3,1", "4", "1,3", "()", "2,1,3", "03", "3,", "0", "1")
_ALPHABET = '0123456789,()[]x×? \t;=NM.{}"-é:'
_CHARACTERS = (
    *(range(0x20), range(0x7F, 0xA1), range(0x300, 0x370), range(0x600, 0x670), range(0xD7, 0xD8)),
    *(range(0x2000, 0x2070), range(0xD800, 0xE000), range(0xFE00, 0xFF20), range(0x1F600, 0x1F650)),
    *(range(0xE0000, 0xE0080), range(0x100, 0x3100), range(0x110000), range(0x20, 0x7F)),
)
_STEERING = (
    # The number 4242 tells these from the colors of the program itself.
    *("\x1b[4242m", "\x1b[31m", "\x1b[2J", "\x1b[4242A", "\x1b]0;title\x07", "\x1b]8;;x\x1b\\"),
    *("\x1bc", "\x1b", "\x9b4242m", "\x9d0;x\x9c", "\x90q\x9c", "\x07", "\x08\x08", "\x7f", "\0"),
    *("\r", "\r\r\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\ufeff"),
    *("\u202e", "\u202d", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u200b", "\xad"),
)
_MARKUP = (
    *("[bold]", "[/bold]", "[/]", "[red on blue]", "[link=file:///x]y[/link]", "[@click=x]y[/]"),
    *(":warning:", "\\[bold]", "<b>", "&lt;", "${HOME}", "$(x)", "`x`", "%s", "%n", "{0}", "{x!r}"),
    *("--", "-", "-h", "-q", "\\x1b[31m", "*", "~", "__import__('os')", "'", '"', "\\", "#", "|"),
)
_DIGITS = (17, 18, 19, 20, 100, 4299, 4300, 4301, 5000, 20_000)
_DEPTHS = (2, 10, 500, 1000, 1001, MANY, 100_000)


def _spelled(random: Random, shape: Shape) -> str:
    """A shape in one of the ways in which it may be typed."""
    if not shape:
        return random.choice(("()", "()", "(,)", "[]", "''", "scalar", "( )"))
    parts = list(map(str, shape))
    is_product = all(re.fullmatch(r"[0-9]+|[A-Z]|\?", part) for part in parts)
    ways = [
        *[",".join(parts)] * 6,
        *(f"{','.join(parts)},", f"({', '.join(parts)})", f"({', '.join(parts)},)"),
        *(f"[{','.join(parts)}]", f"torch.Size([{', '.join(parts)}])", f"f32[{','.join(parts)}]"),
        "x".join(parts) if is_product else "()",
    ]
    return random.choice(ways)


def json_question(random: Random, rule: str) -> str:
    shapes = [random.choices([1, 2, 3, "N", "?", None, -1], k=random.randrange(4)) for _ in "AB"]
    fields: dict[str, object] = {"shapes": shapes}
    if random.random() < 0.3:
        return json.dumps(shapes)
    if random.random() < 0.3:
        fields["names"] = random.choice((["x", None], ["a", "b"], [None, "N"]))
    if rule == "pdpd" or random.random() < 0.1:
        fields["axis"] = random.choice((-1, 0, 1, 2, 7))
    return json.dumps(fields)


def question(random: Random, rule: str) -> str:
    """A line that is a question, as a rule."""
    kind, count = random.random(), random.choice((2, 2, 2, 2, 1, 3))
    if kind < 0.05 and rule != "explicit":
        return json_question(random, rule)
    if kind < 0.5 and rule != "explicit":  # what is recalled: few shapes, combined in new ways
        return " ".join(random.choices(_RECALLED, k=count))
    sizes: tuple[Size, ...] = (1, 2, 3, 3)
    if kind > 0.8:
        sizes = (*sizes, "N", "M", "?", "-1", "None", 0, "007", "n", 10**21)
    like = rule if rule in RULES else "numpy"
    drawn = random_question(Kind(like, sizes, 5, 10**30, [count]), random)
    tokens = [_spelled(random, shape) for shape in drawn.shapes]
    if random.random() < 0.2:
        for place, name in enumerate(("x", "bias", "A")[: len(tokens)]):
            tokens[place] = random.choice(("", f"{name}=", f"{name}=")) + tokens[place]
    if random.random() < (0.5 if rule == "pdpd" else 0.03):
        tokens.insert(random.randrange(3), f"axis={random.choice((-1, 0, 1, 2, 5))}")
    if drawn.axes is not None and random.random() < 0.9:
        axes = ",".join(map(str, drawn.axes)) or "none"
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


# Texts meant badly, as bytes


def piece(random: Random) -> bytes:
    """A short text, or rarely an enormous one."""
    return random.choice(_PIECES)(random)


def hostile_line(random: Random, rule: str) -> bytes:
    """What may come on one line, which it may also break."""
    kind = random.random()
    if kind < 0.0005:
        return enormous(random)
    if kind < 0.1:
        return piece(random)
    line = json_question(random, rule) if kind < 0.3 else question(random, rule)
    return random.choice(_SPOILED)(random, line.encode())


def enormous(random: Random) -> bytes:
    """A line as long as lines may be read, or longer."""
    return random.choice(_ENORMOUS)(random).encode()


def _random_text(random: Random) -> bytes:
    codes = (random.choice(random.choice(_CHARACTERS)) for _ in range(random.randrange(8)))
    return "".join(map(chr, codes)).encode("utf-8", "surrogatepass")


def _steering(random: Random) -> bytes:
    return random.choice(_STEERING).encode()


def _number(random: Random) -> bytes:
    digits = random.choice("0179") * random.choice(_DIGITS)
    before = random.choice(("", "", "", "-", "+", "0x", "1e", "1_", "0.", "2,", "axis=", "x="))
    return (before + digits + random.choice(("", "", ",3", " 3", "x3", "L"))).encode()


def _nested(random: Random, depth: int) -> str:
    opening, closing = random.choice((("(", ")"), ("[", "]"), ("f([", "])"), ('{"a":', "}")))
    return opening * depth + random.choice(("", "2,3")) + closing * random.choice((depth, 0, 1))


def _hidden(random: Random, text: bytes) -> bytes:
    """A text with something in it that does not show."""
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice((_steering, _random_text))(random) + text[place:]


def _bytes_changed(random: Random, text: bytes) -> bytes:
    """A text with some bytes taken, changed or added."""
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(text) + 1)
        new = random.choice((b"", random.randbytes(1), text[place : place + random.randrange(9)]))
        text = text[:place] + new + text[place + random.randrange(3) :]
    return text


def _many_axes(random: Random) -> str:
    sizes = random.choice((["2"], ["1"], ["1", "2", "3"], ["?"], ["N", "1"], [*"ABCDEFGHIJ"]))
    return " ".join(",".join(random.choices(sizes, k=MANY)) for _ in range(2))


def _many_names(random: Random) -> str:
    names = [f"N{number}" for number in range(MANY)]
    return random.choice((" ", ",")).join(names) + " " + ",".join(random.choices(names, k=9))


def _star(random: Random) -> str:
    """One name against others, on many axes: there are very many ways to choose them."""
    return ",".join("A" * 9 * 500) + " " + ",".join("BCDEFGHIJ" * 500)


def _long(random: Random) -> str:
    return random.choice("1 ,a(?x.") * random.choice((200_000, (1 << 20) - 1, 1 << 20, 1 << 21))


_SPOILED: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(lambda _, text: text, lambda _, text: text, _hidden, _bytes_changed),
    lambda random, text: mutated(random, text.decode()).encode(),
)
_PIECES: tuple[Callable[[Random], bytes], ...] = (
    *(_random_text, _steering, _number, lambda random: random.randbytes(random.randrange(12))),
    lambda random: random.choice(_MARKUP).encode(),
    lambda random: _nested(random, random.choice(_DEPTHS[:-2])).encode(),
)
_ENORMOUS: tuple[Callable[[Random], str], ...] = (
    *(_many_axes, _many_names, _star, _long),
    lambda random: _nested(random, random.choice(_DEPTHS[-2:])),
)
