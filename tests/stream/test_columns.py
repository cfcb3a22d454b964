"""What is decided on columns of sizes alone, and what is left to be asked in full."""

from bcastcli.core.rule import Options
from bcastcli.rules import RULES
from bcastcli.stream.columns import Columns, texts_of
from tests.rows import each_row

ASKED_IN_FULL = None
RANKS = "mismatch: B 1,1,1 has 3 axes and A 2,3 has 2, and B must not have more"
PAST_THE_END = "mismatch: B 4 at axis 3 is past the end of A 2,3, which has 2 axes"
EMPTY = "mismatch: A has 0 on axis w (0, -2), and ncnn has no empty axes"
CLASHES = "mismatch: A has 4 and B has 3 on axis c (2, -1), and B must equal A's c there"
BOTH = "mismatch: A has 4 and B has 3 on axis 0 (-2), and neither is 1"
LABELLED = "mismatch: A has 4 and B has 2 on axis {}, and neither is 1"


@each_row(
    ("line", "shapes"),
    [
        ("2,3 3", [["2", "3"], ["3"]]),
        ("2,3  3", [["2", "3"], [""], ["3"]]),
        ("", [[""]]),
        ("[[2,3],[3]]", [["2", "3"], ["3"]]),
        ("[[2, 3], [3]]", [["2", "3"], ["3"]]),
        ('{"shapes": [[2,3],[3]]}', [["2", "3"], ["3"]]),
        ('{"shapes":[[2],[3]]}', [["2"], ["3"]]),
        ("[[]]", [[""]]),
        ('{"shapes": [[2]], "id": 1}', []),
        ('{"shapes": [[2],[3]]', []),
        ('{"Shapes": [[2],[3]]}', []),
        ("[[2],[3]", []),
        ("[2]", []),
        ("{[[2]]}", []),
        (f"{'2' * 198} 3", [["2" * 198], ["3"]]),
        (f"{'2' * 199} 3", []),
    ],
)
def test_texts(line: str, shapes: list[list[str]]) -> None:
    """A short line is cut into shapes and sizes, as typed or as JSON without other keys."""
    assert texts_of(line) == shapes


@each_row(
    ("rule", "options", "line", "answer"),
    [
        ("numpy", {}, "2,1 3", (True, "2,3")),
        ("numpy", {}, "[[2, 1], [3]]", (True, "2,3")),
        ("numpy", {}, "0 1", (True, "0")),
        ("numpy", {}, "5", (True, "5")),
        ("numpy", {}, "4,2 3,2", (False, BOTH)),
        *(("numpy", {}, line, ASKED_IN_FULL) for line in ("", "2 ", "N 3", "02 3", "() 2", "[[]]")),
        *(("numpy", {}, line, ASKED_IN_FULL) for line in ("2 3 N", "2,3 4,N", "²", "٣ 3", "-1 3")),
        ("pdpd", {}, "2,3 2,3 2", ASKED_IN_FULL),
        ("pdpd", {"axis": 1}, "2,3,4 3", (True, "2,3,4")),
        ("pdpd", {}, "2,3 1,1,1", (False, RANKS)),
        ("pdpd", {}, "2,3 N,1,1", ASKED_IN_FULL),
        ("pdpd", {"axis": 3}, "2,3 4", (False, PAST_THE_END)),
        ("explicit", {"axes": (0,)}, "2 2,3", ASKED_IN_FULL),
        ("explicit", {}, "2 2,3", ASKED_IN_FULL),
        ("ncnn", {}, "2,3,4 2", (True, "2,3,4")),
        ("ncnn", {"order": "numpy"}, "2,3,4 2", (True, "2,3,4")),
        ("ncnn", {}, "7,3,4 7,3", (False, f"{CLASHES}; axis h (1, -2) clashes as well")),
        ("ncnn", {}, "0,2 2", (False, EMPTY)),
        ("ncnn", {}, "2,3,4,5,6 2", (False, "mismatch: A has 5 axes, and ncnn has at most 4")),
        ("left", {}, "4,2 2", (False, LABELLED.format("0 (-2)"))),
    ],
)
def test_decided(rule: str, options: Options, line: str, answer: tuple[bool, str] | None) -> None:
    """Numbers are decided as an answer is written; all else, and other rules, is asked in full."""
    assert Columns(RULES[rule], options).answer(line) == answer


@each_row(("framework", "label"), [("Julia", "1"), ("", "0 (-2)"), ("LEFT", "0 (-2)")])
def test_words_of_a_framework(framework: str, label: str) -> None:
    """Axes are named as the framework does that is named in place of the rule."""
    answer = Columns(RULES["left"], {}, framework).answer("4,2 2")
    assert answer == (False, LABELLED.format(label))
