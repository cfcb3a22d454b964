"""Blocks of questions in Markdown: what is read, and what is reported as not read."""

import re
from contextlib import chdir
from pathlib import Path
from random import Random

import pytest

from tests.effort import SEED, many
from tests.in_memory import run
from tests.rows import each_row

FENCES = """```bcastcli|```|~~~~bcastcli|~~~~|``` bcastcli title="one"|```|```{.bcastcli}|```
```{#one .bcastcli}|```|```{.one .bcastcli}|```|```BCASTCLI|```|``````bcastcli|``````
```{bcastcli}|```|```{code-cell} bcastcli|```|```{code-block} bcastcli|```|~~~ {bcastcli}|~~~"""
OTHERS = """:::{bcastcli}|:::|::: bcastcli|:::|:::{code-block} bcastcli|:::|```text bcastcli|```
.. code-block:: bcastcli||```{r, bcastcli}|```"""
"""Fences of other tools: these blocks are reported."""
HELD = r"""!!! note\n\n    @
!!! note "A title"\n    @
??? tip\n\n    Text.\n\n    @
???+ tip\n\n    - item\n\n        @
=== "Tab"\n\n    @
=== "One"\n\n    Text.\n\n=== "Two"\n\n    !!! note\n\n        @
- item\n\n    !!! note\n\n        @
`````{note}\n@\n`````
`````{note} A title\n:class: tip\n\n@\n`````
``````{admonition} A title\n`````{tip}\n@\n`````\n``````
:::{note}\n@\n:::
::: {.callout-note}\n## A title\n@\n:::
::::{tab-set}\n:::{tab-item} One\n@\n:::\n::::
`````{eval-rst}\n.. note::\n\n   @\n`````
[^1]: Text.\n\n    @
[^1]:\n    @
Term\n: @
Term\n:   Text.\n\n    @
<details>\n<summary>More</summary>\n@\n</details>
<details>\n\n@\n\n</details>
<div markdown>\n@\n</div>
<div>@\n</div>
---\ntitle: |\n  @\n---
---\ntitle: |\n    @\n---
- item\n\n       @
- item\n\n  @
1. item\n   1. item\n\n      @
1) @
- [ ] @
- [x] @
> @
> [!NOTE]\n> @
> - item\n>\n>   @
> > @
    @
\t@
Text.\n    @
Text.\n@
<!-- @\n-->
<!--\n@\n-->
`````markdown\n@\n`````
```````python\n@\n```````
| a | b |\n|---|---|\n| @ | c |
# A heading\n@
# @
 @
* * * @
[a]: <b>\n@
 @""".splitlines()
"""What holds a block, which is put in at @, behind the marks before it."""
WRONG = """2,3 4
2,3 3 -> 3,2
N,3 3 -> 3
Gemm 8,8 8,10 transpose_b=1 -> 8,10
op Add 2,3 4
2,3 3 keepdims=1
compare 3,3 3 --rules numpy -> agree
2,3 3 -> scalar
1x 2""".splitlines()
LIKE_A_FENCE = re.compile(r"(?:```|~~~|:::|\.\. ).*bcastcli", re.IGNORECASE)


def held(chance: Random, block: list[str], depth: int) -> list[str]:
    """A block inside of something else; the marks before it stand before each of its lines."""
    lines = []
    for line in chance.choice(HELD).replace(r"\n", "\n").replace(r"\t", "\t").split("\n"):
        before, there, _ = line.partition("@")
        if not there:
            lines.append(line)
            continue
        rest = before if before.strip() in ("", ">", "> >") else " " * len(before)
        lines += [before + block[0], *[rest + each for each in block[1:]]]
    return lines if depth == 0 else held(chance, lines, depth - 1)


def page(chance: Random) -> tuple[str, list[range]]:
    """A page with a wrong line at an odd place, beside good ones; and where its blocks are."""
    fences = chance.choice((FENCES, FENCES, OTHERS)).replace("\n", "|").split("|")
    number = chance.randrange(0, len(fences), 2)
    block = [fences[number], chance.choice(WRONG), fences[number + 1]]
    lines = held(chance, block, chance.choice((0, 0, 0, 1)))
    good = ["```bcastcli", "2,3 3", "```"]
    before = chance.choice(([], ["# A page", ""], [*good, ""], ["Text.", ""]))
    behind = chance.choice(([], ["", "Text."], ["", *good]))
    text = chance.choice(("\n", "\r\n")).join([*before, *lines, *behind, ""])
    first = len(before) + 1
    return text, [
        range(first + place, first + place + 3)
        for place, line in enumerate(lines)
        if LIKE_A_FENCE.search(line)
    ]


def test_what_is_not_read_is_reported(tmp_path: Path) -> None:
    """A block behind what looks like its fence is read, and its wrong line red, or reported."""
    chance = Random(f"{SEED} odd places")
    with chdir(tmp_path):
        for _ in range(many(1600)):
            text, blocks = page(chance)
            Path("a.md").write_bytes(text.encode())
            ended = run(["check", "--allow-empty", "a.md"])
            reported = {int(number) for number in re.findall(r"(?m)^a\.md:(\d+):", ended.out)}
            assert blocks, text
            for block in blocks:
                assert reported & {*block}, (text, ended)


@each_row(
    ("page", "sentence"),
    [
        (
            "- a\n\n      ```bcastcli\n      2 3\n",
            "3:7: this block is not read: it is inside indented code",
        ),
        (
            "<div>\n```bcastcli\n2 3\n```\n</div>\n",
            "2:1: this block is not read: it is inside HTML",
        ),
        (
            "!!! note\n\n    ```bcastcli\n    2 2\n    ```\n\n# Text\n\n    ```bcastcli\n    2 3\n",
            "9:5: this block is not read: it is inside indented code",
        ),
        (
            ":::{bcastcli}\n2 3\n:::\n",
            "1:1: this block is not read: a block of questions begins with ```bcastcli",
        ),
    ],
)
def test_why_a_block_is_not_read(page: str, sentence: str, tmp_path: Path) -> None:
    """The reason is where it is; its status is that of an invalid line, and no question failed."""
    (tmp_path / "a.md").write_text(page)
    with chdir(tmp_path):
        ended = run(["check", "--allow-empty", "a.md"])
    count = "1 question" if "2 2" in page else "0 questions"
    assert ended == (2, f"a.md:{sentence}\n", f"{count}, 0 failed, 1 not read\n")
    annotated = run(["check", "-f", "github", str(tmp_path / "a.md")])
    assert annotated.out.startswith("::error ")


def test_a_block_that_is_only_shown(tmp_path: Path) -> None:
    """One in a block of another language, or in a comment, is reported and fails nothing."""
    shown = "````markdown\n```bcastcli\n2 3\n```\n````\n<!-- ```bcastcli\n2 3\n``` -->\n"
    (tmp_path / "a.md").write_text(f"{shown}```bcastcli\n2 2\n```\n")
    with chdir(tmp_path):
        ended = run(["check", "a.md"])
        annotated = run(["check", "a.md", "-f", "github"])
    why = "this block is not read: it is inside a"
    said = f"a.md:2:1: {why} block of another language\na.md:6:6: {why} comment\n"
    assert ended == (0, said, "1 question, 0 failed, 2 not read\n")
    assert annotated.out.startswith("::notice file=a.md,line=2,col=1::this block is not read")


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
