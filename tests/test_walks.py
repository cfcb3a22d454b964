"""What tests.walks counts: floors by the imports, and each call once."""

from tests import walks


def test_floors() -> None:
    """A room is one floor above the highest that it imports, and rooms in a circle share one."""
    imports = {
        "core": set[str](),
        "rules": {"core"},
        "models": {"rules", "reports"},
        "reports": {"core", "models"},
        "cli": {"core", "reports"},
    }
    floor = walks.floors(imports)
    assert floor == {"core": 0, "rules": 1, "models": 2, "reports": 2, "cli": 3}


def test_imports_are_found() -> None:
    """The imports of the package are found, those within functions too."""
    imports = walks.room_imports(walks.HERE / walks.PACKAGE)
    assert imports["core"] == set()
    assert {"core", "rules", "cli", "help"} <= set(imports)
    assert {"core", "rules", "render", "reports"} <= imports["cli"]


def test_climbing() -> None:
    """A call to a higher floor climbs; one to the same or a lower floor, or by no one, does not."""
    floor = {"core": 0, "rules": 1, "cli": 2}
    counted = {
        ("cli/main.py", "core/answer.py"): 5,
        ("core/answer.py", "rules/numpy.py"): 3,
        ("core/answer.py", "core/shapes.py"): 2,
        ("", "cli/main.py"): 1,
    }
    assert walks.walk(counted, floor) == (4, 11, 3)
    assert walks.climbing(counted, floor) == {("core/answer.py", "rules/numpy.py"): 3}


def test_a_question_walks() -> None:
    """The calls of a question are counted from the program's start to the answer's writer."""
    counted = walks.calls(walks.HERE, walks.COMMANDS["a table"])
    assert counted["__main__.py", "cli/main.py"] == 1
    assert counted["", "__main__.py"] == 1
    assert any(file.startswith("render/") for _, file in counted)
