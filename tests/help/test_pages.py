"""The pages of `bcastcli help` (help/__init__.py), and those of the features."""

import re
from collections import Counter

from bcastcli import help as topics


def test_titles() -> None:
    """Each page begins with its name, and with a title that says more."""
    assert topics.names() == sorted({*topics.names(), "exit", "shapes", "why"})
    assert topics.title("shapes") == "how to type them"
    for name in topics.names():
        assert re.match(rf"# {name}: \w", topics.text(name), re.IGNORECASE), name
        assert topics.text(name).splitlines()[0].endswith(f": {topics.title(name)}")


def test_no_topic_repeats_another() -> None:
    """No example, row or long line of a topic stands in another topic or twice in its own."""
    lines = [
        line
        for name in topics.names()
        for line in topics.text(name).splitlines()
        if line.startswith("$ ") or len(line) > 60
    ]
    assert len(lines) > 150
    assert [line for line, count in Counter(lines).items() if count > 1] == []
