"""The command that compares rules."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import typer

from bcastcli.cli.answering import STATUS, answer_lines, answer_one
from bcastcli.cli.commands import Shown, typer_app
from bcastcli.cli.console import UsageError, pieces, print_error, reads_input
from bcastcli.cli.options import LINES, QUESTION, Shapes, option
from bcastcli.compare import SUMMARY
from bcastcli.core.rule import Rule, parse_setting, whole
from bcastcli.notation import questions
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, completed, find, named

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Chosen, Comparison

_OTHERS, _UNKNOWN = "operators that are not elementwise", "unknown shapes"
"""What lines have that are skipped."""
_EXAMPLE = "bcastcli compare --rules numpy,ncnn N,3 3"
_RULES = r"(?<!\S)(?:--)?rules[= ](\S*)"
"""The rules of a comparison, on a line."""
_HELP = """Show what each rule answers for the same arrays, and whether the rules agree. Type
every shape outermost axis first, for ncnn too.

Examples:
  bcastcli compare 3,3 3
  bcastcli compare 2,3,4,5 3,4 --axis 1
  bcastcli compare --rules numpy,ncnn N,3 3"""
_EPILOG = "Exit status: 0 the rules agree, 1 they differ, 2 invalid input, 3 it depends."


def rules_of(text: str) -> dict[Rule, list[str]]:
    """Each rule of a list of names once, with its names, in the usual order.

    Raises LookupError for a name without a rule, and for a single name.
    """
    words: dict[Rule, list[str]] = {}
    names = dict.fromkeys(word.strip().lower() for word in text.split(","))
    for name in names:
        words.setdefault(named(name), []).append(name)
    if len(names) == 1:
        raise LookupError(f"compare takes two or more rules, not only {text.strip()}")
    return {rule: words[rule] for rule in RULES.values() if rule in words}


class CompareOptions(Shown):
    """The rules that are compared, and how."""

    rules: Mapping[Rule, list[str]] | None = option(
        "--rules",
        "The rules to compare; default: six common ones.",
        "RULE,...",
        rules_of,
        autocompletion=completed,
    )
    axis: int | None = option(
        "--axis",
        "The axis for pdpd; default: rank(A) - rank(B).",
        "K",
        partial(parse_setting, "axis"),
    )


def build() -> typer.Typer:
    """The command."""
    groups = (Shapes, CompareOptions)
    return typer_app("compare", _answer, *groups, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _answer(shapes: Shapes, compared: CompareOptions) -> int:
    """Compare the rules on the given shapes, and return the exit status."""
    from bcastcli.compare import comparison  # not for the help
    from bcastcli.compare.report import ComparisonReport, SingleComparisonReport

    arguments, chosen = shapes.shapes or [], compared.rules
    has_axis = comparison.has_axis(chosen or RULES.values())
    if compared.axis is not None and not has_axis:
        raise UsageError("--axis has no effect: none of the rules takes an axis")
    if arguments and find(arguments[0]) and not notation.may_be_shape(arguments[0]):
        raise UsageError(f"compare takes rules as an option: {_EXAMPLE}")
    asking = partial(ask, chosen=chosen, axis=compared.axis)
    missing = "shapes are missing: bcastcli compare 2,3,4,5 4,5 (-h shows more)"
    if not reads_input(arguments, missing):
        report = partial(SingleComparisonReport, **compared.drawing())
        return answer_one(asking, report, arguments, compared.writing(QUESTION))
    skipped: Counter[str] = Counter()
    status = answer_lines(
        asking,
        ComparisonReport,
        compared.writing(LINES),
        allow_empty=bool(arguments),
        lines=_operands(skipped, keeps_axis=has_axis),
    )
    for what, count in skipped.items():
        print_error(f"skipped {count:,} line{'s' if count > 1 else ''} with {what}")
    return status or STATUS[None if _UNKNOWN in skipped else True]


def _operands(skipped: Counter[str], *, keeps_axis: bool) -> Iterator[list[str]]:
    """The lines of standard input without their operators; those to skip become empty."""
    from bcastcli.stream.batch import OverlongLine, lines_of

    for lines in lines_of(pieces()):
        for number, line in enumerate(lines):
            if line[:2].isalpha() and not isinstance(line, OverlongLine):  # a name, not a size
                from bcastcli.operators.lines import operands_of  # slow to load

                operands = operands_of(line, keeps_axis=keeps_axis)
                if not operands:
                    skipped[_OTHERS if operands is None else _UNKNOWN] += 1
                lines[number] = operands or ""
        yield lines


def ask_line(line: str) -> "Comparison":
    """The comparison for a line such as `compare 3,3 3 rules=numpy,ncnn`, or with --rules.

    Raises NotationError for any other line.
    """
    bare = re.sub(rf"^\s*compare\b|{_RULES}", lambda word: " " * len(word[0]), line)
    rules = re.search(_RULES, line)
    try:
        return ask(bare, rules_of(rules[1]) if rules else None)
    except (LookupError, UsageError) as error:
        where = rules.span() if rules else (0, 1)
        raise notation.NotationError(str(error), line, where) from None
    except notation.NotationError as error:
        raise notation.NotationError(error.message, line, error.span) from None


def ask(line: str, chosen: "Chosen | None" = None, axis: int | None = None) -> "Comparison":
    """The comparison for a line; raise NotationError or UsageError if it is invalid."""
    from bcastcli.compare.comparison import Comparison, has_axis  # not for the help

    typed = questions.read(line, ("axis",) if has_axis(chosen or RULES.values()) else ())
    questions.check_operand_count(line, typed, "compare", 2)
    axis = whole(typed.settings["axis"]) if "axis" in typed.settings else axis
    comparison = Comparison(notation.operands(typed), chosen, axis)
    for rule in comparison.rules:
        if rule.lacks(comparison.operands, rule.numpy_order_options):
            own = f"bcastcli {rule.name}"
            raise UsageError(f"{rule.name} needs --axes, which compare lacks: use {own}")
    if not comparison.rules:
        one = comparison.left_out[0]
        questions.check_operand_count(line, typed, one.name, one.min_operands, one.max_operands)
    return comparison
