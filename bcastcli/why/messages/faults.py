"""Messages about something other than broadcasting: their figures, and the sentences about them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from string import Formatter
from typing import Any

from bcastcli.advice.arithmetic import difference, division, fill, ratio, total
from bcastcli.core.amounts import elsewhere
from bcastcli.core.shapes import written
from bcastcli.core.wording import joined_with_and
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import Fault, Figure, Found, Message, Reading, code

Figures = Mapping[str, Figure]

_FACTS: Mapping[str, tuple[str, Callable[..., str]]] = {
    "ratio": (": ", ratio),
    "quotient": (": ", fill),
    "division": (": ", division),
    "sum": (": ", total),
    "elsewhere": ("", elsewhere),
    "difference": (": ", difference),
}
"""The facts of arithmetic that a message may ask for, and the mark that each follows."""


@dataclass(frozen=True, eq=False)
class KnownFault(Message):
    """A message of a kind of fault, as `catalogue.txt` has it."""

    title: str = ""
    """The name of the kind: the whole answer if the message has no figures."""
    says: Sequence[str] = ()
    """Sentences with fields: the first with all fields known is used."""
    asks: str = ""
    """The operator to ask for its clash, the fields that are its shapes, and its attributes."""
    facts: Sequence[str] = ()
    """The facts of arithmetic to add, each a function and the fields or numbers that it takes."""

    def read(self, found: Found) -> Reading | Fault | None:
        """Return the fault, with fields from before the message if the catalogue asks for them."""
        return self._read_first(found) if self.add_context else self._figures(found)

    def _read_first(self, found: Found) -> Fault | None:
        """Return the fault: the first sentence whose figures the message has, or its title."""
        known = self._known(found)
        if known is None:
            return None
        asked = self._asked(known)
        for sentence in self.says:
            names = {name for _, name, *_ in Formatter().parse(sentence) if name}
            if names <= known.keys() | asked.keys():
                shown = {name: _shown(figure) for name, figure in known.items()} | asked
                used, fact = self._arithmetic(known)
                used |= names if asked.keys().isdisjoint(names) else {*known}
                told = used if self.add_context else used & self._kinds.keys()
                figures = {name: known[name] for name in known if name in told}
                return Fault(self.kind, sentence.format_map(shown) + fact, figures, found.shown)
        return Fault(self.kind, self.title, message=found.shown)

    @cached_property
    def _kinds(self) -> Mapping[str, str]:
        return fields.kinds(self.lead) | fields.kinds(self.pattern)

    def _known(self, found: Found) -> Mapping[str, Figure] | None:
        """Return the fields of the message, corrected by its functions."""
        texts = {name: found.group(name) for name in self._kinds}
        read = {
            name: found.shapes(name) if kind == "shapes" else _figure(kind, texts[name] or "")
            for name, kind in self._kinds.items()
            if texts[name] is not None
        }
        known = {name: figure for name, figure in read.items() if figure is not None}
        for name in filter(None, (self.refine, self.add_context)):
            known = None if known is None else code(name)(known, found)
        return known

    def _asked(self, known: Mapping[str, Figure]) -> dict[str, int | str]:
        """Return the operator's clash, if there is one, as the field `clash`."""
        operator, *words = self.asks.split() or [""]
        inputs: list[Any] = [_given(word, known) for word in words if "=" not in word]
        pairs = [word.split("=") for word in words if "=" in word]
        attributes = {name: _given(word, known) for name, word in pairs}
        if not operator or None in inputs or None in attributes.values():
            return {}
        from bcastcli.operators.fits import fits  # loads the operators, which takes a while

        shapes: Any = [shape for each in inputs for shape in _several(each) or [each]]
        clash = next(fits(operator, shapes, attributes), None)
        return {"clash": clash.text} if clash else {}

    def _arithmetic(self, known: Mapping[str, Figure]) -> tuple[set[str], str]:
        """Return the first fact that the figures have, with its mark, and the figures it is of."""
        for fact in self.facts:
            name, *words = fact.split()
            mark, function = _FACTS[name]
            values: list[Any] = [_given(word, known) for word in words]
            is_known = all(isinstance(each, (int, tuple)) for each in values)
            given = (each for value in values for each in (_several(value) or [value]))
            text = function(*given) if is_known else ""
            if text:
                return {*words}, mark + text
        return set(), ""


def _figure(kind: str, text: str) -> Figure | None:
    """Return a field as a number, a shape, several, or a name; None if it cannot be read."""
    if kind == "int":
        return int(text)
    if kind in ("target", "plain"):  # a reshape's -1 is asked, not unknown
        return tuple(map(int, re.findall(r"-?\d+", text.replace("newaxis", "-1"))))
    return text if kind in ("name", "word", "letter", "amount") else fields.shape(text)


def _given(word: str, known: Mapping[str, Figure]) -> Figure | None:
    """Return a number as it is written in the catalogue, or a figure of a message."""
    return int(word) if word.isdecimal() else known.get(word)


def _several(figure: Figure | None) -> Sequence[Figure]:
    """Return the shapes of a figure that has several."""
    return [each for each in figure if isinstance(each, tuple)] if isinstance(figure, tuple) else ()


def _shown(figure: Figure) -> int | str:
    """Return a figure as a sentence shows it."""
    if not isinstance(figure, tuple):
        return figure
    several = _several(figure)
    return joined_with_and([*map(written, several)]) if several else written(figure)  # type: ignore[arg-type]


# Figures that follow from those of a message


def of_input(known: Figures, _: Found) -> Figures:
    """Add the rank of the input, its elements, and its size on the axis, by default the last."""
    shape, axis = known.get("input"), known.get("axis", -1)
    if not isinstance(shape, tuple) or not isinstance(axis, int):
        return known
    sizes = [size for size in shape if isinstance(size, int)]
    more: dict[str, Figure] = {"rank": len(shape)}
    if len(sizes) == len(shape):
        more["count"] = prod(sizes)
    size = _size(shape, axis)
    return {**more, **known} if size is None else {**more, "has": size, **known}


def of_channels(known: Figures, found: Found) -> Figures:
    """Add the size of the input on axis 1, where PyTorch's layers have the channels."""
    return of_input({**known, "axis": 1}, found)


def of_rows(known: Figures, found: Found) -> Figures:
    """Add the size of the input on axis 0, where a loss has the samples."""
    return of_input({**known, "axis": 0}, found)


def of_index(known: Figures, _: Found) -> Figures:
    """Add the last index that an axis of this size has, or of negative ones the first."""
    index, size = known.get("index"), known.get("size")
    if not isinstance(index, int) or not isinstance(size, int) or not size:
        return known
    return {**known, "first": -size} if index < 0 else {**known, "last": size - 1}


def of_mask(known: Figures, _: Found) -> Figures:
    """Add the sizes of the mask and of the tensor on the axes that the message names."""
    pairs = (("one", "mask", "place"), ("other", "tensor", "axis"))
    sizes = {name: _size(known.get(shape), known.get(axis)) for name, shape, axis in pairs}
    return {**known, **{name: size for name, size in sizes.items() if size is not None}}


def of_file(known: Figures, _: Found) -> Figures:
    """Leave out the ones with which GGUF fills a shape up to four axes."""
    file, model = known.get("file"), known.get("model")
    if isinstance(file, tuple) and isinstance(model, tuple) and {*file[len(model) :]} == {1}:
        return {**known, "file": file[: len(model)]}
    return known


def _size(shape: Figure | None, axis: Figure | None) -> int | None:
    """Return the size of a shape on an axis; None if it has no such axis, or it is unknown."""
    if not isinstance(shape, tuple) or not isinstance(axis, int):
        return None
    size = shape[axis] if -len(shape) <= axis < len(shape) else None
    return size if isinstance(size, int) else None
