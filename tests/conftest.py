"""What all tests share: how long laws are searched for exceptions, and the seed of the fuzzer."""

from hypothesis import settings

from tests.fuzz.runs import SEED

# The same examples on every run, and nothing that the machine's speed decides.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=50)
# New ones: pytest tests/laws/test_laws.py --hypothesis-profile long
settings.register_profile("long", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("same")


def pytest_report_header() -> str:
    return f"hostile input: seed {SEED}"
