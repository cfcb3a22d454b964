"""Tests of SVG and HTML."""
