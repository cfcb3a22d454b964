"""Blocks of questions in Markdown (check/lines.py)."""

import re
from contextlib import chdir
from pathlib import Path
from random import Random

import pytest
from markdown_it import MarkdownIt

from bcastcli.check.pages import blocks
from tests import effort
from tests.effort import SEED
from tests.in_memory import run
from tests.rows import each_row

CLASH = "mismatch: A has 3 and B has 2 on axis 0 (-1), and neither is 1\n"


@each_row(
    ("info", "status"),
    [
        *((info, 1) for info in ("bcastcli", "Bcastcli", "BCASTCLI x", "{bcastcli}")),
        *((info, 1) for info in ("{code-cell} bcastcli", "{#a .bcastcli}", "bcastcli,ignore")),
        *((info, 0) for info in ["python", "", "broadcast", "bash", 'sh title="bcastcli"']),
    ],
)
def test_the_word_behind_a_fence(info: str, status: int, tmp_path: Path) -> None:
    """It is bcastcli in any case, in braces too."""
    (tmp_path / "a.md").write_text(f"- a\n\n  > ```{info}\n  > 3 2\n  > ```\n")
    with chdir(tmp_path):
        ended = run(["check", "a.md", "--allow-empty"])
    assert (ended.status, ended.out) == (status, f"a.md:4:1: {CLASH}" if status else "")


BLOCKS = """```bcastcli|~~~bcastcli|````bcastcli x|```Bcastcli|~~~~ {bcastcli}|```python|```
~~~|````markdown|````|~~~~|```bcastcli```|``bcastcli|2 3 # L|7 8 # L|5,1 6,2 # L|# a comment||***
===|<!--|-->|<div>|</div>|[a]: b|    \"""|\t3 4 # L|- - 2 3 # L|> 2 3 # L|text"""
MARKS = "||| |  |   |    |     |\t|> |>|- |1. |10) |* |  > "


def page(chance: Random) -> str:
    """Return a page of fences, questions and other lines, many behind marks of lists and quotes.

    Each line that may be a question has a label of its own.
    """
    lines = []
    for number in range(chance.randint(1, 30)):
        marks = "".join(chance.choices(MARKS.split("|"), k=chance.choice((0, 0, 1, 1, 2, 3))))
        block = chance.choice(re.split("[|\n]", BLOCKS))
        lines.append(marks + block.replace("# L", f"# L{number}"))
    return chance.choice(("\n", "\r\n")).join(lines)


def test_pages_against_the_parser() -> None:
    """Each question in a block of a composed page is asked, and nothing else."""
    chance = Random(f"{SEED} pages of Markdown")
    asked, pages = 0, 20_000 if effort.thorough else 300
    parser = MarkdownIt("commonmark")
    for _ in range(pages):
        text = page(chance)
        fences = [each for each in parser.parse(text) if each.type == "fence"]
        ours = [each for each in fences if re.match(r"(?i) *\{?bcastcli\b", each.info)]
        wanted = [line for each in ours for line in each.content.split("\n")]
        lines = re.split("\r?\n", text)
        found = [line for block in blocks(lines) for line in enumerate(block.lines, block.first)]
        assert [line.partition("# L")[2] for line in wanted if re.search(r"\d.*# L", line)] == [
            line.partition("# L")[2] for _, line in found if "# L" in line
        ], text
        assert all(lines[number - 1].endswith(line.lstrip()) for number, line in found), text
        asked += len(found)
    assert asked > pages / 4


HOSTILE = {
    2: [
        *("", "\n\n", "# 2 3\n", "\ufeff", "``bcastcli\n2 2\n``", "'''bcastcli\n2 2\n'''", "2 2\n"),
        *("    ```bcastcli\n    2 2", "``bcastcli 2 2``", "```\nbcastcli\n2 2\n```", "\0\n"),
        *("<!--\n```bcastcli\n2 2\n```\n-->", "```bcastcli\n```\n2 3", "```bcastcil\n2 2\n```"),
        *(
            f"```bcastcli\n{line}\n"
            for line in (
                *("{4,1} {4", "{", "2 2 ->", "2,\0", "2 2 strict=1", "2 2 # -> 3", "2 2 x"),
                *("Gemm 8,8 8,10 transB=1 -> 8,10", "numpy 2 2 Axis=0", "pdpd 2,3 2 AXIS=0"),
                *("Add 2 3 transA=0 -> mismatch", "Gemm 2,2 2,2 alpha=1", "2 2 -> 2 2"),
                *("2,,3 2 -> error", "2 3 -> mismatch: A has 2", "2 2 -> 2" + " " * (1 << 20)),
            )
        ),
    ],
    1: [
        *("```bcastcli\n2 3\n```", "> ```bcastcli\n> 2 3", "```bcastcli\n2 2 -> 3\n```"),
        *(">" * 90 + "```bcastcli\n" + ">" * 90 + "2 3", "```bcastcli\n2 2 -> depends\n```"),
        '```python\n    "\n    ```\n    "\n```\n\n```bcastcli\n2 3\n```\n',
    ],
    0: [
        *("~~~BCASTCLI\n2 2\n~~~~", "```bcastcli\n{4,1} {4,1} -> 4,1\n```"),
        *("- ```bcastcli\n\t2 2\n", "1. a\n\n   ```bcastcli\n   2 2\n   ```\n"),
        "````markdown\n```bcastcli\n2 3\n```\n````\n```bcastcli\n2 2 # a -> b\n```\n",
    ],
}
AROUND = (("", ""), ("# A page\n\n", "\n"), ("", "\n\n# end"), ("* a\n* b\n\n***\n", "\n"))


@pytest.mark.parametrize("status", HOSTILE)
def test_hostile_and_careless_pages(status: int, tmp_path: Path) -> None:
    """No page is green but one with questions, all of which are answered as expected."""
    for text in HOSTILE[status]:
        for before, behind in AROUND:
            (tmp_path / "a.md").write_text(before + text + behind)
            ended = run(["check", str(tmp_path / "a.md")])
            assert ended.status == status, (before + text[:200] + behind, ended)
            assert len(ended.out) < 2_000
