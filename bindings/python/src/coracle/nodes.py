"""Nodes of an asyncio loop."""
from __future__ import annotations

import asyncio
import contextvars
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from coracle import _core
from coracle._log import AGENTS, LOG, relay
from coracle.errors import Fenced, Stopped
from coracle.ports import Agent, Port

if TYPE_CHECKING:
    from coracle.dispel import Subsumption
    from coracle.roles import Acting, Role

A = TypeVar("A", bound="Agent | Role | Subsumption")


class StopReport(NamedTuple):
    """How a node has stopped."""

    clean: bool  #: all agents have ended, and every message was read
    still_alive: int  #: agents that had not ended in time
    undelivered: int  #: messages that nobody read, and that no message store keeps
    kept: int  #: messages that the message store keeps
    text: str  #: the whole report for people

    def __str__(self) -> str:
        return self.text


_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _core.Hub] = weakref.WeakKeyDictionary()


def _hub_of(loop: asyncio.AbstractEventLoop) -> _core.Hub:
    """The hub of an asyncio loop: all its nodes share one descriptor."""
    hub = _hubs.get(loop)
    if hub is None or hub.is_closed:
        hub = _hubs[loop] = _core.Hub(loop)
        loop.add_reader(hub.descriptor(), hub.on_readable)
    return hub


class Node:
    """This program's part of a society, run by the asyncio loop.

    `async with coracle.Node("distributed:") as node` opens it, and stops it at the end of the
    block. Without a realization, the variable CORACLE_REALIZATION decides, or else it is
    "local:". With `workers`, threads of the library carry the messages; agents still run in the
    asyncio loop.
    """

    def __init__(self, realization: str | None = None, *, identity: str | None = None,
                 workers: int = 0, content_limit: int = 0, connect_time: float | None = None,
                 patience: float | None = None) -> None:
        self._options = (realization, identity, workers, content_limit, connect_time, patience)
        self._node: _core.Node | None = None
        self._agents: dict[asyncio.Task[None], Agent | Acting] = {}
        self._roles: set[Role] = set()
        self._note_end = self._on_end  # one object for all tasks
        self._ports: weakref.WeakSet[Port] = weakref.WeakSet()

    async def open(self) -> Self:
        """Connects to the society; `async with` does this."""
        relay()
        self._loop = loop = asyncio.get_running_loop()
        self._hub = _hub_of(loop)
        self._context = contextvars.copy_context()
        self._node = await loop.run_in_executor(None, _core.Node, *self._options, self._hub)
        self._hub.count += 1
        return self

    def _open_node(self) -> _core.Node:
        if self._node is None:
            raise RuntimeError("the node is not open; use it in `async with coracle.Node(...)`")
        return self._node

    async def join(self, name: str, **options: Any) -> Port:
        """Joins the society under a name, without an agent's class."""
        port = Port(name, **options)
        await self._open_node().open_port(port)
        self._ports.add(port)
        return port

    async def start(self, agent: A) -> A:
        """Starts an agent; its run() continues while the program does other things.

        It also starts the roles of `coracle.dispel`, `coracle.caf` and `coracle.calls`.
        """
        if isinstance(agent, Agent):
            await self._open_node().open_port(agent)
            self._run(agent)
        else:
            await agent._start_on(self)
        return agent

    def _run(self, agent: Agent | Acting) -> None:
        task = asyncio.create_task(agent.run(), name=agent.name)
        agent._task = task
        self._agents[task] = agent
        task.add_done_callback(self._note_end, context=self._context)

    def _on_end(self, task: asyncio.Task[None]) -> None:
        agent = self._agents.pop(task)
        error = None if task.cancelled() else task.exception()
        if error is None or isinstance(error, Stopped):
            return agent.close()
        level = AGENTS.warning if isinstance(error, Fenced) else AGENTS.error
        level("the agent %s has failed: %s", agent.name, error, exc_info=error,
              extra={"agent": agent.name})
        agent._fail(f"{type(error).__name__}: {error}")
        agent.close()

    async def start_space(self, name: str) -> None:
        """Starts a tuple space as an agent of this node."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._open_node().start_space, name)

    async def wait(self) -> None:
        """Waits until all agents that were started have ended."""
        while self._agents:
            await asyncio.wait(self._agents)

    async def stop(self, within: float = 10.0) -> StopReport:
        """Stops the node: its agents read what is under way, then end."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within
        report = StopReport(*await loop.run_in_executor(None, self._open_node().stop, within))
        if self._agents:
            await asyncio.wait(self._agents, timeout=max(0.0, end - loop.time()))
        await self._cancel_agents()
        return report

    async def _cancel_agents(self) -> None:
        for task in list(self._agents):
            task.cancel()
        tasks = [*self._agents, *(task for role in self._roles for task in role._cancel())]
        if tasks:
            await asyncio.wait(tasks)

    def close(self) -> None:
        """Leaves the society at once."""
        node, self._node = self._node, None
        if node is None:
            return
        for port in [*self._ports, *self._agents.values(), *self._roles]:
            port.close()
        node.close()
        self._hub.count -= 1
        if self._hub.count == 0 and not self._hub.is_closed:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._hub.descriptor())
            self._hub.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if self._node is not None:
                if kind is not None:
                    await self._cancel_agents()
                report = await self.stop(10.0 if kind is None else 1.0)
                if not report.clean:
                    LOG.info("the node has stopped: %s", report)
        finally:
            self.close()
