"""The command that explains error messages: what it shows, and what it does not claim."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bcastcli.why.messages import Fault, Message, Reading
from tests.effort import many
from tests.examples import EXAMPLES
from tests.in_memory import run
from tests.rows import each_row, keep
from tests.why.test_reader import read

NUMPY = "ValueError: operands could not be broadcast together with shapes (2,3) (2,) "
TORCH = (
    "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at "
    "non-singleton dimension 1"
)
LETTERS = "ValueError: Incompatible dim 1 in shapes (2, 3) vs. (1, is14)"
FITS = "operands could not be broadcast together with shapes (2,3) (3,)"
CONCAT = "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 2"
WORDS = {
    name: f"{name} got incompatible shapes for broadcasting: (3, 3), (4, 3)."
    for name in ("add", "sub", "mul", "div", "pow", "max")
} | {
    "size of tensor": TORCH,
    "mat1 and mat2": "mat1 and mat2 shapes cannot be multiplied (32x3136 and 512x10)",
    "sizes of tensors": (
        "Sizes of tensors must match except in dimension 1. Expected size 3 but got size 4 for "
        "tensor number 1 in the list."
    ),
}
"""Messages of JAX and PyTorch by their first words, in answers.txt."""
RUN = "to see the shapes, use bcastcli run FILE"
TEXTS = [
    text for message, found in EXAMPLES.items() if type(message) is Message for text, _ in found
]
FAULTS = [text for message, found in EXAMPLES.items() for text, _ in found if message.kind]


def records(text: str) -> list[dict[str, Any]]:
    """Return the objects that a text is explained by."""
    lines = run(["why", "--json", "-"], text.encode()).out.splitlines()
    return [json.loads(line) for line in lines]


def test_shapes() -> None:
    """A message with shapes gets the answer of its rule's command, below the message."""
    own = run(["numpy", "2,3", "2"])
    typed = run(["why"], NUMPY.encode(), typing=True, terminal=True)
    message = "NumPy: operands could not be broadcast together with shapes (2,3) (2,)\n"
    assert run(["why", NUMPY]) == (own.status, message + own.out, "")
    assert re.fullmatch("paste the message, .+\n", typed.err)
    assert typed.out.startswith(message)


def test_answers(pytestconfig: pytest.Config) -> None:
    """Each message of answers.txt has these notes, this to write instead, and this answer."""
    keep(Path(__file__).with_name("answers.txt"), pytestconfig, answer)


def answer(line: str) -> Iterator[str]:
    """Yield what is shown of a line of answers.txt below the table; `#` begins a promise.

    Nothing is, where a text has no message; that `run` sees the shapes is left out.

    `SOURCE >> MESSAGE` is a traceback, with frames of PyTorch between these as `linear.forward`. Of
    it only a first note is shown, and none on the message alone.
    """
    *above, message = line.split(" >> ")
    text = WORDS.get(message, message.replace("\\n", "\n"))
    if above:
        source, *calls = above
        frames = "".join(map(frame, calls))
        text = f'  File "train.py", line 8, in step\n    {source}\n{frames}{text}'
    if line.startswith("#"):
        return
    shown = run(["why", "-"], text.encode()).out.splitlines()
    notes = [each for each in shown[1:-1] if each.startswith(("note ", "try "))]
    notes = [each for each in notes if not each.endswith(RUN)]
    yield from [each for each in notes[:1] if "  the message" not in each] if above else notes
    yield from shown[-1:]


def frame(name: str) -> str:
    """Return a frame of PyTorch by its module's last name and its function."""
    module, function = re.split("[.:]", name)
    path = f"/venv/torch/{'' if len(module) == 1 else 'nn/modules/'}{module}.py"
    if ":" in name:  # of Windows
        path = path.replace("/", "\\")
    return f'  File "{path}", line 9, in {function}\n    pass\n'


@each_row(
    ("text", "status"),
    [
        (NUMPY, 1),
        (TORCH, 1),
        ("sub got incompatible shapes for broadcasting", 1),
        (LETTERS, 3),
        ("operands could not be broadcast together with shapes (2,3) (4", 3),
        (FITS, 0),
        (f"{FITS}\n{LETTERS}", 3),
        (f"{FITS}\n{LETTERS}\n{TORCH}", 1),
        (CONCAT, 2),
        (f"{CONCAT}\n{NUMPY}", 1),
        ("all is well", 2),
    ],
)
@each_row("option", ["--color=never", "--plain", "--json", "-q"])
def test_status(text: str, status: int, option: str) -> None:
    """The status says what was found, in every format."""
    assert run(["why", option, text]).status == status
    assert run(["why", option], text.encode()).status == status


def test_many() -> None:
    """Only twenty are shown; how many more there are is said, of a long text too."""
    text = "".join(NUMPY.replace("(2,)", f"({size},)") + "\n" * 9000 for size in range(4, 34))
    out = run(["why"], text.encode()).out
    assert out.count("NumPy: ") == 20
    assert out.endswith("20 messages explained, and 10 more\n")


def test_privacy(tmp_path: Path) -> None:
    """Nothing but the text is read: no file of a traceback, no framework, no network."""
    file = tmp_path / "my_script.py"
    file.write_text("secret = 1\n")
    text = f'  File "{file}", line 1, in <module>\n{NUMPY}'
    program = (
        "import sys\n"
        "from bcastcli.__main__ import run\n"
        "opened = []\n"
        "def hook(event, arguments):\n"
        "    is_file = event == 'open' and 'my_script' in str(arguments[0])\n"
        "    if is_file or event.startswith('socket.'):\n"
        "        opened.append((event, arguments))\n"
        "sys.addaudithook(hook)\n"
        "sys.argv = ['bcastcli', 'why', sys.stdin.read()]\n"
        "try:\n"
        "    run()\n"
        "finally:\n"
        "    assert not opened, opened\n"
        "    assert not {'numpy', 'torch', 'jax', 'onnx', 'tensorflow'} & {*sys.modules}\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], input=text, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (1, "")


PIECES = (
    *("", "\n", "\r", "\x1b[31m", "\x1b", "\\x1b[0m", "(", ")", "[", "]", ",", "9" * 30),
    *("-1", "?", "None", "\x07", "\x9b", "\u202e", "�", "İ", "x"),
)


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with a few of its characters changed, moved, doubled or left out."""
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(text) + 1)
        end = min(len(text), place + chance.randrange(12))
        piece = chance.choice((*PIECES, text[place:end] * 2))
        text = text[:place] + piece + text[end:]
    return text


def test_mutated() -> None:
    """Whatever is done to a message, there is an answer, and no control character in it."""
    chance = random.Random("why")
    for _ in range(many(10_000)):
        text = mutated(chance.choice(TEXTS + FAULTS), chance)
        option = chance.choice(("--color=never", "--plain", "--json"))
        ended = run(["why", option, "-"], text.encode("utf-8", "surrogatepass"))
        assert ended.status in range(4)
        shown = set(ended.out + ended.err) - {"\n", "\t"}
        assert all(character.isprintable() for character in shown), text


def test_no_more_than_the_text() -> None:
    """No number is claimed that the text does not have."""
    for text in TEXTS:
        for reading in read(text):
            assert isinstance(reading, Reading)
            shapes = reading.shapes or ()
            sizes = [size for shape in shapes for size in shape] + list(reading.sizes or ())
            for size in sizes:
                added = size in (0, 1) and ("newaxis" in text or "0 by 0" in text)
                assert size == "?" or added or str(size) in text


def test_no_more_figures_than_the_text() -> None:
    """No figure of a fault is claimed that the text does not have, and some are in what is said."""
    for text in FAULTS:
        [said] = read(text)
        assert isinstance(said, Fault)
        shown = said.text + said.text.replace(",", "")  # thousands
        figures, whole, told = (
            {*re.findall(r"\d+", each.replace("newaxis", "-1"))}
            for each in (str([*said.figures.values()]), text, shown)
        )
        assert figures <= whole, text
        assert bool(figures) == bool(figures & told), text


def test_a_fault_is_four_lines_of_a_terminal() -> None:
    """The screen of a fault fits into four lines of 80 columns, whatever is known of it."""
    for text in FAULTS:
        lines = run(["why", "-"], text.encode()).out.splitlines()
        assert sum(-(-len(line) // 80) for line in lines) <= 4, lines
