"""Hostile input for the command line and for the lines that it reads."""
