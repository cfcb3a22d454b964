"""Sizes to suggest for open ones: unequal, greater than 1, and tried before they are shown."""

from collections.abc import Callable
from itertools import chain, zip_longest

from bcastcli.core.shapes import written
from bcastcli.model.findings import Findings, Verdict
from bcastcli.model.nodes import Given, Model, ModelError
from bcastcli.model.sizes import proposals
from bcastcli.model.summary import outcome


def tried(
    findings: Findings, ask: Callable[[Given], Findings], judge: Callable[[Model], Findings]
) -> Findings:
    """Return findings with sizes to try, and why the model stops with others that were tried.

    `ask` returns what is found with these sizes, `judge` what is found of a model.
    """
    model = findings.model
    wanted = {
        str(name): size
        for each in findings.nodes
        if each.verdict is Verdict.DEPENDS and each.answer
        for name, size in chain.from_iterable(each.answer.condition)
        if name in model.sizes and isinstance(size, int) and size > 1
    }
    asked = list(proposals(model, wanted))
    if not asked:
        return findings
    findings = findings._replace(proposal=typed(asked[0]))
    if findings.status == 1 or model.format != "onnx":
        return findings
    is_shown = any(each.verdict is Verdict.DEPENDS for each in findings.nodes)
    stopped: list[tuple[str, str]] = []
    for proposal, known in zip_longest(asked, () if wanted else model.tried):
        try:
            found = judge(known) if known else ask(proposal)
        except ModelError:  # these sizes cannot be judged
            break
        if not found.fails:
            return findings._replace(proposal=typed(proposal), would_stop=stopped)
        stopped += [] if is_shown else [(typed(proposal), outcome(found))]
    return findings._replace(would_stop=stopped)


def typed(proposal: Given) -> str:
    """Return sizes as they are typed: `batch=2 x=3,4`."""
    return " ".join(f"{name}={written(shape)}" for name, shape in proposal.items())
