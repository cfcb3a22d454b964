"""The command that compares rules."""

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import TYPE_CHECKING, cast

import typer

from bcastcli.cli.commands import EXAMPLE, typer_app
from bcastcli.cli.commands.answer_options import Shown
from bcastcli.cli.commands.answering import answer_lines, answer_one
from bcastcli.cli.console import UsageError, print_error
from bcastcli.cli.option_table import COMPARISON
from bcastcli.cli.options import Shapes, flag, option
from bcastcli.cli.standard_input import is_asked_for, pieces
from bcastcli.core.rule import Rule, parse_axis, whole
from bcastcli.notation import questions
from bcastcli.notation import text as notation
from bcastcli.rules import RULES, find, named

if TYPE_CHECKING:
    from bcastcli.analysis.comparison import Comparison


SUMMARY = "Compare the rules: what each answers for the same arrays"
_HELP = """Show what each rule answers for the same arrays, and whether the rules agree.

Takes two or more shapes, outermost axis first under every rule, including ncnn. Rules agree if all
of them refuse, or if they give the same result with each operand on the same axes of it, ignoring
axes of size 1. On other axes the result has the same shape but other values.

By default all rules but none, left, same-rank and explicit are compared, with pdpd on its default
axis. --rules chooses the rules; --axis chooses the axis, as does axis=K on a line of standard
input. --all also shows the other rules, and the axes that pdpd and explicit accept. Rules that take
two shapes are left out when there are more. An unknown size is assumed to be at least 1, unless one
of the sizes is 0.

\b
Examples:
  bcastcli compare 3,3 3
  bcastcli compare 2,3,4,5 3,4 --axis 1
  bcastcli compare --rules numpy,ncnn N,3 3"""
_EPILOG = """Exit status: 0 the rules agree, 1 they differ, 2 invalid input or usage,
3 it depends on unknown sizes."""


def rules_of(text: str) -> list[Rule]:
    """Return the rules of a list of names; raise LookupError if there is no such rule."""
    return [named(word.strip()) for word in text.split(",")]


def in_order(chosen: Sequence[Rule]) -> list[Rule] | None:
    """Return each of the rules once, in the order of all rules; None if there are none."""
    return [rule for rule in RULES.values() if rule in chosen] or None


def _complete_rules(incomplete: str) -> list[str]:
    """Return the lists that have one more rule than is typed so far."""
    *chosen, _ = incomplete.split(",")
    before = "".join(f"{name}," for name in chosen)
    return [before + name for name in RULES if name not in chosen]


class CompareOptions(Shown):
    """The rules that are compared, and how."""

    rules: list[object] | None = option(
        "--rules",
        "The rules to compare, such as numpy,ncnn; default: see above.",
        "RULE,...",
        rules_of,
        autocompletion=_complete_rules,
    )
    axis: int | None = option(
        "--axis", "The axis for pdpd; default: rank(A) - rank(B).", "K", parse_axis
    )
    shows_all: bool = flag("--all", "Also show rules and axes that are not part of the verdict.")


def build() -> typer.Typer:
    """Return the command."""
    groups = (Shapes, CompareOptions)
    return typer_app("compare", _answer, *groups, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _answer(shapes: Shapes, compared: CompareOptions) -> int:
    """Compare the rules on the given shapes, and return the exit status."""
    from bcastcli.analysis import comparison  # not for the help
    from bcastcli.reports.comparisons import ComparisonReport, SingleComparisonReport

    arguments = shapes.shapes or []
    words = list(takewhile(_is_rule, arguments))
    if words:
        line = " ".join([",".join(words), shlex.join(arguments[len(words) :]) or EXAMPLE])
        raise UsageError(f"compare takes rules as an option: bcastcli compare --rules {line}")
    named = list(chain.from_iterable(cast("list[list[Rule]]", compared.rules or [])))
    chosen = in_order(named)
    if compared.axis is not None and not comparison.has_axis(chosen or RULES.values()):
        names = ",".join(rule.name for rule in named)
        raise UsageError(f"--axis has no effect with --rules {names}")
    asking = partial(ask, chosen=chosen, axis=compared.axis, shows_all=compared.shows_all)
    missing = f"shapes are missing: bcastcli compare {EXAMPLE} (--help shows more)"
    if is_asked_for(arguments, missing):
        passed_over: list[str] = []
        keeps_axis = comparison.has_axis(chosen or RULES.values())
        piped = _operands(pieces(), passed_over, keeps_axis=keeps_axis)
        allow_empty = bool(arguments)
        status = answer_lines(
            asking, ComparisonReport, compared, allow_empty=allow_empty, piped=piped
        )
        if passed_over:
            count = f"{len(passed_over):,} line{'s' if len(passed_over) > 1 else ''}"
            print_error(f"passed over {count} of operators that are not elementwise")
        return status
    report = partial(SingleComparisonReport, steps=compared.step_options(), picture=compared.look())
    return answer_one(asking, report, notation.as_line(arguments), compared, COMPARISON)


def _is_rule(word: str) -> bool:
    return find(word) is not None and not notation.may_be_shape(word)


def _operands(
    piped: Iterator[bytes], passed_over: list[str], *, keeps_axis: bool
) -> Iterator[bytes]:
    """Yield lines without the operators in front; what is passed over is listed, and empty."""
    rest: list[bytes] = []  # a long line comes in many pieces
    for piece in chain(piped, [b"\n"]):
        if b"\n" not in piece:
            rest.append(piece)
            continue
        *lines, last = b"".join([*rest, piece]).split(b"\n")
        rest = [last]
        for number, line in enumerate(lines):
            if line[:1].isalpha() and line[1:2].isalpha():  # of a name, not a size
                from bcastcli.operators.lines import operands_of  # not for shapes alone

                text = line.decode("utf-8", "surrogateescape")
                found = operands_of(text, keeps_axis=keeps_axis)
                passed_over += [] if found is not None else [text]
                lines[number] = (found or "").encode("utf-8", "surrogateescape")
        yield b"\n".join([*lines, b""])


def ask(
    line: str,
    chosen: Sequence[Rule] | None = None,
    axis: int | None = None,
    *,
    shows_all: bool = False,
) -> "Comparison":
    """Return the comparison for a line; raise NotationError or UsageError if it cannot be made."""
    from bcastcli.analysis.comparison import Comparison, has_axis  # not for the help

    typed = questions.read(line, ("axis",) if has_axis(chosen or RULES.values()) else ())
    questions.check_operand_count(line, typed, "compare", 2)
    axis = whole(typed.settings["axis"]) if "axis" in typed.settings else axis
    comparison = Comparison(notation.operands(typed), chosen, axis, shows_all=shows_all)
    if comparison.lacks:
        way = "compare takes no axes: use the rule's own command, or compare --all without --rules"
        raise UsageError(f"{comparison.lacks[0]}; {way}")
    if not comparison.rules:
        one = comparison.left_out[0]
        questions.check_operand_count(line, typed, one.name, one.min_operands, one.max_operands)
    return comparison
