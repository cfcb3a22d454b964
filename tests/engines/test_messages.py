"""Each framework's own fresh messages are read rightly, and nothing is claimed of its others."""

from collections.abc import Iterator
from random import Random

import pytest

from bcastcli.why.messages import Message, Reading, catalogue
from bcastcli.why.messages.reading import Found
from tests import effort
from tests.effort import SEED, many
from tests.engines.judging import engine, fresh, has, judged
from tests.engines.messages.cases import CASES, UNWRITTEN, Case, Given, asked
from tests.engines.messages.judging import complaint

FRAMEWORKS = ("numpy", "onnx", "onnxruntime", "openvino", "torch", "jax", "pandas")
BY_HAND = {
    "tensorflow": "tensorflow",
    "paddle": "paddle",
    "mlx": "mlx.core",
    "dask": "dask",
    "coreml": "coremltools",
}
"""The packages of those that are asked where they are installed, or all are required."""
UNTRIED = {
    "cupy": "it needs a graphics card",
    "tensorrt": "it needs a graphics card",
    "mxnet": "its last release needs an older NumPy than the rest",
    "julia": "it is no Python package",
    "scipy": "its examples are what SciPy 1.17 printed when they were added",
    **dict.fromkeys(("numba", "pytensor", "tflite", "r", "octave"), "each was read by hand"),
    **dict.fromkeys(("migraphx", "mindspore"), "their examples are made from their sources"),
    "tinygrad": "it writes them with its Python device only",
    "tvm": "its newest release lacks the operators that wrote them",
}
"""The frameworks that are not asked, and why."""
SHARE_WITH = {"keras": "tensorflow"}
"""The framework that another one's messages come from."""
TEXTS = 20
"""How many texts of each case a thorough run reads; of one that takes long, an eighth."""
TRIES = 12
"""How many calls are made at most for each text, and for three more: some shapes broadcast."""
ROUNDS = 8
"""How often all of it is done at most, until the rare messages were written."""


@pytest.fixture
def provoked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The patterns of the messages that are read during a test, as they come."""
    patterns: set[str] = set()
    read = Message.read

    def noted(self: Message, found: Found) -> object:
        said = read(self, found)
        if isinstance(said, Reading):
            patterns.add(self.pattern)
        return said

    monkeypatch.setattr(Message, "read", noted)
    return patterns


@pytest.mark.parametrize("name", [*FRAMEWORKS, *filter(lambda name: has(BY_HAND[name]), BY_HAND)])
def test_fresh_messages(name: str, provoked: set[str]) -> None:
    """A message is read as what was given; each that is known was written, or is listed."""
    engine(BY_HAND.get(name, name))
    chance = fresh(f"messages {name}")
    known = {
        message.pattern
        for message in catalogue().messages
        if SHARE_WITH.get(message.framework, message.framework) == name
    }
    listed = {pattern for words in UNWRITTEN[name] for pattern in known if words in pattern}
    for _ in range(ROUNDS):
        _judge(name, chance)
        # A quick run reads too few texts for the rare ones.
        if not effort.thorough or known - provoked <= listed:
            break
    if effort.thorough:
        assert known - provoked == listed


def _judge(name: str, chance: Random) -> None:
    """Compare how a framework's fresh messages are read with what it was given."""
    wrong: list[str] = []
    never: list[str] = []
    for case in CASES[name]:
        texts = 0
        for given in _asked(case, chance):
            texts += 1
            said = complaint(given)
            if said:
                shown = given.text.strip()[-600:]
                wrong.append(f"{case.statement} of {given.shapes}: {said}\n{shown}")
        judged[name] += texts
        if not texts:
            never.append(case.statement)
    shown = "\n\n".join(wrong[:10])
    assert not wrong, f"{len(wrong)} wrong of {judged[name]}, BCASTCLI_SEED={SEED}:\n{shown}"
    assert not never, f"nothing was written, BCASTCLI_SEED={SEED}"


def _asked(case: Case, chance: Random) -> Iterator[Given]:
    """Yield what a framework wrote, until there are enough texts."""
    wanted = -(-many(TEXTS) // 8) if "slow" in case.words else many(TEXTS)
    for _ in range(TRIES * (wanted + 3)):
        given = asked(case, chance)
        if given:
            yield given
            wanted -= 1
        if not wanted:
            return


def test_every_framework_is_asked() -> None:
    """Each framework of the catalogue is asked for its messages, or is listed with the reason."""
    known = {message.framework for message in catalogue().messages if message.framework}
    asked_for = {*FRAMEWORKS, *BY_HAND, *UNTRIED, *SHARE_WITH}
    assert known == asked_for - {"pandas"}  # its messages are faults
