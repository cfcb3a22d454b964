"""Slides of many questions in one file: `bcastcli deck`."""

SUMMARY = "Make slides for a talk"
