"""What dask is asked."""

from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, other, target

FRAMEWORK = PACKAGE = "dask"


def _da() -> Any:
    return engine("dask.array")


def _ones(shape: Shape) -> Any:
    return _da().ones(shape)


CASES: tuple[Case, ...] = (
    both("+", lambda a, b: _ones(a) + _ones(b), empty=False, ranks=(2, 3)),
    both("maximum", lambda a, b: _da().maximum(_ones(a), _ones(b)), empty=False, ranks=(2, 3)),
    both(
        "where",
        lambda c, a, b: _da().where(_ones(c) > 0, _ones(a), _ones(b)),
        operands=3,
        empty=False,
        ranks=(2, 3),
    ),
    target("broadcast_to", lambda a, b: _da().broadcast_to(_ones(b), a)),
    other(
        "concatenate", lambda a, b: _da().concatenate([_ones(a), _ones(b)]), "concat", ranks=(1, 2)
    ),
    other("reshape", lambda a, b: _ones(a).reshape(b), "reshape", ranks=(1, 2)),
    alone("a[99]", lambda a: _ones(a)[99], "index", ranks=(1, 2)),
    alone("sum", lambda a: _ones(a).sum(axis=7), "index"),
)

UNWRITTEN: dict[str, str] = {}
