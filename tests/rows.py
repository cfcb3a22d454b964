"""Tables of which each row checks the promise of one test.

`pytest.mark.parametrize` makes a test of each row; a test costs more than most rows do.
"""

import json
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]
_SHORT = 40
"""The most characters of a line that is always shown in full."""
_BEGINNING = 30
"""The characters that are shown of a line that stands in full further above."""


def each_row(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Return what makes one test of all rows; as `parametrize`, it takes `pytest.param` too.

    No row stops the others: the test fails with an error for each row that fails, which names it.
    Each row has its own patches, and sees only what it has written itself.
    """
    given = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    rows = [_row(given, value) for value in values]

    def joined(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            failures = []
            for row in rows:
                try:
                    _try(test, fixtures, row)
                except (Exception, pytest.fail.Exception) as error:
                    values = (f"{name}={value!r:.200}" for name, value in row.items())
                    error.add_note(f"the row: {', '.join(values)}")
                    failures.append(error)
            if failures:
                message = f"{len(failures)} of {len(rows)} rows fail"
                raise BaseExceptionGroup(message, failures)

        all_of = signature(test)
        left = [each for name, each in all_of.parameters.items() if name not in given]
        assert len(left) == len(all_of.parameters) - len(given), "a row has an unknown name"
        run.__signature__ = all_of.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    assert rows, "no rows"
    return joined


def node_line(line: str) -> tuple[str, list[str], dict[str, Any]]:
    """Return the operator, the inputs and the settings of a line: `Pad 2,3 pads=[1,1]`."""
    operator, *words = line.split()
    given = dict(word.split("=", 1) for word in words if "=" in word)
    settings = {name: _value(value) for name, value in given.items()}
    return operator, [each for each in words if "=" not in each], settings


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def keep(path: Path, config: pytest.Config, answer: Callable[[str], Iterable[str]]) -> list[str]:
    """Compare a file of questions, each with its answer below it; return the questions."""
    text = path.read_text("utf-8")
    questions = [line for line in text.splitlines() if not line.startswith(" ")]
    known: set[str] = set()
    lines = []
    for question in questions:
        lines += [question, *(f"  {once(line, known)}" for line in answer(question))]
    found = "".join(f"{line}\n" for line in lines)
    if config.option.update:
        path.write_text(found, "utf-8")
    assert found == text, "pytest --update writes the answers of now"
    return questions


def once(line: str, known: set[str]) -> str:
    """Return a line, or the beginning of one that is known; add it to what is known."""
    if len(line) <= _SHORT:
        return line
    shown = f"{line[:_BEGINNING]}…" if line in known else line
    known.add(line)
    return shown


def _row(names: list[str], value: Any) -> dict[str, Any]:
    if hasattr(value, "values") and hasattr(value, "marks"):  # of pytest.param
        assert not value.marks, "a row has no marks of its own"
        return dict(zip(names, value.values, strict=True))
    return dict(zip(names, value if len(names) > 1 else [value], strict=True))


def _try(test: Test, fixtures: dict[str, Any], row: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patches:
        for value in fixtures.values():
            if isinstance(value, pytest.CaptureFixture):
                value.readouterr()
        own = {
            name: patches if isinstance(value, pytest.MonkeyPatch) else value
            for name, value in fixtures.items()
        }
        test(**own, **row)
