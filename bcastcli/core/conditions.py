"""Conditions over unknown sizes, under which an answer is yes.

An unknown size is a name, the same integer wherever it appears. An *atom* states that a name equals
another name or a number, a *clause* that one of its atoms holds, a *condition* that all of its
clauses do. So `()` always holds, and a condition with an empty clause never does.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

Assignment: TypeAlias = dict[str, int]
"""A number for each name; the negative ones represent numbers that no atom mentions."""
Atom: TypeAlias = tuple[str, int | str]
Clause: TypeAlias = tuple[Atom, ...]
Condition: TypeAlias = tuple[Clause, ...]

ALWAYS: Condition = ()
NEVER: Condition = ((),)

# Beyond these limits, simplifying a condition could take longer than a person waits.
MAX_NAMES = 10
MAX_STEPS = 200_000
# Pairs grow with the square of the names on an axis; past this many they are written as one set.
MAX_PAIRED = 12


class TooManyError(Exception):
    """Too many unknown sizes depend on each other to simplify the condition."""


class AtMostOneBesides1(tuple[Atom, ...]):
    """A constraint on its names: they take at most one value other than 1.

    It replaces pairs that are too many to write out, and is never simplified.
    """

    __slots__ = ()


def any_equal(*pairs: tuple[int | str, int | str]) -> Condition:
    """The condition that in one of the pairs both sizes are equal."""
    clause: list[Atom] = []
    for left, right in pairs:
        if left == right:
            return ALWAYS
        if isinstance(left, str):
            clause.append((left, right))
        elif isinstance(right, str):
            clause.append((right, left))
    return (tuple(dict.fromkeys(clause)),)


def at_most_one_besides_1(names: Sequence[str]) -> Condition:
    """The condition that the names take at most one value other than 1."""
    if len(names) > MAX_PAIRED:
        return (AtMostOneBesides1((name, 1) for name in names),)
    return tuple(
        clause
        for i, left in enumerate(names)
        for right in names[i + 1 :]
        for clause in any_equal((left, right), (left, 1), (right, 1))
    )


def any_of(conditions: Sequence[Condition]) -> Condition:
    """The condition that at least one of the conditions holds."""
    first, *rest = conditions
    for other in rest:
        first = tuple(tuple(dict.fromkeys(left + right)) for left in first for right in other)
    return first


class Solution(NamedTuple):
    """A simplified condition: whether it can hold, its canonical form, and how it can hold."""

    satisfiable: bool
    condition: Condition
    is_exact: bool
    """False: too many names to tell whether the condition always or never holds."""
    assignments: dict[str, list[Assignment]]
    """For each name, every way in which the names tied to it can be chosen."""


def solve(condition: Condition, names: Sequence[str]) -> Solution:
    """Simplify a condition; `names` are all its names, in reading order."""
    rank = {name: place for place, name in enumerate(names)}
    clauses = dict.fromkeys(_in_reading_order(clause, rank) for clause in condition)
    place = {clause: i for i, clause in enumerate(clauses)}
    steps = iter(range(MAX_STEPS))
    canonical: list[tuple[int, Clause]] = []
    assignments: dict[str, list[Assignment]] = {}
    is_exact = True
    for part in _components(clauses):
        tied = sorted({name for clause in part for name in _names(clause)}, key=rank.__getitem__)
        ways, simple = _simplified(part, tied, steps)
        if ways is None:
            is_exact = False
        elif not ways:
            return Solution(False, NEVER, True, {})
        else:
            assignments |= dict.fromkeys(tied, ways)
        canonical += ((place[origin], clause) for origin, clause in simple)
    canonical.sort(key=lambda placed: placed[0])
    return Solution(True, tuple(clause for _, clause in canonical), is_exact, assignments)


Solutions: TypeAlias = list[Assignment]
"""All ways in which names that are tied together can be chosen."""
Derivations: TypeAlias = list[tuple[Clause, Clause]]
"""Pairs: a given clause, and the clause in canonical form that is derived from it."""


def _simplified(
    part: Sequence[Clause], tied: Sequence[str], steps: Iterator[int]
) -> tuple[Solutions | None, Derivations]:
    """Simplify clauses that tie these names, in reading order, together.

    Return no solutions if the clauses contradict each other, and None if the steps run out first.
    """
    simple = [(clause, clause) for clause in part]
    if len(part) == len(tied) == 1 and part[0]:  # most conditions: the numbers of one name
        return [{name: int(number)} for name, number in part[0]], simple
    try:
        ways = list(_assignments(part, tied, steps, numbers_in(part)))
    except TooManyError:
        return None, simple
    rank = {name: place for place, name in enumerate(tied)}
    pairs = (_in_reading_order(each, rank) for each in at_most_one_besides_1(tied))
    if ways and len(part) > 1 and set(part) != set(pairs):
        with contextlib.suppress(TooManyError):
            simple = _simplify(part, tied, ways, steps)
    return ways, simple


def names_in(condition: Condition) -> list[str]:
    """The names in a condition, in the order in which they appear."""
    return list(dict.fromkeys(name for clause in condition for name in _names(clause)))


def unsatisfiable_core(conditions: Sequence[Condition], names: Sequence[str]) -> list[int]:
    """The indices of a few conditions that contradict each other, as all together do."""
    from bisect import bisect_left  # rarely needed

    guilty: list[int] = []

    def impossible(count: int) -> bool:
        chosen = [*range(count), *guilty]
        clauses = tuple(clause for i in chosen for clause in conditions[i])
        return not solve(clauses, names).satisfiable

    while not impossible(0):
        # The last condition of the shortest run that contradicts those found must be in it.
        last = bisect_left(range(len(conditions)), True, key=impossible) - 1
        if last in guilty:
            break
        guilty.append(last)
    return sorted(guilty)


def _in_reading_order(clause: Clause, rank: dict[str, int]) -> Clause:
    """Names before numbers, both in reading order, so that equal clauses are one tuple."""

    def turned(atom: Atom) -> Atom:
        name, other = atom
        if isinstance(other, str) and rank[other] < rank[name]:
            return other, name
        return atom

    def key(atom: Atom) -> tuple[int, int, int]:
        name, other = atom
        if isinstance(other, str):
            return 0, rank[name], rank[other]
        return 1, rank[name], other

    return type(clause)(sorted(dict.fromkeys(map(turned, clause)), key=key))


def _names(clause: Clause) -> list[str]:
    """The names in a clause."""
    named = [side for atom in clause for side in atom if isinstance(side, str)]
    return list(dict.fromkeys(named))


def _components(clauses: Iterable[Clause]) -> list[list[Clause]]:
    """The clauses in groups that share no name."""
    leader: dict[str, str] = {}
    clauses = list(clauses)
    for clause in clauses:
        for name in _names(clause):
            leader[_leader(name, leader)] = _leader(clause[0][0], leader)
    parts: dict[str, list[Clause]] = {}
    for clause in clauses:
        parts.setdefault(_leader(clause[0][0], leader) if clause else "", []).append(clause)
    return list(parts.values())


def _leader(name: str, leader: dict[str, str]) -> str:
    """The name that leads a name's class; shorten the way there."""
    while leader.setdefault(name, name) != name:
        leader[name] = leader[leader[name]]
        name = leader[name]
    return name


def all_assignments(
    names: Sequence[str],
    numbers: Sequence[int],
    allows: Callable[[int, Assignment], bool] = lambda place, chosen: True,
) -> Iterator[Assignment]:
    """Every kind of choice of the names that `allows` accepts name by name.

    Only equalities matter, so it is enough to try the `numbers` that make a difference and, for
    "some other number", one fresh number more than are in use: -1, -2 and so on. `allows` is
    called with the place of each name, once the names up to it are chosen.
    """
    assignment: Assignment = {}

    def choose(place: int, fresh: int) -> Iterator[Assignment]:
        if place == len(names):
            yield dict(assignment)
            return
        for value in (*numbers, *range(-1, -fresh - 2, -1)):
            assignment[names[place]] = value
            if allows(place, assignment):
                yield from choose(place + 1, max(fresh, -value))

    return choose(0, 0)


def numbered_assignments(names: Sequence[str], sizes: Sequence[int]) -> Iterator[Assignment]:
    """Every kind of choice of the names, with a number in place of each fresh one.

    `sizes` are those that matter; a name is 0 only if 0 is among them.
    """
    others = [size for size in range(2, 2 + len(names) + len(sizes)) if size not in sizes]
    return (
        {name: value if value >= 0 else others[-value - 1] for name, value in chosen.items()}
        for chosen in all_assignments(names, sizes)
    )


def _assignments(
    clauses: Sequence[Clause], names: Sequence[str], steps: Iterator[int], numbers: Sequence[int]
) -> Iterator[Assignment]:
    """Every kind of choice of the names that meets all clauses.

    Raise TooManyError when no steps are left.
    """
    if len(names) > MAX_NAMES or any(isinstance(clause, AtMostOneBesides1) for clause in clauses):
        raise TooManyError
    if () in clauses:
        return iter(())
    place_of = {name: i for i, name in enumerate(names)}
    due: list[list[Clause]] = [[] for _ in names]
    for clause in clauses:
        due[max(place_of[name] for name in _names(clause))].append(clause)

    def meets(place: int, assignment: Assignment) -> bool:
        if next(steps, None) is None:
            raise TooManyError
        return all(is_satisfied(clause, assignment) for clause in due[place])

    return all_assignments(names, numbers, meets)


def numbers_in(clauses: Iterable[Clause]) -> list[int]:
    """The numbers that clauses mention, in ascending order."""
    return sorted({other for clause in clauses for _, other in clause if isinstance(other, int)})


def is_satisfied(clause: Clause, assignment: Assignment) -> bool:
    """Whether one of the clause's atoms is true for an assignment."""
    for name, other in clause:
        if assignment[name] == (assignment[other] if isinstance(other, str) else other):
            return True
    return False


def _simplify(
    clauses: Sequence[Clause],
    names: Sequence[str],
    assignments: list[Assignment],
    steps: Iterator[int],
) -> list[tuple[Clause, Clause]]:
    """The canonical form of clauses tied together, each with the given clause it comes from.

    The values of each name that has only finitely many, as one clause; then the other clauses,
    without what these imply.
    """
    facts: list[tuple[Clause, Clause]] = []
    for name in names:
        values = sorted({assignment[name] for assignment in assignments})
        if values and values[0] >= 0:
            about = [clause for clause in clauses if name in _names(clause)]
            alone = [clause for clause in about if _names(clause) == [name]]
            facts.append(((alone or about)[0], tuple((name, value) for value in values)))
    origin = {_shortest(clause, assignments): clause for clause in reversed(clauses)}
    kept = list(reversed(origin))
    known = [fact for _, fact in facts]
    for clause in origin:
        others = known + [other for other in kept if other != clause]
        possible = _assignments(others, names, steps, numbers_in(others))
        if all(is_satisfied(clause, assignment) for assignment in possible):
            kept.remove(clause)
    return facts + [(origin[clause], clause) for clause in kept]


def _shortest(clause: Clause, assignments: list[Assignment]) -> Clause:
    """The clause without the atoms that are redundant in all of the assignments."""
    for atom in clause:
        if all(is_satisfied((atom,), assignment) for assignment in assignments):
            return (atom,)
    for atom in clause:
        fewer = tuple(other for other in clause if other != atom)
        if all(is_satisfied(fewer, assignment) for assignment in assignments):
            return _shortest(fewer, assignments)
    return clause


def to_python(condition: Condition) -> str:
    """The condition as a Python expression over the names."""
    texts = [_clause_written(clause) for clause in condition]
    if len(texts) > 1:
        texts = [f"({text})" if " or " in text else text for text in texts]
    return " and ".join(texts)


def _clause_written(clause: Clause) -> str:
    if isinstance(clause, AtMostOneBesides1):
        # Without len(), since a size may have that name.
        return f"[*{{{', '.join(name for name, _ in clause)}}} - {{1}}][1:] == []"
    return " or ".join(atoms_written(clause))


def atoms_written(clause: Clause, *, negated: bool = False) -> list[str]:
    """Atoms as Python expressions, or their negations; all numbers of a name in one.

    >>> atoms_written((("N", 1), ("N", "M"), ("N", 3)), negated=True)
    ['N != M', 'N not in (1, 3)']
    """
    equals, is_in = ("!=", "not in") if negated else ("==", "in")
    values: dict[str, list[int]] = {}
    texts = []
    for name, other in clause:
        if isinstance(other, int):
            values.setdefault(name, []).append(other)
        else:
            texts.append(f"{name} {equals} {other}")
    for name, numbers in values.items():
        several = len(numbers) > 1
        texts.append(
            f"{name} {is_in} {tuple(numbers)}" if several else f"{name} {equals} {numbers[0]}"
        )
    return texts
