"""Answers, comparisons, rules and lists as text for people and data for programs.

A report knows what it is about and nothing of terminals; `render` knows formats and no answers.
"""
