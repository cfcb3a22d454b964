"""What tests.lines counts as code."""

from pathlib import Path

from tests import lines

MODULE = '''"""A title.

More.
"""

import os  # a comment


# a comment
def answer(
    text: str,
) -> str:
    """Return it."""
    return f"""{text}
    {os.sep}"""
'''


def test_code_lines() -> None:
    """A line counts that holds a part of a statement, and no docstring, comment or blank line."""
    assert lines.code_lines(MODULE) == 6
    assert lines.code_lines("") == 0


def test_folders(tmp_path: Path) -> None:
    """Each line counts once, for the folder of the package that it is in, at any depth."""
    (tmp_path / "render" / "picture").mkdir(parents=True)
    for name in ("python.py", "render/svg.py", "render/picture/marks.py"):
        (tmp_path / name).write_text("x = 1\n")
    assert lines.code_by_folder(tmp_path) == {"beside the folders": 1, "render": 2}


def test_long_files(tmp_path: Path) -> None:
    """A file is long that has more than 450 lines, those without code too."""
    (tmp_path / "short.py").write_text("\n" * 450)
    (tmp_path / "long.py").write_text("\n" * 451)
    assert lines.long_files(tmp_path) == {"long.py": 451}


def test_no_file_of_the_package_is_long() -> None:
    """Each file of the package has a length that can be read in one go."""
    assert lines.long_files(lines.HERE / lines.PACKAGE) == {}
