"""The roles of DisPeL: servers, pipelines, masters and slaves, layers of behaviours.

    class Double(dispel.Filter[int, int]):
        def process(self, item: int, /) -> int:
            return 2 * item

A role is a class to derive from; `await node.start(...)` starts it. The types in brackets are
those of what comes and what goes: str, int, float, bool, bytes, or a dataclass with a
`content_type`; they are the types of these names in C++. Values of other types are sent as
"application/cbor". Each function may be an `async def`, and may raise coracle.Refusal.
"""
from __future__ import annotations

import enum
from collections.abc import Awaitable, Iterable
from types import SimpleNamespace
from typing import Any, Generic, TypeVar, overload

from coracle import _core
from coracle._layers import Behaviour, In, Input, Out, Output, Subsumption
from coracle._pipelines import Filter, Kind, Pipeline, Sink, Source, Stage
from coracle._typed import content_name, parameters
from coracle.roles import Acting, Role, default

__all__ = ["Behaviour", "Client", "Filter", "In", "Input", "Kind", "Master", "Out", "Output",
           "Pipeline", "Server", "Shares", "Sink", "Slave", "Source", "Stage", "Subsumption"]

Question = TypeVar("Question")
Reply = TypeVar("Reply")
Task = TypeVar("Task")
Result = TypeVar("Result")
T = TypeVar("T")


class Server(Role, Generic[Question, Reply]):
    """Serves the requests of any number of clients: `class Halver(dispel.Server[int, int])`.

    Refusal refuses a request; another exception ends the server.
    """

    service: str | None = None  #: that clients may ask for instead of its name
    at_once: int = 1  #: requests that are considered at the same time
    waiting: int = 0  #: requests that may wait in each lane; 0: 4,096
    each: int = 0  #: the same for one client; 0: 1,024
    _required = ("answer",)

    @default
    def answer(self, request: Question, /) -> Reply | Awaitable[Reply]:
        """The reply to a request."""
        raise NotImplementedError(f"{type(self).__name__} has no answer()")

    def _types(self) -> tuple[Any, Any]:
        question, reply = parameters(type(self), Server)
        return question, reply

    def _start(self, core: _core.Node) -> None:
        _core.start_server(core, self)


class Client(Acting):
    """Sends requests to servers, several at a time."""

    _tells_end = False

    @overload
    def request(self, value: _core.Content, *, server: str | None = None,
                service: str | None = None, gives: type[T], type: str | None = None, lane: int = 0,
                within: float | None = None, attempts: int = 0,
                each: float | None = None) -> _core.Operation[T]: ...

    @overload
    def request(self, value: _core.Content, *, server: str | None = None,
                service: str | None = None, gives: None = None, type: str | None = None,
                lane: int = 0, within: float | None = None, attempts: int = 0,
                each: float | None = None) -> _core.Operation[Any]: ...

    def request(self, value: _core.Content, *, server: str | None = None,
                service: str | None = None, gives: Any = None, type: str | None = None,
                lane: int = 0, within: float | None = None, attempts: int = 0,
                each: float | None = None) -> _core.Operation[Any]:
        """Sends a request to a server by its name, or to any one that offers a service.

        A higher lane is served first. `within` is the time for which the reply is of use; `each`
        is the time that one server may take before the next one is asked, up to `attempts` (3).
        """
        how = SimpleNamespace(server=server, service=service, lane=lane, within=within, each=each,
                              attempts=attempts, type=type or content_name(value.__class__))
        return _core.request(self, value, how, gives)

    def _start(self, core: _core.Node) -> None:
        _core.start_client(core, self)

    def close(self) -> None:
        """Ends this client, after the requests that have begun."""
        super().close()
        self._on_end()


class Slave(Role, Generic[Task, Result]):
    """Does the tasks of its master. An exception ends it, and another slave gets the task."""

    leaves: bool = False  #: it ends when its master is gone; otherwise it waits for another one
    _required = ("work",)

    @default
    def work(self, task: Task, /) -> Result | Awaitable[Result]:
        """The result of a task."""
        raise NotImplementedError(f"{type(self).__name__} has no work()")

    def _types(self) -> tuple[Any, Any]:
        task, result = parameters(type(self), Slave)
        return task, result

    def _start(self, core: _core.Node) -> None:
        _core.start_slave(core, self)


class Shares(enum.IntEnum):
    """The way in which a master hands out its tasks."""

    GUIDED = 0  #: chunks for slaves that have little to do, large at first, then small
    FIXED = 1  #: an equal part for each slave from the beginning
    DYNAMIC = 2  #: the next chunk for a slave that has little to do


class Master(Acting, Generic[Task, Result]):
    """Gives tasks to slaves: `dispel.Master[int, int]("master", slaves=["ann", "bob"])`."""

    slaves: Iterable[str] = ()  #: their names; any program makes them, at any time

    def divide(self, tasks: Iterable[Task], *, shares: Shares = Shares.GUIDED, chunk: int = 0,
               most: int = 0, ordered: bool = False, ahead: int = 0,
               attempts: int = 0) -> _core.Operation[list[Result]]:
        """Gives the tasks to the slaves; the results are in the order of the tasks.

        One division is under way at a time; the others wait. `ordered`: on_result() is called in
        the order of the tasks. `attempts`: deaths of slaves over one task that end it (5).
        """
        how = SimpleNamespace(slave=None, shares=shares, chunk=chunk, most=most, ordered=ordered,
                              ahead=ahead, attempts=attempts)
        return _core.divide(self, tasks, how, self._types()[0])

    async def command(self, slave: str, task: Task) -> Result:
        """Gives a task to that slave alone."""
        how = SimpleNamespace(slave=slave, shares=0, chunk=0, most=0, ordered=False, ahead=0,
                              attempts=0)
        results: list[Result] = await _core.divide(self, [task], how, self._types()[0])
        return results[0]

    @default
    def on_result(self, task: int, result: Result, /) -> object:
        """The task with that number is done."""

    @default
    def on_progress(self, done: int, all: int, /) -> object:
        """So many of all tasks are done."""

    @default
    def on_refusal(self, slave: str, why: str, /) -> object:
        """A slave does not work for this master."""

    def _types(self) -> tuple[Any, Any]:
        kind = getattr(self, "__orig_class__", type(self))
        task, result = parameters(kind, Master)
        return result, task

    def _start(self, core: _core.Node) -> None:
        _core.start_master(core, self)
