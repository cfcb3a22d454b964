"""Default names for unnamed operands."""

from collections.abc import Sequence

from bcastcli.core.shapes import Shape, names_in


def automatic_names(
    shapes: Sequence[Shape], defaults: Sequence[str] = (), typed: Sequence[str | None] = ()
) -> list[str]:
    """Return a name for each shape: the typed one, or one of `defaults`, then A, B, C and so on.

    Where one of these is also the name of a size or of another operand, all automatic names are
    X, Y, Z instead, or else in1, in2 and so on. Raises ValueError if `typed` has another length.
    """
    typed = typed or (None,) * len(shapes)
    if len(typed) != len(shapes):
        raise ValueError("every shape has a name, or None")
    numbers = range(len(shapes))
    usual = [*defaults, *map(letters, numbers[len(defaults) :])]
    taken = {*names_in(shapes), *typed}
    schemes = [usual, ["X", "Y", "Z"]] if len(shapes) <= len("XYZ") else [usual]
    for scheme in (*schemes, [f"in{number + 1}" for number in numbers]):
        chosen = [name for name, own in zip(scheme, typed, strict=False) if own is None]
        if taken.isdisjoint(chosen):
            break
    while not taken.isdisjoint(chosen):
        chosen = [f"{name}_" for name in chosen]
    default_names = iter(chosen)
    return [next(default_names) if own is None else own for own in typed]


def letters(number: int) -> str:
    """The operand's automatic name: A to Z, then AA, AB and so on.

    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    name = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        name = chr(ord("A") + place) + name
    return name
