"""Tests of commands as users run them."""
