"""Questions and answers.

Sizes, shapes and aligned axes; conditions over unknown sizes; a rule and the answer that it gives.
Standard library only, and nothing of the other folders: every other folder builds on it.
"""
