"""What a word or an option may mean: commands by other names, shapes that look like options."""

import re
import shlex

from bcastcli.cli.main import main
from bcastcli.cli.words import GONE
from bcastcli.rules import names
from bcastcli.rules.frameworks import WITHOUT_A_RULE
from tests.command_lines import MALFORMED, Output, complaint
from tests.in_memory import run
from tests.rows import each_row


@each_row(
    ("word", "rule"), [*names().items(), ("PyTorch", "numpy"), ("JAX", "numpy"), ("NumPy", "numpy")]
)
def test_a_framework_s_name(capsys: Output, word: str, rule: str) -> None:
    """A framework's name in front answers as its rule does; Julia's like count axes from 1."""
    statuses, answers = [], []
    for name in (word, rule):
        axes = ["--axes", "0,1"] if rule == "explicit" else []
        statuses.append(main([name, "-p", "3,4", "4", *axes]))
        answers.append(capsys.readouterr().out)
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0].replace("axis 1,", "axis 0 (-2),") == answers[1]


@each_row("word", [*WITHOUT_A_RULE, "XArray"])
def test_a_framework_without_a_rule(capsys: Output, word: str) -> None:
    """What is known of it is said wherever a rule is named, and no other command is proposed."""
    for arguments in ([word, "3,4", "4"], ["rules", word], ["compare", "--rules", word, "3", "3"]):
        error = complaint(capsys, arguments)
        assert WITHOUT_A_RULE[word.lower()] in error
        assert "did you mean" not in error


@each_row(
    ("line", "hint"),
    [
        ("numpy Add 1,56 56", "op Add 1,56 56"),
        ("numpy torch 2,3 3", "torch 2,3 3"),
        ("numpy net.onnx", "model net.onnx"),
        ("numpy x.onnx 3", "model x.onnx"),
        ("numpy 'The size of tensor a (3)'", "why 'The size of tensor a (3)'"),
        ("numpy 'Incompatible shapes: [2] vs. [4]'", "why 'Incompatible shapes: [2] vs. [4]'"),
        ("trch 3,4 3", "torch 3,4 3"),
        ("mm 3,4 4", "op MatMul 3,4 4"),
        ("q.txt", "< q.txt"),
        ("slides", "help teaching"),
        ("numpy 2,3 vs 3", ""),
        ("numpy hidden 3", ""),
        ("xyzzy 3,4", ""),
    ],
)
def test_hints(line: str, hint: str) -> None:
    """What is no question leads to the command that is meant, if one is known."""
    ended = run(shlex.split(line), typing=True)
    assert (ended.status, ended.out) == (2, "")
    assert re.findall(r": bcastcli (.+)\n", ended.err) == ([hint] if hint else [])


def test_hints_to_a_stream() -> None:
    """The first lines of a stream that need a hint get one."""
    assert run(["numpy"], b"Add 2 3\n" * 100).err.count("did you mean: bcastcli op Add 2 3") == 20
    assert "did you mean: " not in run(["op", "-"], b"None,2 3\n").err
    for length, count in ((200, 1), (201, 0)):
        line = f"Add 2 {'2' * (length - 6)}\n".encode()
        assert run(["numpy"], line).err.count("did you mean: ") == count


@each_row("name", GONE)
def test_a_name_that_is_gone(name: str) -> None:
    """However it is spelled, one sentence says what to use instead; the status is 2."""
    command, instead = GONE[name]
    spellings = [name.split()]
    if name.startswith("-f "):
        form = name.removeprefix("-f ")
        spellings += [[f"-f{form}"], ["--format", form], [f"--format={form}"]]
    for words in spellings:
        ended = run([command or "compare", *words, "3", "3"])
        assert ended == (2, "", f"bcastcli: {f'{command} {name}'.strip()} is gone: {instead}\n")
