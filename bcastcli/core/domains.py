"""Bounds of unknown sizes: whether numbers within them suffice, and what a size may then be.

An assignment gives names numbers. A negative one is *fresh*: any number that no clause mentions,
the same one wherever it appears.

Without bounds the lowest size that a name may take (0, or 1 under ncnn) changes no answer: a
condition mentions no number below it, and above the numbers mentioned there is always room.
"""

from collections.abc import Collection, Mapping, Sequence

Assignment = dict[str, int]
"""A number for each name; the negative ones represent numbers that no atom mentions."""

Bounds = tuple[int, int | None]
"""The least and the greatest number that a name may take; None: there is no greatest."""
Domains = Mapping[str, Bounds]
"""The bounds of names; a name that is not in it has none."""
UNBOUNDED: Domains = {}


def has_room(assignment: Assignment, numbers: Collection[int], domains: Domains) -> bool:
    """Return whether all names get numbers within their bounds: fresh ones differ from `numbers`.

    Of the classes of names with one fresh number, the one with the least upper bound chooses first.
    """
    for name, value in assignment.items():
        if value >= 0 and name in domains and not within(value, domains[name]):
            return False
    taken = set(numbers)
    classes = sorted(_classes(assignment, domains).values(), key=lambda bounds: bounds[1] or 0)
    for low, high in classes:
        while low in taken:
            low += 1
        if high is not None and low > high:
            return False
        taken.add(low)
    return True


def _classes(assignment: Assignment, domains: Domains) -> dict[int, Bounds]:
    """Return for each fresh number the bounds that all its names share, if any has an upper one."""
    classes: dict[int, Bounds] = {}
    for name, value in assignment.items():
        if value < 0:
            low, high = classes.get(value, (0, None))
            least, greatest = domains.get(name, (0, None))
            highs = [each for each in (high, greatest) if each is not None]
            classes[value] = max(low, least), min(highs, default=None)
    return {value: bounds for value, bounds in classes.items() if bounds[1] is not None}


def within(number: int, bounds: Bounds) -> bool:
    """Return whether a number lies within bounds."""
    low, high = bounds
    return low <= number and (high is None or number <= high)


def hull(
    assignments: Sequence[Assignment],
    values: Sequence[int],
    numbers: Collection[int],
    domains: Domains,
    lowest: int,
) -> Bounds:
    """Return the least and the greatest number that a size takes, given its value in each case.

    `numbers` are those that the clauses mention, `lowest` the least size of all.
    """
    lows: list[int] = []
    highs: list[int | None] = []
    for assignment, value in zip(assignments, values, strict=True):
        low: int = value
        high: int | None = value
        if value < 0:
            bounds = [
                domains.get(name, (lowest, None))
                for name, own in assignment.items()
                if own == value
            ]
            low = max(each[0] for each in bounds)
            while not _can_be(low, value, assignment, numbers, domains):
                low += 1
            high = min((each[1] for each in bounds if each[1] is not None), default=None)
            while high is not None and not _can_be(high, value, assignment, numbers, domains):
                high -= 1
        lows.append(low)
        highs.append(high)
    known = [high for high in highs if high is not None]
    return min(lows), max(known) if len(known) == len(highs) else None


def _can_be(
    number: int, value: int, assignment: Assignment, numbers: Collection[int], domains: Domains
) -> bool:
    """Return whether a fresh value can be a number, while all others keep to their bounds."""
    if number in numbers:
        return False
    others = {name: own for name, own in assignment.items() if own != value}
    return has_room(others, [*numbers, number], domains)
