"""What pandas is asked, and SciPy, scikit-learn and xarray, which are installed with it."""

from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, product, refused
from tests.engines.messages.numpy import np, ones

FRAMEWORK = PACKAGE = "pandas"

_MODULES = {
    "scipy": "linalg interpolate signal sparse spatial stats optimize ndimage",
    "sklearn": "cluster decomposition linear_model metrics model_selection neighbors preprocessing",
}


@cache
def _names() -> dict[str, Any]:
    parts = {
        part: engine(f"{package}.{part}")
        for package, words in _MODULES.items()
        for part in words.split()
    }
    return {**parts, "np": np, "pd": engine("pandas"), "xr": engine("xarray")}


def _dot(a: Any, b: Any) -> None:
    frame = engine("pandas").DataFrame
    frame(ones(a)).dot(ones(b))


CASES: tuple[Case, ...] = (
    product("dot", _dot, exact=(2, 2), empty=False),
    *refused("pandas", _names, ones),
)

UNWRITTEN: dict[str, str] = {}
