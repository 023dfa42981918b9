"""Ports and agents of an asyncio loop."""
from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, AsyncIterator, NamedTuple, Self, TypeVar, overload

from coracle import _core
from coracle._core import DropReason, Message, NoticeStage, Outcome, Overflow
from coracle.errors import Stopped

T = TypeVar("T")


class Entry(NamedTuple):
    """An agent in the directory, with the properties that it publishes."""

    name: str
    properties: dict[str, bool | int | float | str]


_core._set_entry(Entry)


class Notice(NamedTuple):
    """A report on a message that was overheard: `message.notice`."""

    stage: NoticeStage
    outcome: Outcome | None  # with NoticeStage.ENDED
    drop_reason: DropReason | None  # with Outcome.DROPPED
    receiver: str  # for a message to a group, one of its members


_core._set_notice(Notice)


class Messages:
    """The messages of an agent, one after the other: `async for message in agent.messages()`."""

    def __init__(self, port: _core.Port, wanted: dict[str, Any]):
        self._port, self._wanted = port, wanted

    def __aiter__(self) -> AsyncIterator[Message]:
        return self

    def __anext__(self) -> _core.Operation[Message]:
        return self._port._next(**self._wanted)


class Ear:
    """Overhears while its block lasts: `async with agent.overhear(source="lab/.*") as ear`.

    In the block, `async for message in ear` reads the copies, and `ear.tap` is the tap's number.
    """

    def __init__(self, port: _core.Port, pattern: dict[str, Any]):
        self._port, self._pattern = port, pattern
        self.tap = 0

    async def __aenter__(self) -> Self:
        self.tap = await self._port._overhear(**self._pattern)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._port.is_open:
            await self._port._stop_overhearing(self.tap)

    def receive(self, *, within: float | None = None) -> _core.Operation[Message | None]:
        """Receives the next copy; None if none came within that time."""
        return self._port.receive(tap=self.tap, within=within)

    def __aiter__(self) -> AsyncIterator[Message]:
        return Messages(self._port, {"tap": self.tap})


class Notices:
    """The tuples that come to a space: `async for tuple in board.notices("task", int)`.

    The loop begins the notices, and ends them. In `async with board.notices(...) as notices`, they
    have begun when the block begins, and `async for tuple in notices` reads them.
    """

    def __init__(self, port: _core.Port, space: str, pattern: tuple[_core.FieldPattern, ...],
                 lease: float | None, within: float | None):
        self._port, self._space, self._pattern = port, space, pattern
        self._lease, self._within = lease, within
        self._number = 0

    async def __aenter__(self) -> Self:
        begun = self._port._tuple_notify(self._space, self._pattern, self._lease)
        try:
            self._number = await asyncio.shield(begun)
        except asyncio.CancelledError:
            begun.add_done_callback(self._end_unwanted)
            raise
        return self

    def _end_unwanted(self, begun: _core.Operation[int]) -> None:
        if self._port.is_open and begun.exception() is None:
            self._port._tuple_unnotify(begun.result())

    async def __aexit__(self, *_: object) -> None:
        number, self._number = self._number, 0
        with contextlib.suppress(Stopped):  # then there is nothing to end
            if self._port.is_open:
                await self._port._tuple_unnotify(number)

    def receive(self, *, within: float | None = None
                ) -> _core.Operation[tuple[_core.Field, ...] | None]:
        """Receives the next tuple that has come; None if none came within that time.

        Another agent may have taken the tuple from the space by then.
        """
        return self._port._tuple_next(self._number, within, False)

    def missed(self) -> _core.Operation[int]:
        """The number of notices, of those known now, for which the mailbox had no room."""
        return self._port._tuple_missed(self._number)

    def __aiter__(self) -> AsyncIterator[tuple[_core.Field, ...]]:
        return self if self._number else self._all()

    def __anext__(self) -> _core.Operation[tuple[_core.Field, ...]]:
        return self._port._tuple_next(self._number, self._within, True)

    async def _all(self) -> AsyncIterator[tuple[_core.Field, ...]]:
        own = Notices(self._port, self._space, self._pattern, self._lease, self._within)
        async with own:
            async for each in own:
                yield each


class Space:
    """A tuple space, as an agent uses it. A type in a pattern fits all values of that type."""

    def __init__(self, port: _core.Port, name: str):
        self._port, self.name = port, name

    def out(self, *fields: _core.Field, lease: float | None = None) -> _core.Operation[None]:
        """Stores a tuple, which is removed after `lease` seconds."""
        return self._port._tuple_out(self.name, fields, lease)

    def take(self, *pattern: _core.FieldPattern,
             within: float | None = None) -> _core.Operation[tuple[_core.Field, ...] | None]:
        """Takes the oldest tuple that fits, and waits for one; None if none came in time."""
        return self._port._tuple_in(self.name, pattern, within)

    def read(self, *pattern: _core.FieldPattern,
             within: float | None = None) -> _core.Operation[tuple[_core.Field, ...] | None]:
        """As take(), but the tuple stays in the space."""
        return self._port._tuple_rd(self.name, pattern, within)

    def try_take(self, *pattern: _core.FieldPattern
                 ) -> _core.Operation[tuple[_core.Field, ...] | None]:
        """As take(), but None when there is no such tuple now."""
        return self._port._tuple_inp(self.name, pattern)

    def try_read(self, *pattern: _core.FieldPattern
                 ) -> _core.Operation[tuple[_core.Field, ...] | None]:
        """As read(), but None when there is no such tuple now."""
        return self._port._tuple_rdp(self.name, pattern)

    def evaluate(self, function: str, *arguments: _core.Field) -> _core.Operation[None]:
        """Requests the evaluation of a function; its result is a tuple of the space.

        Agents that offer functions are coracle.calls.Evaluator. Fails with Refused when none offers
        this one.
        """
        return self._port._tuple_eval(self.name, function, arguments)

    def notices(self, *pattern: _core.FieldPattern, lease: float | None = None,
                within: float | None = None) -> Notices:
        """The tuples that fit and come from now on, for `lease` seconds.

        A loop over them ends when the node stops, or none came within that time; the end of the
        lease or of the space does not end it.
        """
        return Notices(self._port, self.name, pattern, lease, within)


class Port(_core.Port):
    """A named agent for which a task of the program acts: `me = await node.join("lab/me")`.

    Its functions give operations to `await`. They belong to the asyncio loop of its node.
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
                 tap: int = 0, addressed: bool = False, within: float | None = None) -> Messages:
        """The messages that fit, until the node stops, or none came within that time."""
        return Messages(self, {"from_": from_, "type": type, "conversation": conversation,
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
             within: float | None = None) -> _core.Operation[T]: ...

    @overload
    def call(self, agent: str, function: str, *arguments: _core.Content, gives: None = None,
             within: float | None = None) -> _core.Operation[Any]: ...

    def call(self, agent: str, function: str, *arguments: _core.Content, gives: Any = None,
             within: float | None = None) -> _core.Operation[Any]:
        """Calls a function of another agent; with `gives`, the result is of that type.

        Fails with Refused and the text of an exception when the function has raised one.
        """
        return self._call(agent, function, arguments, within, gives)

    def call_blindly(self, agent: str, function: str,
                     *arguments: _core.Content) -> _core.Operation[None]:
        """Calls a function without waiting for its result."""
        return self._call_blindly(agent, function, arguments)

    @property
    def log(self) -> logging.LoggerAdapter[logging.Logger]:
        """The logger `coracle.agent`, whose records have this agent's name as `agent`."""
        from coracle._log import AGENTS
        return logging.LoggerAdapter(AGENTS, {"agent": self.name})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class Agent(Port):
    """An agent: derive from it, and write `async def run(self)`.

    `await node.start(Sonar("lab/sonar"))` makes it a member of the society. It ends when run()
    returns. An exception that leaves run() ends this agent alone: it is logged, agents that watch
    it or wait for its replies get the text, and ended() raises it.
    """

    _task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """The work of this agent."""
        raise NotImplementedError(f"{type(self).__name__} has no `async def run(self)`")

    async def ended(self) -> None:
        """Waits for the end of this agent; raises the exception that ended it."""
        if self._task is None:
            raise RuntimeError(f"the agent {self.name} was not started; use node.start()")
        await asyncio.shield(self._task)
