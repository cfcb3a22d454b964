"""What is said of sizes that clash, where no other axes help (rules/sizes.py)."""

import json

from bcastcli.advice.lines import advise
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.in_memory import run
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

SAID = [
    # Channels, last or third from the end.
    ("200,200,4 200,200,3", ALPHA),
    ("200,200,3 200,200,4", ALPHA),
    ("416,416,4 3", ALPHA),
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
