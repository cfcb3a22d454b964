"""Slides of many questions in one file: `bcastcli deck`."""

SUMMARY = "Make slides: one question per line in, one HTML file with pictures out"
