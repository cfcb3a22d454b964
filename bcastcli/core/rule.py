"""The interface of a rule: its options, its decisions, its notes and its reasons."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, cast

from bcastcli.core.alignment import Change, Layout, Operand
from bcastcli.core.shapes import Column, Shape

if TYPE_CHECKING:
    from bcastcli.core.answer import Answer
    from bcastcli.core.question import Question

SETTINGS = ("axis", "axes", "order")
"""The options that a line may set, in addition to its shapes."""
Value: TypeAlias = int | str | tuple[int, ...] | None
"""A value of an option: a number, a word, a tuple of axes; None if it has to be given."""
AXIS_EXPECTED = "expected an axis number (0, 1, 2, ...) or -1 (the default)"
FORMS = {
    "axis": (r"-1|[0-9]{1,18}", AXIS_EXPECTED),
    "axes": (r"none|[0-9]{1,18}(?:,[0-9]{1,18})*", "expected axes, such as 0,2, or none"),
    "order": (r"ncnn|numpy", "expected ncnn or numpy"),
}
"""The pattern of each setting's values, and the error for a value that does not match."""


def parse_setting(name: str, text: str) -> Value:
    """The value of a setting, or raise ValueError with the expected form.

    >>> parse_setting("axis", "1"), parse_setting("axes", "0,2"), parse_setting("axes", "none")
    (1, (0, 2), ())
    """
    pattern, expected = FORMS[name]
    if not re.fullmatch(pattern, text):
        raise ValueError(expected)
    if name == "axis":
        return int(text)
    if name == "axes":
        return () if text == "none" else tuple(map(int, text.split(",")))
    return text


def typed(value: Value) -> str:
    """A value as it is typed.

    >>> typed((0, 2)), typed(()), typed(-1), typed(True)
    ('0,2', 'none', '-1', '1')
    """
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(int(value)) if isinstance(value, bool) else str(value)


def whole(value: Value) -> int:
    """The value of an option that takes whole numbers, such as an axis."""
    return cast("int", value)


class Option(NamedTuple):
    """An option of a rule."""

    default: Value
    """None: it has to be given, if `Rule.lacks` requires it."""
    help: str
    metavar: str


class Note(NamedTuple):
    """Additional information with the verdict, such as an engine that deviates."""

    kind: str
    text: str


class Reason(NamedTuple):
    """The reason that an answer is no."""

    kind: str
    """"sizes", "rank", "fit", "names" or "limit"; under --strict, "strict"."""
    text: str
    why: str = ""
    """For sizes that clash: why they do not match, as in `neither is 1`."""
    axes: tuple[int, ...] = ()
    """The axes of clashing sizes that the text names by their labels, by their numbers."""

    @classmethod
    def of_sizes(cls, label: str, axis: int, sides: str, why: str, remark: str = "") -> "Reason":
        """The reason that sizes clash on an axis: which operands have them, and why."""
        return cls("sizes", f"{sides} on {label}, and {why}{remark}", why, (axis,))


Options: TypeAlias = Mapping[str, Value]
MissingAxes: TypeAlias = Literal["leading", "trailing", "none"]


class Meeting(NamedTuple):
    """Operands as their sizes meet on aligned axes: what a rule writes a clash from."""

    names: tuple[str, ...]
    """The operands' names."""
    rank: int
    """The rank of the result."""
    way: str
    """The rule's own name for the alignment."""
    column: Callable[[int], Column]
    """Gives the sizes on an axis, one for each operand."""
    label: Callable[[int], str]
    """Gives the name of an axis in sentences."""
    question: Callable[[], "Question"]
    """Gives the whole question."""


class Alternative(NamedTuple):
    """Another question to ask, and how it differs."""

    question: "Question"
    kind: str
    """The kind of the change: "insert", "drop", "permute", "split" or "stretch" axes of an operand,
    "pairs", for a result for every pair, "product", a matrix product, or "rule": what the rule or
    the operator has, an option, the operands in the other order, or another rule."""
    changes: tuple[Change, ...] = ()
    setting: str = ""
    """A setting to write: `--axis 1`, `swap A and B`."""
    is_last_resort: bool = False
    """Whether it is shown only if nothing else is found, because its result is a new shape."""


class Rule(ABC):
    """A broadcasting rule: how the axes line up, and when the sizes on one axis may differ.

    A subclass states the rule in `document` and implements `align` and `clash`; the rest has
    defaults. So two functions make an answer, each from the sizes that meet: an alignment's
    `combine` gives the size of one axis, and `clash` says why there is none.
    """

    name: ClassVar[str]
    document: ClassVar[str]
    """The rule in words: a summary line, the rule, its source, and worked examples.

    Not a docstring, since these are dropped under python -OO.
    """
    default_names: ClassVar[tuple[str, ...]] = ()
    """Names for operands that were typed without one; any further ones are A, B, C and so on."""
    min_operands: ClassVar[int] = 2
    max_operands: ClassVar[int | None] = 2
    """None: any number."""
    options: ClassVar[Mapping[str, Option]] = {}
    """The options that it takes, by their names."""
    numpy_order_options: ClassVar[Options] = {}
    """The options with which shapes are typed outermost first."""
    second_is_target: ClassVar[bool] = False
    """Whether the second operand is a shape to broadcast to rather than an array."""
    keeps_first: ClassVar[bool] = False
    """Whether the result always has the shape of the first operand."""
    like_numpy: ClassVar[bool] = False
    """Whether it gives the shapes that NumPy's rule gives."""
    missing_axes: ClassVar[MissingAxes] = "leading"
    """Which axes an operand may lack: the leading ones where the last axes are aligned, the
    trailing ones where the first axes are, or none."""
    words: ClassVar[str] = ""
    """The framework that changes are written for by default; empty: NumPy."""
    compared_by_default: ClassVar[bool] = True
    """Whether `compare` counts the rule where no rules are chosen."""

    @property
    def statement(self) -> str:
        """The rule in words: a summary line, the rule, and its source."""
        from inspect import cleandoc  # slow to load, and no answer needs it

        return cleandoc(self.document).partition("\n\nExamples:")[0]

    @property
    def summary(self) -> str:
        """The rule in one line."""
        return self.statement.partition("\n")[0]

    @property
    def source(self) -> str:
        """The document that the rule comes from."""
        source = self.statement.partition("\n\nSource: ")[2]
        return " ".join(source.removesuffix(".").split())

    @property
    def examples(self) -> list[tuple[list[str], str]]:
        """The worked examples: arguments, and the answer in format plain, or "mismatch"."""
        from inspect import cleandoc  # as above

        lines = cleandoc(self.document).partition("\n\nExamples:\n")[2].splitlines()
        pairs = (line.split("->") for line in lines)
        return [(arguments.split(), outcome.strip()) for arguments, outcome in pairs]

    def accepts_count(self, count: int) -> bool:
        """Whether the rule takes this number of operands."""
        return self.min_operands <= count and (
            self.max_operands is None or count <= self.max_operands
        )

    def lacks(self, operands: Sequence[Operand], options: Options) -> str:
        """Which option is missing, as a sentence; empty if none."""
        return ""

    @abstractmethod
    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        """How operands of these ranks line up."""

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        """Why the sizes on an axis do not broadcast, given that they do not."""
        raise NotImplementedError

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        """Why operands whose ranks `align` refuses never broadcast, as a sentence."""
        return ""

    def trim(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        """The shapes without the sizes that the rule ignores."""
        return shapes

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, Value]:
        """The options with their defaults resolved."""
        return {}

    def label(self, axis: int, rank: int, options: Options, framework: str = "") -> str:
        """The own name of an axis, or its number from 1; empty where 0 is the first one."""
        return ""

    def axis_label(self, axis: int, rank: int, options: Options, framework: str = "") -> str:
        """The name of an axis in sentences: its number from both ends of a result of this rank."""
        label = self.label(axis, rank, options, framework)
        if label:
            return f"axis {label} ({axis}, {axis - rank})" if label.isalpha() else f"axis {label}"
        return f"axis {axis} ({axis - rank})" if axis < rank else f"axis {axis}"

    def innermost_first(self, options: Options) -> bool:
        """Whether shapes are typed innermost first, the reverse of NumPy's order."""
        return False

    def describe_alignment(self, answer: "Answer") -> str:
        """How the operands are aligned, where the aligned axes alone do not show it."""
        return ""

    def notes(self, answer: "Answer") -> Iterator[Note]:
        """Notes on this question."""
        return iter(())

    def alternatives(self, question: "Question") -> Iterator[Alternative]:
        """Alternatives to a question that was answered with no, the likeliest first.

        They are only proposals: the caller asks them and keeps those that are answered with yes,
        and whose result has the shape of an operand.
        """
        return iter(())
