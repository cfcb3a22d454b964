"""Lines for GitHub Actions."""

from bcastcli.render.github import Annotation, write


def test_lines_for_github() -> None:
    """A failure is one line, with its place; what would end a property or a line is escaped."""
    failures = [
        Annotation("a,b:c.py", "50% of 2,3: no\nsee below", 4, 7),
        Annotation("m.onnx", "::stop\u202e\x1b[0m\r"),
        Annotation("##[add-mask]m", "##[error]"),
    ]
    assert write(failures) == (
        "::error file=a%2Cb%3Ac.py,line=4,col=7::50%25 of 2,3: no%0Asee below\n"
        "::error file=m.onnx::::stop\\u202e\\x1b[0m%0D\n"
        "::error file=\\x23#[add-mask]m::\\x23#[error]\n"
    )
    assert write([]) == ""
