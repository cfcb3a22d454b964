"""Text that nobody means well with, as bytes."""

from collections.abc import Callable
from random import Random

from tests.fuzz.questions import json_question, mutated, question

MANY = 10_000
_COMMON_ENCODING = ("utf-8", "surrogatepass")
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


def piece(random: Random) -> bytes:
    """A short text, or rarely an enormous one."""
    return random.choice(_PIECES)(random)


def line(random: Random, rule: str) -> bytes:
    """What may come on one line, which it may also break."""
    kind = random.random()
    if kind < 0.0005:
        return enormous(random)
    if kind < 0.1:
        return piece(random)
    asked = json_question(random, rule) if kind < 0.3 else question(random, rule)
    spoil = random.choice((_as_it_is, _as_it_is, _hidden, _bytes_changed, _character_changed))
    return spoil(random, asked.encode())


def enormous(random: Random) -> bytes:
    """A line as long as lines may be read, or longer."""
    return random.choice(_ENORMOUS)(random).encode()


def _random_bytes(random: Random) -> bytes:
    return random.randbytes(random.randrange(12))


def _random_text(random: Random) -> bytes:
    text = "".join(
        chr(random.choice(random.choice(_CHARACTERS))) for _ in range(random.randrange(8))
    )
    return text.encode(*_COMMON_ENCODING)


def _steering(random: Random) -> bytes:
    return random.choice(_STEERING).encode()


def _markup(random: Random) -> bytes:
    return random.choice(_MARKUP).encode()


def _number(random: Random) -> bytes:
    digits = random.choice("0179") * random.choice(_DIGITS)
    before = random.choice(("", "", "", "-", "+", "0x", "1e", "1_", "0.", "2,", "axis=", "x="))
    return (before + digits + random.choice(("", "", ",3", " 3", "x3", "L"))).encode()


def _brackets(random: Random) -> bytes:
    depth = random.choice(_DEPTHS[:-2])
    return _nested(random, depth).encode()


def _nested(random: Random, depth: int) -> str:
    opening, closing = random.choice((("(", ")"), ("[", "]"), ("f([", "])"), ('{"a":', "}")))
    return opening * depth + random.choice(("", "2,3")) + closing * random.choice((depth, 0, 1))


def _as_it_is(random: Random, text: bytes) -> bytes:
    return text


def _character_changed(random: Random, text: bytes) -> bytes:
    return mutated(random, text.decode()).encode()


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
    shapes = [random.choices(sizes, k=MANY) for _ in range(2)]
    return " ".join(map(",".join, shapes))


def _many_names(random: Random) -> str:
    names = [f"N{number}" for number in range(MANY)]
    return random.choice((" ", ",")).join(names) + " " + ",".join(random.choices(names, k=9))


def _star(random: Random) -> str:
    """One name against others, on many axes: there are very many ways to choose them."""
    return ",".join("A" * 9 * 500) + " " + ",".join("BCDEFGHIJ" * 500)


def _deep(random: Random) -> str:
    return _nested(random, random.choice(_DEPTHS[-2:]))


def _long(random: Random) -> str:
    return random.choice("1 ,a(?x.") * random.choice((200_000, (1 << 20) - 1, 1 << 20, 1 << 21))


_PIECES: tuple[Callable[[Random], bytes], ...] = (
    *(_random_bytes, _random_text, _steering, _markup, _number, _brackets),
)
_ENORMOUS: tuple[Callable[[Random], str], ...] = (*(_many_axes, _many_names, _star, _deep, _long),)
