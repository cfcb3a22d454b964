"""Slides of many questions in one file: `bcastcli deck`."""
