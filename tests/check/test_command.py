"""`bcastcli check` (check/command.py, check/lines.py, operators/lines.py)."""

import json
from contextlib import chdir
from pathlib import Path

import pytest

from bcastcli.cli.main import main
from tests.command_lines import summary
from tests.in_memory import run
from tests.rows import each_row

MARKDOWN = """\
2,3 4
  ```bcastcli
  2,3 5
  ```
````markdown
```bcastcli
2,3 6
```
````
~~~~ bcastcli of a lecture

# a comment
2,3 7
```
~~~
~~~~
```sh
2,3 8
```
```bcastcli
2,3 9
"""


def test_files(tmp_path: Path) -> None:
    """Of Markdown only the blocks named bcastcli are read; what cannot be read is reported."""
    (tmp_path / "a.md").write_text(MARKDOWN)
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbf2,3 4\r\n\n# c\n2,3 3\n\xff\n")
    with chdir(tmp_path):
        ended = run(["check", "a.md", "b.txt", "gone"])
        nameless = run(["check", ""])
    places = [line.partition(": ")[0] for line in ended.out.splitlines()]
    in_markdown = [f"a.md:{line}:1" for line in (3, 6, 13, 14, 15, 21)]
    assert places == [*in_markdown, "b.txt:1:1", "b.txt:5:1"]
    assert ended.status == 2
    assert ended.err == "bcastcli: cannot read gone: No such file or directory\n"
    assert nameless == (2, "", "bcastcli: cannot read '': Is a directory\n")


def test_folders_and_notebooks(tmp_path: Path) -> None:
    """Of a folder the pages are read, also below it, and not what is hidden."""
    for name in ("b.md", "sub/a.qmd", ".venv/c.md", "node_modules/d.md", "e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("```bcastcli\n2 3\n```\n")
    with chdir(tmp_path):
        ended = run(["check", "."])
    places = [line.partition(": ")[0] for line in ended.out.splitlines()]
    assert (places, ended.status) == (["b.md:2:1", "sub/a.qmd:2:1"], 1)
    with chdir(tmp_path):
        (tmp_path / "f.ipynb").write_text("{}")
        refused = "bcastcli: cannot read f.ipynb: it is a notebook; run jupytext --to md f.ipynb\n"
        assert run(["check", "f.ipynb"]) == (2, "", refused)


HELD = """\
- ```python
  2,3 4
  ```
1. ```bcastcli
   2,3 5
   ```
> ~~~bcastcli `code`
> 2,3 6
> ~~~
> - ```bcastcli
>   2,3 7 -> 2,3

2,3 8
```bcastcli
> 2,3 9
```
"""


@each_row("suffix", ["md", "markdown", "qmd", "Rmd"])
def test_blocks_in_lists_and_quotes(tmp_path: Path, suffix: str) -> None:
    """A block may begin behind the mark of a list item or a quote, and ends with its quote."""
    file = tmp_path / f"a.{suffix}"
    file.write_text(HELD)
    ended = run(["check", str(file)])
    places = [line.removeprefix(f"{file}:") for line in ended.out.splitlines()]
    assert [place.partition(": ")[0] for place in places] == ["5:1", "8:1", "11:14", "15:1"]


NO_QUESTIONS = (
    "no questions found (in Markdown, only blocks fenced by ```bcastcli are read); "
    "--allow-empty accepts that"
)


def test_no_question(tmp_path: Path) -> None:
    """No question is no yes, of a pipe or of files together, unless --allow-empty says so."""
    (tmp_path / "a.md").write_text("2,3 4\n")
    (tmp_path / "b.md").write_text("```bcastcli\n4 4\n```\n")
    page, other = (str(tmp_path / name) for name in ("a.md", "b.md"))
    for files in ([], ["-"], [page], [page, page]):
        ended = run(["check", *files])
        assert ended[:2] == (2, "")
        assert ended.err.startswith(f"bcastcli: {NO_QUESTIONS}\n")
        assert run(["check", *files, "--allow-empty"]) == (0, "", "0 questions, 0 failed\n")
    assert json.loads(run(["check", page, "--json"]).out)["status"] == "invalid"
    assert run(["check", page, other]) == (0, "", "1 question, 0 failed\n")
    assert run(["check", page, "gone", "--allow-empty"]).status == 2
    assert "2, out='', err='bcastcli: a file is missing: " in str(run(["check"], typing=True))


def test_closed_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A closed standard input is no file without questions."""
    monkeypatch.setattr("sys.stdin", None)
    assert main(["check", "-"]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_summary() -> None:
    """`-h` and TAB say in a line what the command is for."""
    assert summary("check") == "Test the shapes in files and Markdown, as in CI"
