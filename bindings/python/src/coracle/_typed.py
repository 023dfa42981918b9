"""Values of a content as objects of dataclasses, and types of Python as those of contents."""
from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from coracle.errors import WrongType


def build(kind: Any, value: Any, place: str = "the content") -> Any:
    """The value as an object of that type; fails with WrongType where it does not fit."""
    if kind is Any or value.__class__ is kind:
        return value
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return value if isinstance(value, kind) else _build_object(kind, value, place)
    if origin in (list, tuple) and isinstance(value, (list, tuple)):
        if origin is tuple and arguments[-1:] != (Ellipsis,):
            _require(len(value) == len(arguments), place, f"{len(arguments)} items", value)
            return tuple(build(each, item, f"{place}[{number}]")
                         for number, (each, item) in enumerate(zip(arguments, value)))
        return origin(build(arguments[0], item, f"{place}[{number}]")
                      for number, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {build(arguments[0], key, place): build(arguments[1], item, f"{place}[{key!r}]")
                for key, item in value.items()}
    if origin in (typing.Union, types.UnionType):
        return _build_one_of(arguments, value, place)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is None:
        kind = type(None)
    wanted = origin or kind
    _require(isinstance(value, wanted) and not (wanted is int and isinstance(value, bool)), place,
             f"of type {getattr(kind, '__name__', kind)}", value)
    return value


def _require(fits: bool, place: str, wanted: str, value: Any) -> None:
    if not fits:
        raise WrongType(f"{place} should be {wanted}, but it is {value!r:.80}")


def _build_object(kind: Any, value: Any, place: str) -> Any:
    _require(isinstance(value, dict), place, f"a map with the fields of {kind.__name__}", value)
    hints = typing.get_type_hints(kind)
    fields = {each.name: each for each in dataclasses.fields(kind) if each.init}
    missing = [name for name, each in fields.items() if name not in value
               and each.default is dataclasses.MISSING
               and each.default_factory is dataclasses.MISSING]
    _require(not missing, place, f"a map with {', '.join(missing)}", value)
    return kind(**{name: build(hints[name], value[name], f"{place}.{name}")
                   for name in fields if name in value})


def _build_one_of(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    for kind in kinds:
        try:
            return build(kind, value, place)
        except WrongType:
            continue
    _require(False, place, f"one of {', '.join(map(str, kinds))}", value)


_NAMES = {str: "text/plain", int: "integer", float: "floating", bool: "boolean",
          bytes: "application/octet-stream"}


def content_name(kind: Any) -> str:
    """The content type of values of that type, as in C++."""
    return _NAMES.get(kind) or getattr(kind, "content_type", None) or "application/cbor"


def parameters(kind: Any, base: type) -> tuple[Any, ...]:
    """The types that stand in a class, or in an alias of one, for the parameters of its base."""
    owner, arguments = typing.get_origin(kind) or kind, typing.get_args(kind)
    own = getattr(owner, "__parameters__", ())
    known = dict(zip(own, arguments or [Any] * len(own)))
    if owner is base:
        return tuple(known.values())
    for each in owner.__dict__.get("__orig_bases__", owner.__bases__):
        if issubclass(typing.get_origin(each) or each, base):
            return tuple(known.get(found, found) for found in parameters(each, base))
    raise TypeError(f"{owner.__name__} is no {base.__name__}")
