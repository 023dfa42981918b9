"""Nodes and ports whose calls wait: for scripts, notebooks and threads."""
from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from typing import Any, Iterator, Self, TypeVar, overload

from coracle import _core
from coracle._core import Message, Overflow
from coracle._log import relay
from coracle.errors import Stopped
from coracle.nodes import StopReport

T = TypeVar("T")


class Ear:
    """Overhears while its block lasts: `with port.overhear(source="lab/.*") as ear`."""

    def __init__(self, port: _core.BlockingPort, pattern: dict[str, Any]):
        self._port, self._pattern = port, pattern
        self.tap = 0

    def __enter__(self) -> Self:
        self.tap = self._port._overhear(**self._pattern)
        return self

    def __exit__(self, *_: object) -> None:
        if self._port.is_open:
            self._port._stop_overhearing(self.tap)

    def receive(self, *, within: float | None = None) -> Message | None:
        """Receives the next copy; None if none came within that time."""
        return self._port.receive(tap=self.tap, within=within)

    def __iter__(self) -> Iterator[Message]:
        return _iterate(self._port, {"tap": self.tap})


class Notices:
    """The tuples that come to a space: `for tuple in board.notices("task", int)`.

    The loop begins the notices, and ends them. In `with board.notices(...) as notices`, they have
    begun when the block begins, and `for tuple in notices` reads them.
    """

    def __init__(self, port: _core.BlockingPort, space: str,
                 pattern: tuple[_core.FieldPattern, ...], lease: float | None,
                 within: float | None):
        self._port, self._space, self._pattern = port, space, pattern
        self._lease, self._within = lease, within
        self._number = 0

    def __enter__(self) -> Self:
        self._number = self._port._tuple_notify(self._space, self._pattern, self._lease)
        return self

    def __exit__(self, *_: object) -> None:
        number, self._number = self._number, 0
        with contextlib.suppress(Stopped):  # then there is nothing to end
            if self._port.is_open:
                self._port._tuple_unnotify(number)

    def receive(self, *, within: float | None = None) -> tuple[_core.Field, ...] | None:
        """Receives the next tuple that has come; None if none came within that time."""
        return self._port._tuple_next(self._number, within, False)

    def missed(self) -> int:
        """The number of notices, of those known now, for which the mailbox had no room."""
        return self._port._tuple_missed(self._number)

    def __iter__(self) -> Iterator[tuple[_core.Field, ...]]:
        if self._number:
            yield from self._rest()
            return
        with Notices(self._port, self._space, self._pattern, self._lease, self._within) as own:
            yield from own._rest()

    def _rest(self) -> Iterator[tuple[_core.Field, ...]]:
        return _until_end(lambda: self._port._tuple_next(self._number, self._within, True))


class Space:
    """A tuple space, as a port uses it. A type in a pattern fits all values of that type."""

    def __init__(self, port: _core.BlockingPort, name: str):
        self._port, self.name = port, name

    def out(self, *fields: _core.Field, lease: float | None = None) -> None:
        """Stores a tuple, which is removed after `lease` seconds."""
        self._port._tuple_out(self.name, fields, lease)

    def take(self, *pattern: _core.FieldPattern,
             within: float | None = None) -> tuple[_core.Field, ...] | None:
        """Takes the oldest tuple that fits, and waits for one; None if none came in time."""
        return self._port._tuple_in(self.name, pattern, within)

    def read(self, *pattern: _core.FieldPattern,
             within: float | None = None) -> tuple[_core.Field, ...] | None:
        """As take(), but the tuple stays in the space."""
        return self._port._tuple_rd(self.name, pattern, within)

    def try_take(self, *pattern: _core.FieldPattern) -> tuple[_core.Field, ...] | None:
        """As take(), but None when there is no such tuple now."""
        return self._port._tuple_inp(self.name, pattern)

    def try_read(self, *pattern: _core.FieldPattern) -> tuple[_core.Field, ...] | None:
        """As read(), but None when there is no such tuple now."""
        return self._port._tuple_rdp(self.name, pattern)

    def evaluate(self, function: str, *arguments: _core.Field) -> None:
        """Requests the evaluation of a function; its result is a tuple of the space."""
        self._port._tuple_eval(self.name, function, arguments)

    def notices(self, *pattern: _core.FieldPattern, lease: float | None = None,
                within: float | None = None) -> Notices:
        """The tuples that fit and come from now on, for `lease` seconds.

        A loop over them ends when the node stops, or none came within that time; the end of the
        lease or of the space does not end it.
        """
        return Notices(self._port, self.name, pattern, lease, within)


def _until_end(receive: Callable[[], T]) -> Iterator[T]:
    try:
        while True:
            yield receive()
    except StopAsyncIteration:
        return


def _iterate(port: _core.BlockingPort, wanted: dict[str, Any]) -> Iterator[Message]:
    return _until_end(lambda: port._next(**wanted))


class Port(_core.BlockingPort):
    """A named agent for which the program's own thread acts; its calls wait until they are done.

    While a call waits, other threads run, and Ctrl-C ends the wait.
    """

    def __init__(self, name: str, *, mailbox_messages: int = 0, mailbox_bytes: int = 0,
                 overflow: Overflow = Overflow.WAIT, redirect: str | None = None,
                 properties: dict[str, Any] | None = None, take_over: bool = False) -> None:
        options = {"mailbox_messages": mailbox_messages, "mailbox_bytes": mailbox_bytes,
                   "overflow": overflow, "redirect": redirect, "properties": properties,
                   "take_over": take_over}
        options = {key: value for key, value in options.items() if value}
        super().__init__(name, options or None)

    def messages(self, *, from_: str | None = None, type: str | None = None, conversation: int = 0,
                 tap: int = 0, addressed: bool = False,
                 within: float | None = None) -> Iterator[Message]:
        """The messages that fit, until the node stops, or none came within that time."""
        return _iterate(self, {"from_": from_, "type": type, "conversation": conversation,
                               "tap": tap, "addressed": addressed, "within": within})

    def overhear(self, *, source: str | None = None, target: str | None = None,
                 text: str | None = None, headers: dict[str, str] | None = None,
                 limit: int = 0, rate: int = 0, outcomes: bool = False) -> Ear:
        """Overhears the messages that fit the regular expressions, while a block lasts.

        Each worker of a node makes about `rate` copies in a second; 0: all. With `outcomes`,
        notices of what becomes of the messages come, too.
        """
        return Ear(self, {"source": source, "target": target, "text": text, "headers": headers,
                          "limit": limit, "rate": rate, "outcomes": outcomes})

    def space(self, name: str) -> Space:
        """The tuple space of that name."""
        return Space(self, name)

    @overload
    def call(self, agent: str, function: str, *arguments: _core.Content, gives: type[T],
             within: float | None = None) -> T: ...

    @overload
    def call(self, agent: str, function: str, *arguments: _core.Content, gives: None = None,
             within: float | None = None) -> Any: ...

    def call(self, agent: str, function: str, *arguments: _core.Content, gives: Any = None,
             within: float | None = None) -> Any:
        """Calls a function of another agent; with `gives`, the result is of that type."""
        return self._call(agent, function, arguments, within, gives)

    def call_blindly(self, agent: str, function: str, *arguments: _core.Content) -> None:
        """Calls a function without waiting for its result."""
        self._call_blindly(agent, function, arguments)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Node:
    """This program's part of a society, with threads of the library's own.

    coracle.connect() makes it; `with` closes it at the end of the block.
    """

    def __init__(self, realization: str | None = None, *, identity: str | None = None,
                 workers: int = 1, content_limit: int = 0, connect_time: float | None = None,
                 patience: float | None = None) -> None:
        relay()
        self._node = _core.Node(realization, identity, workers, content_limit, connect_time,
                                patience, None)
        self._ports: weakref.WeakSet[Port] = weakref.WeakSet()

    def join(self, name: str, **options: Any) -> Port:
        """Joins the society under a name; the options are those of Port."""
        port = Port(name, **options)
        self._node.open_port(port)
        self._ports.add(port)
        return port

    def start_space(self, name: str) -> None:
        """Starts a tuple space as an agent of this node."""
        self._node.start_space(name)

    def stop(self, within: float = 10.0) -> StopReport:
        """Stops the node: its agents read what is under way, then end."""
        return StopReport(*self._node.stop(within))

    def close(self) -> None:
        """Leaves the society at once."""
        for port in list(self._ports):
            port.close()
        self._node.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
