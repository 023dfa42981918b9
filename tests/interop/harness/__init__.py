"""Plays platforms of agents against each other: README.md beside this folder explains it."""
