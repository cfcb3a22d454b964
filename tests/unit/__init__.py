"""Tests of one module of the package at a time."""
