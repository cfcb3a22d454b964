"""Blocks of questions in Markdown (check/lines.py)."""

from contextlib import chdir
from pathlib import Path

import pytest

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
