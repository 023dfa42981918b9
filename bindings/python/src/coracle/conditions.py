"""Conditions for search(): `await me.search("lab", {"speed": coracle.at_least(3)})`."""
from __future__ import annotations

from typing import NamedTuple

Value = bool | int | float | str


class Condition(NamedTuple):
    """A condition on a property of an agent."""

    comparison: int
    operand: Value | None


def exists() -> Condition:
    """The agent has the property."""
    return Condition(0, None)


def not_equal(value: Value) -> Condition:
    """The property has another value."""
    return Condition(2, value)


def less(value: Value) -> Condition:
    """The property is less than that."""
    return Condition(3, value)


def at_most(value: Value) -> Condition:
    """The property is at most that."""
    return Condition(4, value)


def greater(value: Value) -> Condition:
    """The property is greater than that."""
    return Condition(5, value)


def at_least(value: Value) -> Condition:
    """The property is at least that."""
    return Condition(6, value)


def matches(expression: str) -> Condition:
    """The property is a text that the regular expression (RE2) fits as a whole."""
    return Condition(7, expression)
