"""Pipelines and their stages; `coracle.dispel` shows them."""
from __future__ import annotations

import asyncio
import contextvars
import time
import typing
import weakref
from collections.abc import (AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping)
from typing import Any, Generic, TypeVar

from coracle import _core
from coracle._typed import content_name, parameters
from coracle.nodes import Node
from coracle.roles import Role, default

I = TypeVar("I")
O = TypeVar("O")

_MOST_ITEMS, _LONGEST = 256, 0.002  # that a plain source gives at a time, in seconds


class Stage(Role):
    """The base of sources, filters and sinks. A pipeline makes its stages, and their names."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def cancel(self) -> None:
        """Ends the stream behind the present item, because nothing more is wanted."""
        self._end(None)

    def _on_end(self) -> None:
        self._drop_closed()


class Source(Stage, Generic[O]):
    """The beginning of a pipeline: `class Lines(dispel.Source[str])`."""

    _items: Any = None
    _required = ("produce",)

    @default
    def produce(self, first: int, /) -> Iterator[O] | AsyncIterator[O]:
        """Yields the items, in a generator or an async generator.

        `first` is 0 or, when the source was begun again, the number of the first item that some
        stage may still need.
        """
        raise NotImplementedError(f"{type(self).__name__} has no produce()")

    def _types(self) -> tuple[Any, Any]:
        return None, parameters(type(self), Source)[0]

    def _produce(self, number: int) -> Any:
        if self._items is None:
            items = self.produce(number)
            self._items = items if isinstance(items, AsyncIterator) else iter(items)
        if isinstance(self._items, AsyncIterator):
            return anext(self._items, None)
        return self._next_items()

    async def _next_items(self) -> Iterator[O]:
        await asyncio.sleep(0)  # a source that never pauses leaves time to other agents
        return self._some_items()

    def _some_items(self) -> Iterator[O]:
        end = time.monotonic() + _LONGEST
        for _, item in zip(range(_MOST_ITEMS), self._items):
            yield item
            if time.monotonic() > end:
                return


class Filter(Stage, Generic[I, O]):
    """Turns a stream of items into another: `class Find(dispel.Filter[str, int])`."""

    _required = ("process",)

    @default
    def process(self, item: I, /) -> (O | Iterator[O] | AsyncIterator[O] | Awaitable[O | None]
                                   | None):
        """Returns an item, or None for no item; or is a generator that yields several ones."""
        raise NotImplementedError(f"{type(self).__name__} has no process()")

    @default
    def finish(self, error: str | None, /) -> O | Iterator[O] | None:
        """All items were processed; gives last items. `error`: the stream ended too early."""
        return None

    def _types(self) -> tuple[Any, Any]:
        taken, given = parameters(type(self), Filter)
        return taken, given


class Sink(Stage, Generic[I]):
    """The end of a pipeline: `class Count(dispel.Sink[str])`."""

    _required = ("consume",)

    @default
    def consume(self, item: I, /) -> object:
        """Takes an item."""
        raise NotImplementedError(f"{type(self).__name__} has no consume()")

    @default
    def on_end(self, error: str | None, /) -> object:
        """The stream has ended; `error` is the reason if it ended too early."""

    def _types(self) -> tuple[Any, Any]:
        return parameters(type(self), Sink)[0], None


_ROLES: tuple[tuple[type[Stage], str], ...] = ((Source, "source"), (Filter, "filter"),
                                               (Sink, "sink"))
Kind = Callable[[], Stage]  # a class of stages, or a function that makes a stage


class Pipeline(Role):
    """Stages that are connected as a text says; starting it makes an agent that keeps them.

        dispel.Pipeline("log", "lines: Lines; find: Find * 4; count: Count; lines -> find -> count",
                        [Lines, Find, Count])

    A kind of stage is a class, or a function that makes a stage, by the name in the text; the
    classes of a list have their own names. `dispel.Filter[str, int]` itself is a kind of stage
    that another process makes. The stages' agents are named pipeline/part. The keeper, by default
    pipeline/keeper, makes stages that crash again; ended() waits until all its stages have ended.
    """

    only: Iterable[str] = ()  #: the parts that are made here; none: all
    stand_in_for: Iterable[str] = ()  #: parts that are made here when their process is gone
    window: int = 0  #: items that a consumer is given and has not finished; 0: 4,096
    batch: int = 0  #: items in a message; 0: 256
    restarts: int = 0  #: of stages that crash, within a minute; 0: 5
    _tells_end = False

    def __init__(self, pipeline: str, text: str, kinds: Mapping[str, Kind] | Iterable[type[Stage]],
                 *, keeper: str | None = None, **settings: Any) -> None:
        super().__init__(keeper or f"{pipeline}/keeper", **settings)
        self.pipeline, self.text = pipeline, text
        if not isinstance(kinds, Mapping):
            kinds = {each.__name__: each for each in kinds}
        self._kinds: dict[str, Kind] = dict(kinds)
        self._made: dict[str, Stage] = {}  # to see their types, and not yet used
        self._stages: weakref.WeakSet[Stage] = weakref.WeakSet()

    def _describe(self, name: str) -> tuple[str, str, str | None, str | None]:
        kind = self._kinds[name]
        owner: Any = typing.get_origin(kind) or kind
        if not isinstance(owner, type):
            self._made[name] = stage = kind()
            owner = kind = type(stage)
        for base, role in _ROLES:
            if issubclass(owner, base):
                types = [content_name(each) for each in parameters(kind, base)]
                takes = None if base is Source else types[0]
                gives = None if base is Sink else types[-1]
                if owner is base:
                    return name, "", takes, gives
                owner._check()
                return name, role, takes, gives
        raise TypeError(f"the kind {name} of the pipeline {self.pipeline} is no Source, Filter or "
                        f"Sink, but {owner.__name__}")

    def _make(self, name: str) -> Stage:
        stage = self._made.pop(name, None) or self._kinds[name]()
        assert self._node is not None
        self._context.copy().run(stage._attach, self._node)
        stage._label = f"{self.pipeline}: {name}"
        self._stages.add(stage)
        return stage

    async def _start_on(self, node: Node) -> None:
        self._parts = [self._describe(name) for name in self._kinds]
        self._context = contextvars.copy_context()
        await super()._start_on(node)

    def _start(self, core: _core.Node) -> None:
        _core.start_pipeline(core, self)

    def _cancel(self) -> list[asyncio.Task[None]]:
        return [task for stage in self._stages for task in stage._cancel()]
