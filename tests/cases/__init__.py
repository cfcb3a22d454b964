"""Questions with the verdicts of documents and engines, and the tests that ask them."""
