"""Messages about something other than broadcasting: their figures, and the sentences about them."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any

from bcastcli.advice.arithmetic import difference, division, fill, ratio, total
from bcastcli.core.amounts import elsewhere
from bcastcli.core.shapes import written
from bcastcli.core.wording import joined_with_and
from bcastcli.why.messages import fields
from bcastcli.why.messages.figures import FUNCTIONS, Figures
from bcastcli.why.messages.reading import Fault, Figure, Found, Message, Reading, code

_WORDS = ("layers", "batch", "features", "rows", "columns")
"""The words that a function may take."""
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

    says: Sequence[str] = ()
    """Sentences with fields: the first with all fields known is used."""
    cures: Sequence[str] = ()
    """What to write instead, or to look at: again the first with all fields known."""
    facts: Sequence[str] = ()
    """The facts of arithmetic to add, each a function and the fields or numbers that it takes."""
    let: Sequence[str] = ()
    """Further fields: `FIELD FUNCTION`, and again what it takes."""
    names: Sequence[str] = ()
    """The operands: `FIELD SELECTOR, USUAL NAME`."""
    calls: Sequence[str] = ()
    """The functions in whose call these stand."""

    def read(self, found: Found) -> Reading | Fault | None:
        """The fault; None where no sentence has all its fields."""
        known = self._known(found)
        if known is None:
            return None
        text, cure = self.worded(known, {})
        figures = {name: known[name] for name in known if name in self._kinds}
        fault = Fault(self.kind, text, figures, found.shown, cure=cure, known=(self, known))
        return fault if text else None

    def worded(self, known: Figures, names: Mapping[str, str]) -> tuple[str, str]:
        """The sentence, and what to do, with the user's names of operands where they are known."""
        shown = {name: _shown(figure) for name, figure in known.items()}
        usual = {field: name for field, (_, name) in self.roles(known).items()}
        in_code = {field: name.removeprefix("the ") for field, name in usual.items()}
        text = _first(self.says, {**shown, **usual, **names})
        return text and text + self._fact(known), _first(self.cures, {**shown, **in_code, **names})

    def roles(self, known: Figures) -> Mapping[str, tuple[str, str]]:
        """For the operands that the sentences name, where they stand and their usual names."""
        shown = {name: _shown(figure) for name, figure in known.items()}
        roles = {}
        for line in self.names:
            field, _, rest = line.partition(" ")
            with suppress(KeyError):  # a field that this message lacks
                selector, _, usual = rest.format_map(shown).partition(", ")
                roles[field] = selector, usual
        return roles

    @cached_property
    def _kinds(self) -> Mapping[str, str]:
        return fields.kinds(self.lead) | fields.kinds(self.pattern)

    def _known(self, found: Found) -> Figures | None:
        """The fields of the message, with those that its function adds."""
        known: dict[str, Figure] = {}
        for name, kind in self._kinds.items():
            text = found.group(name)
            if text is None:
                continue
            figure = found.shapes(name) if kind == "shapes" else _figure(kind, text)
            if figure is not None:
                known[name] = figure
        for line in self.let:
            name, function, *words = line.split()
            given = _given(words, known)
            figure = None if None in given else FUNCTIONS[function](*given)
            if figure is not None:
                known[name] = figure
        return code(self.refine)(known, found) if self.refine else known

    def _fact(self, known: Figures) -> str:
        """The first fact of arithmetic that holds, with its mark."""
        for fact in self.facts:
            name, *words = fact.split()
            mark, function = _FACTS[name]
            given = _given(words, known)
            values: list[Any] = [each for value in given for each in _several(value) or [value]]
            if all(isinstance(value, (int, tuple)) for value in values):
                text = function(*values)
                if text:
                    return mark + text
        return ""


def _given(words: Sequence[str], known: Figures) -> list[Any]:
    """What a function takes: numbers as they are written, figures by their names, or words.

    None stands for a figure that the message lacks.
    """
    given: list[Any] = []
    for word in words:
        if re.fullmatch(r"-?\d+", word):
            given.append(int(word))
        else:
            given.append(word if word in _WORDS else known.get(word))
    return given


def _first(sentences: Sequence[str], words: Mapping[str, int | str]) -> str:
    """The first sentence whose fields are all known; empty if there is none."""
    for sentence in sentences:
        if {name for _, name, *_ in Formatter().parse(sentence) if name} <= {*words}:
            return sentence.format_map(words)
    return ""


def _figure(kind: str, text: str) -> Figure | None:
    """A field as a number, a shape, or a name; None if it cannot be read."""
    if kind == "int":
        return int(text)
    if kind == "target":  # a reshape's -1 is asked, not unknown
        return tuple(map(int, re.findall(r"-?\d+", text.replace("newaxis", "-1"))))
    return text if kind in ("name", "word", "amount") else fields.shape(text)


def _several(figure: Figure | None) -> Sequence[Figure]:
    """The shapes of a figure that has several."""
    return [each for each in figure if isinstance(each, tuple)] if isinstance(figure, tuple) else ()


def _shown(figure: Figure) -> int | str:
    """A figure as a sentence shows it."""
    if isinstance(figure, int | str):
        return figure
    several = _several(figure)
    return joined_with_and([*map(written, several)]) if several else written(figure)  # type: ignore[arg-type]
