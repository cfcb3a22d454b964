"""Questions and answers.

Sizes, shapes and aligned axes; conditions over unknown sizes; a rule and the answer that it gives.
It imports only the standard library; every other folder builds on it.
"""
