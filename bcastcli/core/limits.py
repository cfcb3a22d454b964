"""What may be demanded of a result besides that the rule allows it."""

from math import prod

from bcastcli.core.amounts import elements
from bcastcli.core.answer import Answer, Limit, Reason
from bcastcli.core.shapes import written


def some_operand_keeps_its_shape(answer: Answer) -> Reason | None:
    """Refuse a result whose shape no operand has; a size that is not known counts as not 1."""
    if not answer.all_stretch:
        return None
    result = written(answer.allowed or ())
    return Reason("strict", f"every operand stretches: none of them has the shape {result}")


def at_most(limit: int) -> Limit:
    """Refuse a result of more elements than `limit`; a size that is not known counts as 1."""

    def few_elements(answer: Answer) -> Reason | None:
        result = answer.allowed or ()
        count = prod(size for size in result if isinstance(size, int))
        if count <= limit:
            return None
        text = (
            f"the result {written(result)} would hold {elements(count)} elements, "
            f"and at most {elements(limit)} are allowed"
        )
        return Reason("limit", text)

    return few_elements
