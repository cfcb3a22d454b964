"""The command that compares rules."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, cast

import typer

from bcastcli.cli.answering import EXAMPLE, STATUS, answer_lines, answer_one
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError, is_asked_for, pieces, print_error
from bcastcli.cli.options import LINES, QUESTION, Shapes, option
from bcastcli.cli.shown import Shown
from bcastcli.compare import SUMMARY
from bcastcli.core.rule import Rule, parse_axis, whole
from bcastcli.notation import questions
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, find, named

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison

_RULES = r"(?<!\S)(?:--)?rules[= ](\S*)"
"""The rules of a comparison, on a line."""
_HELP = """Show what each rule answers for the same arrays, and whether the rules agree. Every
shape is typed outermost axis first, under ncnn too.

Examples:
  bcastcli compare 3,3 3
  bcastcli compare 2,3,4,5 3,4 --axis 1
  bcastcli compare --rules numpy,ncnn N,3 3"""
_EPILOG = "Exit status: 0 the rules agree, 1 they differ, 2 invalid input, 3 it depends."


def rules_of(text: str) -> list[tuple[Rule, str]]:
    """The rules of a list of names, with the names; raise LookupError for others."""
    return [(named(word.strip()), word.strip().lower()) for word in text.split(",")]


def in_order(chosen: Sequence[tuple[Rule, str]]) -> dict[Rule, str] | None:
    """Each of the rules once, with its names, in the usual order; None for an empty list.

    Raises UsageError for a single name.
    """
    names = {name for _, name in chosen}
    if len(names) == 1:
        raise UsageError(f"compare takes two rules or more, not only {names.pop()}")
    found = ((rule, [word for own, word in chosen if own is rule]) for rule in RULES.values())
    return {rule: ", ".join(dict.fromkeys(words)) for rule, words in found if words} or None


def completed(incomplete: str) -> list[str]:
    """The lists that have one more rule than is typed so far.

    >>> completed("none,numpy,onn")[0], "none,numpy,ncnn" in completed("none,numpy,onn")
    ('none,numpy,onnx', True)
    """
    *chosen, _ = incomplete.split(",")
    before = "".join(f"{name}," for name in chosen)
    return [before + name for name in RULES if name not in chosen]


class CompareOptions(Shown):
    """The rules that are compared, and how."""

    rules: list[object] | None = option(
        "--rules",
        "Which rules; default: those of most frameworks.",
        "RULE,...",
        rules_of,
        autocompletion=completed,
    )
    axis: int | None = option(
        "--axis", "The axis for pdpd; default: rank(A) - rank(B).", "K", parse_axis
    )


def build() -> typer.Typer:
    """The command."""
    groups = (Shapes, CompareOptions)
    return typer_app("compare", _answer, *groups, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _answer(shapes: Shapes, compared: CompareOptions) -> int:
    """Compare the rules on the given shapes, and return the exit status."""
    from bcastcli.compare import comparison  # not for the help
    from bcastcli.compare.report import ComparisonReport, SingleComparisonReport

    arguments = shapes.shapes or []
    if words := list(takewhile(_is_rule, arguments)):
        line = " ".join([",".join(words), shlex.join(arguments[len(words) :]) or EXAMPLE])
        raise UsageError(f"compare takes rules as an option: bcastcli compare --rules {line}")
    named = list(chain.from_iterable(cast("Any", compared.rules or [])))
    chosen = in_order(named)
    asked = chosen or RULES.values()
    has_axis = comparison.has_axis(asked)
    if "--axis" in compared.options_given and not has_axis:
        names = ",".join(word for _, word in named)
        raise UsageError(f"--axis has no effect with --rules {names}")
    asking = partial(ask, chosen=chosen, axis=compared.axis)
    missing = f"shapes are missing: bcastcli compare {EXAMPLE} (--help shows more)"
    if is_asked_for(arguments, missing):
        passed_over: list[object] = []
        piped = _operands(pieces(), passed_over, keeps_axis=has_axis)
        status = answer_lines(
            asking,
            ComparisonReport,
            compared.writing(LINES),
            allow_empty=bool(arguments),
            piped=piped,
        )
        for passed, count in Counter(passed_over).items():
            skipped = "operators that are not elementwise" if passed is None else "unknown shapes"
            print_error(f"skipped {count:,} line{'s' if count > 1 else ''} with {skipped}")
        return status or STATUS[None if "" in passed_over else True]
    report = partial(SingleComparisonReport, **compared.drawing())
    return answer_one(asking, report, arguments, compared.writing(QUESTION))


def _is_rule(word: str) -> bool:
    return find(word) is not None and not notation.may_be_shape(word)


def _operands(
    piped: Iterator[bytes], passed_over: list[object], *, keeps_axis: bool
) -> Iterator[bytes]:
    """Yield lines without their operators; skipped lines are counted, and become empty."""
    rest = bytearray()
    for piece in chain(piped, [b"\n"]):
        rest += piece
        if b"\n" not in piece:
            continue  # a long line arrives in many pieces
        *lines, rest = rest.split(b"\n")
        for number, line in enumerate(lines):
            if line[:1].isalpha() and line[1:2].isalpha():  # it belongs to a name, not to a size
                from bcastcli.operators.lines import operands_of  # lines of only shapes do without

                text = line.decode("utf-8", "surrogateescape")
                found = operands_of(text, keeps_axis=keeps_axis)
                passed_over += [] if found else [found]
                lines[number] = bytearray(found or "", "utf-8", "surrogateescape")
        yield b"\n".join([*lines, b""])


def ask_line(line: str) -> "Comparison":
    """The comparison for a line such as `compare 3,3 3 rules=numpy,ncnn`, or with --rules.

    Raises NotationError for any other line.
    """
    bare = re.sub(rf"^\s*compare\b|{_RULES}", lambda found: " " * len(found[0]), line)
    named = list(re.finditer(_RULES, line))
    where = named[0].span() if named else (0, 1)
    words = ",".join([each[1] for each in named])
    try:
        chosen = in_order(rules_of(words)) if named else None
        return ask(bare, chosen)
    except (LookupError, UsageError) as error:
        raise notation.NotationError(str(error), line, where) from None
    except notation.NotationError as error:
        raise notation.NotationError(error.message, line, error.span) from None


def ask(line: str, chosen: Collection[Rule] | None = None, axis: int | None = None) -> "Comparison":
    """The comparison for a line; raise NotationError or UsageError if it is invalid."""
    from bcastcli.compare.comparison import Comparison, has_axis  # not for the help

    typed = questions.read(line, ("axis",) if has_axis(chosen or RULES.values()) else ())
    questions.check_operand_count(line, typed, "compare", 2)
    axis = whole(typed.settings["axis"]) if "axis" in typed.settings else axis
    comparison = Comparison(notation.operands(typed), chosen, axis)
    for rule in comparison.rules:
        lacks = rule.lacks(comparison.operands, rule.numpy_order_options)
        if lacks:
            raise UsageError(f"{lacks}; compare takes no axes: use the rule's own command")
    if not comparison.rules:
        one = comparison.left_out[0]
        questions.check_operand_count(line, typed, one.name, one.min_operands, one.max_operands)
    return comparison
