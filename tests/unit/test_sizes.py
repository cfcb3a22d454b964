"""What is said of sizes that clash, where no other axes help (rules/sizes.py)."""

import json

from bcastcli.analysis.advice import advise
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row

NONE = "no reshape or transpose lines these up: make them equal on"
NO = "no reshape lines these up:"
MIXED = "only a reshape that mixes axes would line these up:"
OFTEN = "(often padding, stride or a slice)"
ALPHA = "4 and 3: often an image with an alpha channel and one without"

SAID = [
    # Channels, last or third from the end.
    ("200,200,4 200,200,3", ALPHA),
    ("200,200,3 200,200,4", ALPHA),
    ("416,416,4 3", ALPHA),
    ("8,3,32,32 8,4,32,32", ALPHA),
    ("8,3,32,32 1,4,1,1", ALPHA),
    ("2,2,4 2,2,3", f"{NONE} axis 2 (crop, pad or resize)"),
    ("32,32,4 32,32,5", f"{NONE} axis 2 (crop, pad or resize)"),
    ("4,32,32,32 3,32,32,32", f"{NONE} axis 0 (crop, pad or resize)"),
    ("4 3,32,32,32", f"{NONE} axis 3 (crop, pad or resize)"),
    # Off by one or two.
    ("1,64,32,32 1,64,33,33", f"{NO} 32 and 33 differ by 1 on axes 2 and 3 {OFTEN}"),
    ("A=1,64,32,64 B=1,64,33,65", f"{NO} A and B differ by 1 on axes 2 and 3 {OFTEN}"),
    ("100 98", f"{NO} 100 and 98 differ by 2 on axis 0 {OFTEN}"),
    ("100 97", f"{NONE} axis 0 (crop, pad or resize)"),
    ("32,32 33,35", f"{NONE} axes 0 and 1 (crop, pad or resize)"),
    ("7 6", f"{NONE} axis 0 (crop, pad or resize)"),
    # A multiple.
    ("540,960,3 1080,1920,3", f"{NO} B is twice A on axes 0 and 1"),
    ("x=1,1,768,1024 y=1,1,96,128", f"{NO} x is 8 times y on axes 2 and 3"),
    ("231 77", f"{NO} 231 is 3 x 77"),
    ("1,4096 1,1024", f"{NO} 4,096 is 4 x 1,024"),
    ("56,56 896,896 896,896", f"{NO} B is 16 times A on axes 0 and 1"),
    ("8,1 16,16 1,8", f"{NONE} axes 0 and 1 (crop, pad or resize)"),
    ("8 520", f"{NONE} axis 0 (crop, pad or resize)"),
    ("16,32 32,16", None),
    ("540,960 1080,480", "both have 518,400 elements, in another arrangement"),
    ("12,4 16,3", "both have 48 elements, in another arrangement"),
    ("2,3,4 12,2", "both have 24 elements, in another arrangement"),
    # Axes that were to be one.
    ("?,784 4,28,28", "the 28 x 28 of B are the 784 of A: flatten"),
    ("4,1,28,28 N,784", "the 28 x 28 of A are the 784 of B: flatten"),
    ("5,784 4,28,28", f"{NONE} axes 1 and 2 (crop, pad or resize)"),
    ("?,128 4,32", f"{MIXED} 128 is 4 x 32"),
    # No axis takes another one's place.
    ("1,77,768 1,154,768", f"{NO} 154 is 2 x 77"),
    ("1,64,56,56 1,32,56,56", f"{NO} 64 is 2 x 32"),
    # A reshape would fit, but for what the axes mean.
    ("1,8,2048,2048 2,1,1,1024", f"{MIXED} 2,048 is 2 x 1,024"),
    ("6,8,2 4,3", f"{MIXED} rather make them equal on axes 1 and 2 (crop, pad or resize)"),
    ("0,4 0,3", f"{NONE} axis 1 (crop, pad or resize)"),
    # Nothing in particular; the axes are named, or counted.
    ("3 5", f"{NONE} axis 0 (crop, pad or resize)"),
    ("2,4,6 3,5,7", f"{NONE} axes 0, 1 and 2 (crop, pad or resize)"),
    (",".join("2" * 20) + " " + ",".join("3" * 20), f"{NONE} 20 axes (crop, pad or resize)"),
    ("N,3 M,4", f"{NONE} axis 1 (crop, pad or resize)"),
    ("2..3 5..9", f"{NONE} axis 0 (crop, pad or resize)"),
]


@each_row(("line", "said"), SAID)
def test_what_is_said(line: str, said: str | None) -> None:
    """One sentence, by arithmetic alone, in the core as on the command line and in JSON."""
    answer = answer_line(RULES["numpy"], line, {})
    assert answer.ok is False
    note = advise(answer).note
    assert (note and note.text) == said
    notes = json.loads(run(["numpy", "--json", *line.split()]).out)["notes"]
    assert [each["text"] for each in notes if each["kind"] == "sizes"] == ([said] if said else [])
    assert (
        (f"note  {said}\n" in " ".join(run(line.split()).out.split("          ")))
        or not said
        or (f" {said}\n" in run(line.split()).out)
    )


@each_row(
    ("asked", "said"),
    [
        ("op MatMul 32,2348 300,10", "it was made for 300 features and got 2,348"),
        ("op MatMul 64,3136 784,128", "made for 784 features and got 3,136: 3,136 is 4 x 784"),
        ("op Gemm 64,784 3136,10", "made for 3,136 features and got 784: 3,136 is 4 x 784"),
        ("op MatMul 8,3,4 5,4,6", f"{NONE} axis 0 (crop, pad or resize)"),
        ("op MatMul 64,3,4 32,4,6", f"{NONE} axis 0 (crop, pad or resize)"),
        ("onnx-uni 2,1 1,3", f"{NONE} axis 1 (repeat the 1)"),
        ("onnx-uni 3,N N,2", f"{NONE} axes 0 and 1 (crop, pad or resize)"),
        (
            ["why", "output with shape [1, 8] doesn't match the broadcast shape [4, 8]"],
            f"{NONE} axis 0 (repeat the 1)",
        ),
        ("bidirectional 6,5 4,3", f"{NONE} axes 0 and 1 (crop, pad or resize)"),
        ("onnx-uni 12,4 16,3", "both have 48 elements, in another arrangement"),
        ("onnx-uni 3 5,4", f"{NONE} axis 1 (crop, pad or resize)"),
        ("ncnn 0,2 2", "A has 0 and B has 2 elements"),
        ("ncnn 2,3,4,5,6 2", "only fewer axes help: drop those of size 1, or merge neighbours"),
        ("same-rank 2,1 3", "A has 2 and B has 3 elements"),
        ("same-rank N,1 M", "A has N and B has M elements"),
        ("2,1 1,3 --strict", "A has 2 and B has 3 elements"),
        ("pdpd 2,3 4 --axis 5", "A has 6 and B has 4 elements"),
    ],
)
def test_of_products_and_ranks(asked: str | list[str], said: str) -> None:
    """A product has its inner sizes, and operands whose sizes do not clash their elements."""
    words = asked.split() if isinstance(asked, str) else asked
    notes = json.loads(run([*words, "--json"]).out)["notes"]
    [text] = [each["text"] for each in notes if each["kind"] == "sizes"]
    assert said in text


@each_row("asked", ["2,3 3", "N,4 3,4", "3,4 3", "4,4 --max-elements 5"])
def test_nothing_is_said(asked: str) -> None:
    """Nothing is said of sizes that fit or depend, where a line helps, or of a limit."""
    notes = json.loads(run(["numpy", *asked.split(), "--json"]).out)["notes"]
    assert "sizes" not in {each["kind"] for each in notes}
