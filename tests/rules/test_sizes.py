"""The likely cause of sizes that clash, where no other axes help (rules/sizes.py)."""

from bcastcli.advice.lines import advise
from bcastcli.operators.lines import ask
from bcastcli.rules import RULES
from tests.rows import each_row

NONE = "no reshape helps: {} must have one size"
CROP = NONE + " (crop, pad or resize)"
CROP_EACH = NONE + " each (crop, pad or resize)"
STILL = "{} must have one size (crop, pad or resize)"
"""What is said where a transposition would make an outer product."""
NO = "no reshape helps:"
EMPTY = "{} has 0 on axis {}: a mask or slice that selects nothing, or an empty batch"
OFTEN = "(often padding, stride or a slice)"
ALPHA = "4 and 3: often an image with an alpha channel and one without"
LINEAR = "if this is a linear layer, it was made for {} and got {}"
SAMPLE = ": 1,120 is 28 x 40, so x is one sample"

SENTENCES = [
    # Channels, last or third from the end.
    ("200,200,4 200,200,3", ALPHA),
    ("200,200,3 200,200,4", ALPHA),
    ("416,416,4 3", ALPHA),
    ("2,32,32,4 2,32,32,3", ALPHA),
    ("2,4,32,8 2,3,32,8", ALPHA),
    ("2,3,7,32 2,4,7,32", CROP.format("axis 1")),
    ("8,3,32,32 8,4,32,32", ALPHA),
    ("8,3,32,32 1,4,1,1", ALPHA),
    ("2,2,4 2,2,3", CROP.format("axis 2")),
    ("32,32,4 32,32,5", CROP.format("axis 2")),
    ("4,32,32,32 3,32,32,32", CROP.format("axis 0")),
    ("4 3,32,32,32", NONE.format("axis 3")),
    # Off by one or two.
    ("1,64,32,32 1,64,33,33", f"{NO} 32 and 33 differ by 1 on axes 2 and 3 {OFTEN}"),
    ("A=1,64,32,64 B=1,64,33,65", f"{NO} A and B differ by 1 on axes 2 and 3 {OFTEN}"),
    ("100 98", f"{NO} 100 and 98 differ by 2 on axis 0 {OFTEN}"),
    ("1,100 1,97", STILL.format("axis 1")),
    ("32,32 33,35", CROP_EACH.format("axes 0 and 1")),
    ("1,7 1,6", STILL.format("axis 1")),
    # A multiple.
    ("540,960,3 1080,1920,3", f"{NO} B is twice A on axes 0 and 1"),
    ("x=1,1,768,1024 y=1,1,96,128", "x is 8 times y on axes 2 and 3"),
    ("231 77", f"{NO} 231 is 3 x 77"),
    ("1,4096 1,1024", "4,096 is 4 x 1,024"),
    ("56,56 896,896 896,896", f"{NO} B is 16 times A on axes 0 and 1"),
    ("8,1 16,16 1,8", NONE.format("axes 0 and 1") + " each"),
    ("1,8 1,520", "axis 1 must have one size"),
    ("16,32 32,16", None),
    ("540,960 1080,480", "both have 518,400 elements, arranged differently"),
    ("12,4 16,3", "both have 48 elements, arranged differently"),
    ("2,3,4 12,2", "both have 24 elements, arranged differently"),
    # Axes that were to be one: a reshape that mixes axes would fit, and is not denied.
    ("5,784 4,28,28", NONE.format("axes 1 and 2") + " each"),
    ("32,784 32,28,28", "both have 25,088 elements, arranged differently"),
    ("?,128 4,32", "128 is 4 x 32"),
    # No axis takes another one's place.
    ("1,77,768 1,154,768", "154 is 2 x 77"),
    ("1,64,56,56 1,32,56,56", "64 is 2 x 32"),
    # A reshape would fit, but for what the axes mean.
    ("1,8,2048,2048 2,1,1,1024", "2,048 is 2 x 1,024"),
    ("6,8,2 4,3", "axes 1 and 2 must have one size each"),
    ("0,4 0,3", CROP.format("axis 1")),
    # Nothing in particular; the axes are named, or counted.
    ("1,3 1,5", STILL.format("axis 1")),
    ("2,4,6 3,5,7", CROP_EACH.format("axes 0, 1 and 2")),
    (",".join("2" * 20) + " " + ",".join("3" * 20), CROP_EACH.format("20 axes")),
    ("3,4 3,2", NONE.format("axis 1")),
    # A size of 0, whatever the other is.
    ("0,4 3,4", EMPTY.format("A", 0)),
    ("2,4 0,4 0,3", EMPTY.format("B", 0)),
    ("?,2,0 6,0", "axis 1 must have one size"),
    # Of more than four operands not every way is tried.
    ("4 5 6 7 8", "found no reshape of one operand that helps: axis 0 must have one size"),
    ("N,3 M,4", STILL.format("axis 1")),
    ("7,6,3 7,6,4", CROP.format("axis 2")),
    ("4,8,9,N 3,8,9,N", STILL.format("axis 0")),
    ("N,8 M,10", f"8 and 10 differ by 2 on axis 1 {OFTEN}"),
    ("9,9 8,10", f"{NO} A and B differ by 1 on axes 0 and 1 {OFTEN}"),
    ("100,64 98,64 98,64", f"100 and 98 differ by 2 on axis 0 {OFTEN}"),
    ("64 4160", None),
    # Every pair is the answer for vectors of other sizes.
    ("8 12", None),
    ("1,5 6,7", CROP.format("axis 1")),
    # Ranks that differ, under the rules that need others.
    ("none 2,3 4", "A has one axis too many: index it or sum over it"),
    ("none 1,3 4", "A has one axis too many: index it, sum over it or squeeze it"),
    ("none 1,1,4 5", "A has 2 axes too many: index them, sum over them or squeeze them"),
    ("none 1,3,4 5", "A has 2 axes too many: index them or sum over them"),
    ("none 2,3 2,3 4", "A and B have one axis too many: index them or sum over them"),
    ("onnx-uni 3 5,6,4", "B has 2 axes too many: index them or sum over them"),
    ("same-rank 2,3 2", None),
    ("none N,N 3,4", "axes 0 and 1 must have one size each"),
    ("pdpd 2,3 4 axis=7", None),
    # The axes and the operands by their names; a target is never cropped.
    ("ncnn 2,0 3,0", EMPTY.format("A", "h")),
    ("ncnn 540,960 1080,1920", f"{NO} B is twice A on axes w and h"),
    ("ncnn 2,3,4,5,6 2", None),
    ("bidirectional 3,10 3,24", NONE.format("axis 1")),
    ("Gemm 2,3 3,4 5", "axis 1 must have one size"),
    # The inner sizes of a matrix product.
    ("MatMul 8,3 4,5", LINEAR.format("4 features", 3)),
    ("MatMul 8,6 3,4", LINEAR.format("3 features", 6) + ": 6 is 2 x 3"),
    ("MatMul 8,1 3,4", LINEAR.format("3 features", 1)),
    ("MatMul 8,3 1,4", LINEAR.format("1 feature", 3)),
    ("MatMul 1200 1,4", LINEAR.format("1 feature", "1,200")),
    ("MatMul 3,4 12,2", LINEAR.format("12 features", 4) + ": 12 is 3 x 4, so A is one sample"),
    ("MatMul x=1,28,40 1120,2", LINEAR.format("1,120 features", 40) + SAMPLE),
    ("MatMul 0,2,3 0,4", LINEAR.format("0 features", 3)),
    ("MatMul N,4 12,2", LINEAR.format("12 features", 4) + ": 12 is 3 x 4"),
]


@each_row(("line", "sentence"), SENTENCES)
def test_likely_causes(line: str, sentence: str | None) -> None:
    """One sentence, by arithmetic alone, where no line keeps the shape of an operand."""
    answer = ask(line, RULES["numpy"])
    assert answer.ok is False
    note = advise(answer).note
    assert (note and (note.kind, note.text)) == (sentence and ("sizes", sentence))
