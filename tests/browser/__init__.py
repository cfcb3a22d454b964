"""Tests of browser/."""
