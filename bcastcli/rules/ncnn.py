"""The rule of ncnn's BinaryOp broadcasting table."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Meeting, Note, Option, Options, Reason, Rule, Value
from bcastcli.core.shapes import CLASH, Column, Shape, Verdict, follows, stretch, written
from bcastcli.core.wording import axes, clash_words, joined_with_and, with_verb

MAX_AXES = 4
_ALIGNED = {
    "equal ranks": "same number of axes: matched axis by axis",
    "scalar": "{smaller} is like a scalar",
    "inner": "{smaller} is on the last axes of {larger} (inner)",
    "outer": "{smaller} is on w of {larger} (outer)",
}
LABELS = ((), ("w",), ("w", "h"), ("w", "h", "c"), ("w", "h", "d", "c"))


class Ncnn(Rule):
    name = "ncnn"
    document = """
    ncnn: shapes typed w,h,d,c; like NumPy only where the ranks are equal

    Two shapes of at most 4 axes, innermost first: w, then h, d and c; --order numpy reads and
    writes them outermost first. The order of the operands does not matter; the first line below
    that fits decides.

    1. one is a scalar, or has only ones and no more axes than the other: the other is the result;
    2. the ranks are equal: on each axis, the sizes are equal or one of them is 1;
    3. inner: the smaller operand equals the last sizes of the larger one;
    4. outer: the smaller operand has one axis, equal to the larger one's first, w.

    Line 3 goes the opposite way to NumPy, and line 4 exists only for compatibility: in their place
    pnnx inserts a Reshape, so that the model it exports follows PyTorch.

    ncnn's wheels before 20230816 return wrong values for outer broadcasting, where both operands
    stretch, and for most operands with ones between other sizes.

    Source: ncnn, BinaryOp, "broadcasting rule", of 2023-08-10.

    Examples:
        2,3,4 3,4   ->  2,3,4
        2,3 2       ->  2,3
        2,1 1,3     ->  2,3
        2,1 3       ->  mismatch
        2,3,4 2,3   ->  mismatch
        2,N 2       ->  2,N
    """

    options: ClassVar = {
        "order": Option(
            default="ncnn",
            help="How shapes are read and written: w first, or in NumPy's order.",
            metavar="ncnn|numpy",
        )
    }
    numpy_order_options: ClassVar = {"order": "numpy"}
    words = "ncnn"

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return _layout(tuple(ranks), _outermost_first(options))

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        over = [f"{name} has {axes(len(own))}" for name, own in operands if len(own) > MAX_AXES]
        return f"{joined_with_and(over)}, and ncnn has at most {MAX_AXES}"

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, Value]:
        return {"order": options.get("order", "ncnn")}

    def label(self, axis: int, rank: int, options: Options, framework: str = "") -> str:
        if rank > MAX_AXES:
            return ""
        labels = LABELS[rank]
        return labels[::-1][axis] if _outermost_first(options) else labels[axis]

    def innermost_first(self, options: Options) -> bool:
        return not _outermost_first(options)

    def describe_alignment(self, answer: Answer) -> str:
        if answer.ok is False or not answer.axes or answer.alignment is None:
            return ""
        larger, smaller = _by_rank(answer.question)
        return _ALIGNED[answer.alignment.name].format(larger=larger.name, smaller=smaller.name)

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        empty = [each for each in range(meeting.rank) if 0 in meeting.column(each)]
        if empty:
            return _empty_axis(meeting, empty[-1], axis)
        label = meeting.label(axis)
        sides, _, _ = clash_words(meeting.column(axis), meeting.names)
        if meeting.way == "equal ranks":
            return Reason.of_sizes(label, axis, sides, "neither is 1")
        question = meeting.question()
        larger, smaller = _by_rank(question)
        own = self.label(axis, meeting.rank, question.options)
        why = f"{smaller.name} must equal {larger.name}'s {own} there"
        if len(smaller.shape) > 1:
            return Reason.of_sizes(label, axis, sides, why)
        why += f", or, having one axis, {larger.name}'s w"
        return Reason.of_sizes(label, axis, sides, why, f" ({larger.shape[0]})")

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.layout.refusal or any(0 in operand.shape for operand in answer.operands):
            return
        if answer.axes is None:
            yield Note("layout", "how the operands line up depends on the unknown sizes")
        flip = _flip(answer.question)
        larger, smaller = _by_rank(answer.question)
        name, own = smaller
        missing = (1,) * (len(larger.shape) - len(own))
        taken = own + missing if len(own) == 1 else missing + own
        is_known = answer.ok is False and not answer.unknown_sizes
        if missing and is_known and _would_do(answer, larger, smaller, taken):
            text = written(taken[::flip])
            yield Note(
                "engine",
                f"ncnn's CPU engine reads {name} as {text} and accepts it; its Vulkan engine "
                f"returns meaningless values. Write {text}",
            )
        elif answer.ok is False:
            text = "ncnn does not detect this: it returns 0 (success) and meaningless values"
            yield Note("engine", text)
        appended = own + missing
        if missing and {*own} - {1} and _would_do(answer, larger, smaller, appended):
            text = f"pnnx adds a Reshape of {name} to {written(appended[::flip])}, so converted "
            yield Note("engine", f"{text}models keep NumPy's result")

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        if not rewriting.is_readable(question.operands):
            return
        if max(question.ranks) <= MAX_AXES:
            flip = _flip(question)
            operands = [Operand(name, shape[::-flip]) for name, shape in question.operands]
            for changes, last in rewriting.of_pair(operands, (0, 1), (0, 1), "none"):
                yield rewriting.with_changes(question, changes, last, -flip)


def _empty_axis(meeting: Meeting, empty: int, clashing: int) -> Reason:
    """The reason that an axis of size 0 gives, for a mismatch on any axis."""
    pairs = zip(meeting.names, meeting.column(empty), strict=True)
    owners = [name for name, size in pairs if size == 0]
    why = "ncnn has no empty axes"
    text = f"{with_verb(owners)} 0 on {meeting.label(empty)}, and {why}"
    return Reason("limit", text, why if 0 in meeting.column(clashing) else "")


@lru_cache(maxsize=256)
def _layout(ranks: tuple[int, ...], outermost_first: bool) -> Layout:
    """How operands of these ranks may line up, to be tried in order."""
    rank, larger = max(ranks), ranks.index(max(ranks))
    refusal = "limit" if rank > MAX_AXES else ""
    last, first = tuple(rank - own for own in ranks), (0, 0)
    if outermost_first:
        last, first = first, last
    equal = _nonempty(partial(follows, kept=larger))
    ones_only = _nonempty(partial(follows, kept=larger, only_1=True))
    if min(ranks) == rank:
        lines = [Alignment(last, _nonempty(stretch), name="equal ranks")]
    else:
        lines = [
            Alignment(last, ones_only, name="scalar"),
            Alignment(last, equal, name="inner"),
            Alignment(first, equal, name="outer"),
        ][: 3 if min(ranks) == 1 else 2]
    # For a mismatch, the inner alignment is the most informative.
    return Layout(rank, tuple(lines), refusal, None, min(1, len(lines) - 1))


def _flip(question: Question) -> int:
    """The step that turns a shape as typed into w first, and back."""
    return -1 if _outermost_first(question.options) else 1


def _by_rank(question: Question) -> tuple[Operand, Operand]:
    """The operand of higher rank and the other one, with shapes w first."""
    turned = [Operand(name, shape[:: _flip(question)]) for name, shape in question.operands]
    larger, smaller = sorted(turned, key=lambda operand: -len(operand.shape))
    return larger, smaller


def _would_do(answer: Answer, larger: Operand, smaller: Operand, explicit: Shape) -> bool:
    """Whether the operands may broadcast if the smaller one gets the same rank, both w first."""
    operands = (larger, smaller._replace(shape=explicit))
    return Question(answer.rule, operands).answer().ok is not False


def _nonempty(decide: Callable[[Column], Verdict]) -> Callable[[Column], Verdict]:
    """The same decision, but size 0 clashes: ncnn has no empty axes."""

    def decide_nonempty(column: Column) -> Verdict:
        return CLASH if 0 in column else decide(column)

    return decide_nonempty


def _outermost_first(options: Options) -> bool:
    return options.get("order") == "numpy"
