"""The content of a message: a Reading of a mismatch, or a Fault of another kind."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from bcastcli.core.alignment import letters
from bcastcli.core.shapes import Shape, Size
from bcastcli.why.messages import fields

MAX_LEAD = 200
MAX_CONTEXT = 4096
"""The most characters between a message and its node, operator or framework's frames."""

_NEAR = 40
"""The characters before a message that may tell who wrote it."""

MATMUL = "op MatMul"


class Origin(NamedTuple):
    """The user's line from which a message comes, as a traceback shows it."""

    file: str
    line: int
    source: str
    names: tuple[str, ...] | None = None
    """The operands as that line has them, one for each of the reading's names; None: uncertain."""
    layer: str = ""
    """The linear layer that it calls."""


class Reading(NamedTuple):
    """The details of a message about shapes that do not broadcast; None for each that it lacks."""

    framework: tuple[str, ...]
    """The framework that wrote it; several if the words leave it open."""
    rule: str
    """The rule that decides, or `op NAME`."""
    names: tuple[str, ...] = ()
    """The operands' names, if the message has any, in the order of the rule's command."""
    shapes: tuple[Shape, ...] | None = None
    sizes: tuple[Size, ...] | None = None
    """The sizes that clash, in the order of the text."""
    axis: int | None = None
    axis_of: str | None = None
    """Whose axes are counted: an operand's name, "batch", "operands" (the result of those that
    are named, when there may be more) or "result"; or "letter i", an axis of einsum."""
    reason: str = ""
    """Why the operands do not fit, in the message's own figures, where it shows no shapes."""
    operation: str | None = None
    node: str | None = None
    caveats: tuple[str, ...] = ()
    is_whole: bool = True
    """Whether it has all the fields that its message has when it is not cut."""
    message: str = ""
    # What follows is about one place of a message that may stand in several.
    origin: Origin | None = None
    line: int = 1
    times: int = 1

    @property
    def known_parts(self) -> tuple[str, ...]:
        """Which of "shapes", "sizes", "axis" and "operation" the message shows."""
        names = ("shapes", "sizes", "axis", "operation")
        values = (self.shapes, self.sizes, self.axis, self.operation or self.node)
        return tuple(name for name, value in zip(names, values, strict=True) if value is not None)

    def named(self, *names: str, shapes: tuple[Shape, ...] | None) -> "Reading":
        """The reading with other operands."""
        return self._replace(names=names, shapes=shapes)

    def lettered(self, shapes: tuple[Shape, ...] | None) -> "Reading":
        """The reading with the operands A, B and so on; None: they could not be read."""
        names = letters(len(shapes or ()))
        return self.named(*names, shapes=shapes)._replace(is_whole=shapes is not None)


Figure = int | str | Shape | tuple[Shape, ...]
"""A number, a name, a shape or several, as a field of a message has it."""


class Fault(NamedTuple):
    """A message of a known kind that is not about broadcasting."""

    kind: str
    text: str
    """What does not fit."""
    figures: Mapping[str, Figure] = MappingProxyType({})
    """The numbers, shapes and names in the text."""
    message: str = ""
    line: int = 1
    cure: str = ""
    """What to write instead, or to look at; empty where nothing is known."""
    origin: Origin | None = None
    known: tuple[Any, Mapping[str, Figure]] | None = None
    """The message of the catalogue, and all figures that its sentences may show."""

    @property
    def is_final(self) -> bool:
        """Whether its figures prove a mismatch.

        >>> Fault("axes", "", {"axis": 1}).is_final, Fault("axes", "", {"what": "x"}).is_final
        (True, False)
        """
        return any(not isinstance(figure, str) for figure in self.figures.values())


class Found(NamedTuple):
    """A match of a message in a text."""

    flat: str
    """The whole text, as one line."""
    match: re.Match[str]
    lead: re.Match[str] | None

    @property
    def start(self) -> int:
        """Where the message begins, with its lead."""
        return self.lead.start() if self.lead else self.match.start()

    @property
    def shown(self) -> str:
        """The message with its lead."""
        return self.flat[self.start : self.match.end()].strip()

    @property
    def before(self) -> str:
        """The text before the message, as one line."""
        return self.flat[max(0, self.start - MAX_CONTEXT) : self.start]

    @property
    def after(self) -> str:
        """The text after the message, as one line."""
        end = self.match.end()
        return self.flat[end : end + MAX_CONTEXT]

    @property
    def groups(self) -> dict[str, str | None]:
        """The fields as they are written."""
        return (self.lead.groupdict() if self.lead else {}) | self.match.groupdict()

    def group(self, name: str) -> str | None:
        """A field as it is written."""
        return self.groups.get(name)

    def shape(self, name: str) -> Shape | None:
        """A shape, if it is there and can be read."""
        text = self.group(name)
        return None if text is None else fields.shape(text)

    def shapes(self, name: str) -> tuple[Shape, ...] | None:
        """Consecutive shapes."""
        text = self.group(name)
        if text is None or fields.is_cut(self.flat, self.match.end(name)):
            return None
        return fields.shapes(fields.of_one_message(text))


@cache
def code(name: str) -> Callable[[Any, Found], Any]:
    """The function `module.function` of this package, which corrects a match."""
    module, function = name.split(".")
    code: Callable[[Any, Found], Any] = getattr(import_module(f"{__package__}.{module}"), function)
    return code


@dataclass(frozen=True, eq=False)
class Message:
    """One message of a framework: its words and its meaning, as `catalogue.txt` has them."""

    framework: str
    pattern: str
    words: str
    """The words that the pattern starts with, to search for, in lower case."""
    kind: str = ""
    """The kind of fault; empty for a message about broadcasting."""
    source: str = ""
    rule: str = "numpy"
    operands: Sequence[str] = ()
    """The groups that are shapes, in the order of the rule's command; they name the operands."""
    sizes: Sequence[str] = ()
    """The groups that are sizes, or several in brackets, in the order of the text."""
    owners: Sequence[str] = ()
    """The names of the operands, if not those of the groups; `{group}` shows a group."""
    axis_of: str = "result"
    """The axes that the group `axis` counts."""
    operation: str | None = None
    """The operation, where the group `operation` does not name it."""
    reason: str = ""
    """Why the operands do not fit, with fields."""
    caveats: Sequence[str] = ()
    lead: str = ""
    """A regular expression for the text that may come right before the words."""
    needs_lead: bool = False
    refine: str = ""
    """The function that corrects the reading, by the message or what is around it."""
    by: Sequence[str] = ()
    """Who wrote it, where not the section's framework: `FRAMEWORKS REGEX`."""

    @cached_property
    def inner_words(self) -> frozenset[str]:
        """The words without the first and the last, which may touch others in a text."""
        return frozenset(self.words.split(" ")[1:-1])

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return fields.compiled(self.pattern)

    @cached_property
    def _lead(self) -> re.Pattern[str]:
        return fields.compiled(f"(?:{self.lead}) \\Z")

    def found(self, text: str, flat: str, places: Iterable[int]) -> Iterator[Found]:
        """The messages among the places at which its words start."""
        for match in filter(None, (self._compiled.match(text, each) for each in places)):
            start = match.start()
            lead = self._lead.search(text, max(0, start - MAX_LEAD), start) if self.lead else None
            if lead or not self.needs_lead:
                yield Found(flat, match, lead)

    def read(self, found: Found) -> Reading | Fault | None:
        """What a match says; None where its function refuses it."""
        sizes = _sizes(found, self.sizes)
        axis, letter = found.group("axis"), found.group("letter")
        shapes = [found.shape(name) for name in self.operands]
        given = found.groups
        # Which operand set the size that the one of this number, counted from 0, lacks.
        before = {"0": "an axis of operand 0", "1": "operand 0"}
        given["earlier"] = before.get(given.get("number") or "", "an earlier operand")
        known = tuple(shape for shape in shapes if shape is not None)
        whole = len(known) == len(shapes)
        names = [each.format_map(given) for each in self.owners]
        reading = Reading(
            self._writers(found),
            self.rule,
            names=tuple(names if sizes or known else ()) if self.owners else tuple(self.operands),
            shapes=known if known and whole else None,
            sizes=sizes,
            axis=None if axis is None else int(axis),
            axis_of=self.axis_of if axis else f"letter {letter}" if letter else None,
            reason=self.reason.format_map(given) if None not in given.values() else "",
            operation=found.group("operation") or self.operation,
            node=found.group("node"),
            caveats=tuple(self.caveats),
            message=found.shown,
            is_whole=whole and (not self.sizes or sizes is not None),
        )
        figures = _figures(found)
        if "shapes" in found.match.re.groupindex:
            reading = reading.lettered(found.shapes("shapes"))
        refined: Reading | None = code(self.refine)(reading, found) if self.refine else reading
        if refined is None or refined.is_whole or not figures:
            return refined
        return refined._replace(caveats=(*refined.caveats, "cut"))

    def _writers(self, found: Found) -> tuple[str, ...]:
        """The frameworks that may have written a match."""
        for line in self.by:
            frameworks, _, words = line.partition(" ")
            if re.search(words, f"{found.before[-_NEAR:]}{found.shown}"):
                return tuple(frameworks.split("/"))
        return (self.framework,)


def _figures(found: Found) -> list[str]:
    """The fields of a message as they are written; a truncated one may have some of them."""
    given = found.match.groupdict()
    figures = [value for name, value in given.items() if name not in ("axis", "node", "operation")]
    return [value for value in figures if value is not None]


def _sizes(found: Found, names: Sequence[str]) -> tuple[Size, ...] | None:
    sizes = [size for name in names for size in fields.sizes(found.group(name) or "")]
    known = tuple(size for size in sizes if size is not None)
    return known if known and len(known) == len(sizes) else None
