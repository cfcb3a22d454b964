"""Conditions over unknown sizes: how they are made, worked through and written."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import pytest

from bcastcli.core.conditions import (
    ALWAYS,
    NEVER,
    Clause,
    Condition,
    any_equal,
    any_of,
    at_most_one_besides_1,
    solve,
    to_python,
    unsatisfiable_core,
)
from tests.effort import many
from tests.rows import each_row

NAMES = ("N", "M", "K", "L")
Env = dict[str, int]


def together(*conditions: Condition) -> Condition:
    return tuple(clause for condition in conditions for clause in condition)


def pair(left: str, right: str) -> Condition:
    """That two sizes stretch to each other."""
    return any_equal((left, right), (left, 1), (right, 1))


def one_of(name: str, *numbers: int) -> Condition:
    return any_equal(*((name, number) for number in numbers))


def holds(condition: Condition, env: Env) -> bool:
    """What a condition means, by the definition of atom, clause and condition."""
    return all(
        any(
            env[name] == (env[other] if isinstance(other, str) else other) for name, other in clause
        )
        for clause in condition
    )


def evaluated(text: str, env: Env) -> bool:
    return bool(eval(text, {"__builtins__": {}}, dict(env)))


def environments(names: Sequence[str], numbers: Sequence[int] = range(7)) -> Iterator[Env]:
    for chosen in product(numbers, repeat=len(names)):
        yield dict(zip(names, chosen, strict=True))


def solved(condition: Condition, names: Sequence[str] = NAMES) -> str:
    """The canonical form, written."""
    solution = solve(condition, names)
    assert solution.is_exact
    return to_python(solution.condition) if solution.satisfiable else "never"


def random_condition(
    chance: random.Random, names: Sequence[str], numbers: Sequence[int] = range(4)
) -> Condition:
    condition: Condition = ()
    for _ in range(chance.randint(1, 5)):
        others: list[int | str] = [*names, *numbers]
        pairs = [(chance.choice(names), chance.choice(others)) for _ in range(chance.randint(1, 3))]
        condition += any_equal(*pairs)
    return condition


def test_any_equal() -> None:
    """It holds for exactly the numbers for which one of the pairs is equal."""
    sizes: tuple[int | str, ...] = (1, 2, "N", "M")
    for one, other in product(product(sizes, repeat=2), repeat=2):
        condition = any_equal((one[0], one[1]), (other[0], other[1]))
        for env in environments("NM", range(4)):
            is_equal = any(
                len({env.get(str(size), size) for size in pair}) == 1 for pair in (one, other)
            )
            assert holds(condition, env) is is_equal, (one, other)
    assert any_equal((3, 4), (1, 0)) == any_equal() == NEVER
    assert any_equal(("N", 1), (1, 1)) == ALWAYS


def test_at_most_one_besides_1() -> None:
    """Every two names are equal or one of them is 1, however many names there are."""
    assert at_most_one_besides_1(["N"]) == ALWAYS
    assert at_most_one_besides_1(["N", "M"]) == pair("N", "M")
    names = [f"N{number}" for number in range(13)]
    assert at_most_one_besides_1(names[:12]) == together(
        *(pair(*both) for both in combinations(names[:12], 2))
    )
    assert len(at_most_one_besides_1(names)) == 1
    text = to_python(at_most_one_besides_1(names))
    ones = dict.fromkeys(names, 1)
    assert evaluated(text, ones)
    assert evaluated(text, dict.fromkeys(names, 0))
    assert evaluated(text, {**ones, "N12": 5})
    assert evaluated(text, {**ones, "N12": 5, "N0": 5})
    assert not evaluated(text, {**ones, "N12": 5, "N0": 4})
    assert not evaluated(text, {**ones, "N12": 5, "N0": 0})


def test_either_means_or() -> None:
    """Of random conditions, one holds exactly when `either` of them does."""
    chance = random.Random(1)
    for _ in range(many(60)):
        parts = [random_condition(chance, "NMK") for _ in range(chance.randint(1, 3))]
        joined = any_of(parts)
        for env in environments("NMK", range(5)):
            assert holds(joined, env) == any(holds(part, env) for part in parts), parts


@each_row(
    ("condition", "expected"),
    [
        (ALWAYS, ""),
        (NEVER, "never"),
        (one_of("N", 3), "N == 3"),
        (one_of("N", 10, 9, 1), "N in (1, 9, 10)"),
        (together(one_of("N", 1, 3), one_of("N", 1, 4)), "N == 1"),
        (pair("M", "N"), "N == M or N == 1 or M == 1"),
        (any_equal(("M", "N"), ("N", 1)), "N == M or N == 1"),
        (together(one_of("M", 2), one_of("N", 3)), "M == 2 and N == 3"),
        (
            together(pair("N", "M"), one_of("K", 1, 3)),
            "(N == M or N == 1 or M == 1) and K in (1, 3)",
        ),
        (
            together(one_of("K", 1, 3), pair("N", "M")),
            "K in (1, 3) and (N == M or N == 1 or M == 1)",
        ),
        (together(one_of("N", 1), pair("N", "M"), pair("N", "K")), "N == 1"),
        (together(pair("N", "M"), one_of("N", 3)), "M in (1, 3) and N == 3"),
        (
            together(one_of("N", 1, 3), one_of("M", 1, 3), pair("N", "M")),
            "N in (1, 3) and M in (1, 3)",
        ),
        (
            together(one_of("N", 1, 3), one_of("M", 1, 4), pair("N", "M")),
            "N in (1, 3) and M in (1, 4) and (N == 1 or M == 1)",
        ),
        (together(any_equal(("M", "K"), ("K", "N")), any_equal(("N", "M"))), "N == K and N == M"),
        (
            together(any_equal(("N", "M")), any_equal(("M", "K")), any_equal(("N", "K"))),
            "N == M and M == K",
        ),
        (together(pair("N", "M"), one_of("N", 3), one_of("M", 4)), "never"),
        (together(pair("N", "M"), pair("N", "K"), pair("M", "K")), None),
    ],
)
def test_canonical_form(condition: Condition, expected: str | None) -> None:
    """One form: values ascending, pairs in reading order, clauses by axis, nothing implied."""
    text = solved(condition)
    assert text == (to_python(condition) if expected is None else expected)


def test_solve_changes_no_meaning() -> None:
    """A random condition worked through holds for exactly the same numbers, and so it reads."""
    chance = random.Random(2)
    possible = set()
    for _ in range(many(250)):
        names = NAMES[: chance.randint(1, 3)]
        condition = random_condition(chance, names)
        solution = solve(condition, names)
        text = to_python(solution.condition)
        expected = [holds(condition, env) for env in environments(names)]
        assert solution.is_exact
        assert solution.satisfiable == any(expected), condition
        assert [holds(solution.condition, env) for env in environments(names)] == expected
        if solution.condition not in (ALWAYS, NEVER):
            assert [evaluated(text, env) for env in environments(names)] == expected, text
        possible.add((solution.satisfiable, solution.condition == ALWAYS))
    assert possible == {(True, False), (True, True), (False, False)}


def test_canonical_form_is_settled() -> None:
    """A canonical form worked through again is itself, whatever way round it was given."""
    chance = random.Random(3)
    for _ in range(many(250)):
        condition = random_condition(chance, NAMES[:3])
        solution = solve(condition, NAMES)
        assert solve(solution.condition, NAMES).condition == solution.condition, condition
        turned = tuple(tuple(reversed(clause)) for clause in condition)
        assert solve(turned, NAMES) == solution, condition


def test_no_clause_between_names_is_implied() -> None:
    """Whatever says more than the values of one name is needed, down to every atom of it."""
    chance = random.Random(4)
    seen = 0
    for _ in range(many(250)):
        condition = solve(random_condition(chance, NAMES[:3]), NAMES).condition
        for number, clause in enumerate(condition):
            if len({name for atom in clause for name in atom if isinstance(name, str)}) < 2:
                continue
            seen += 1
            shorter: list[tuple[Clause, ...]] = [
                (clause[:i] + clause[i + 1 :],) for i in range(len(clause))
            ]
            for instead in ((), *shorter):
                other = condition[:number] + instead + condition[number + 1 :]
                assert any(
                    holds(condition, env) != holds(other, env) for env in environments("NMK")
                ), (to_python(condition), to_python((clause,)))
    assert seen > many(50)


def test_contradiction_names_none_too_many() -> None:
    """Of random conditions that cannot hold, those named contradict, and no fewer of them do."""
    chance = random.Random(6)
    seen = 0
    while seen < 60:
        conditions = [random_condition(chance, "NMK")[:1] for _ in range(chance.randint(2, 7))]
        if solve(together(*conditions), NAMES).satisfiable:
            continue
        seen += 1
        guilty = unsatisfiable_core(conditions, NAMES)
        assert not solve(together(*(conditions[i] for i in guilty)), NAMES).satisfiable
        for spared in guilty:
            rest = together(*(conditions[i] for i in guilty if i != spared))
            assert solve(rest, NAMES).satisfiable, (conditions, guilty)


@each_row("count", [11, 12, 13, 40])
def test_too_many_names_on_one_axis(count: int) -> None:
    """Beyond what is worked through the condition is still true, and said not to be exact."""
    names = [f"N{number}" for number in range(count)]
    solution = solve(at_most_one_besides_1(names), names)
    assert solution.satisfiable
    assert not solution.is_exact
    text = to_python(solution.condition)
    chance = random.Random(count)
    for _ in range(50):
        env = {name: chance.choice([1] * 5 * count + [0, 2]) for name in names}
        assert evaluated(text, env) == (len({*env.values()} - {1}) <= 1)


@each_row("steps", range(0, 60, 3))
def test_a_condition_stays_true_where_steps_run_out(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With too few steps to work a condition through or to shorten it, it still says the same."""
    condition = together(pair("N", "M"), pair("M", "K"), one_of("K", 1, 2))
    monkeypatch.setattr("bcastcli.core.conditions.MAX_STEPS", steps)
    solution = solve(condition, NAMES)
    assert solution.satisfiable
    assert solution.is_exact is (steps > 36)
    for env in environments("NMK", range(4)):
        assert holds(solution.condition, env) == holds(condition, env)


def test_too_many_names_leave_the_others_exact() -> None:
    """What has nothing to do with the many names is still worked through, or refused."""
    names = [f"N{number}" for number in range(11)]
    linked = together(*(any_equal(both, (both[0], 1)) for both in pairwise(names)))
    solution = solve(together(one_of("M", 1, 3), linked, one_of("M", 3)), [*names, "M"])
    assert solution.satisfiable
    assert not solution.is_exact
    assert to_python(solution.condition).startswith("M == 3 and (N0 == N1 or N0 == 1) and ")
    refused = solve(together(linked, one_of("M", 1), one_of("M", 3)), [*names, "M"])
    assert not refused.satisfiable
    assert refused.is_exact
