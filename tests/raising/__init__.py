"""Tests of what is said where a program raises."""
