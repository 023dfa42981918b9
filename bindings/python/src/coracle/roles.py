"""Roles: agents whose functions the library calls, or by which the program acts."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar

from coracle import _core
from coracle._core import EndReason
from coracle._log import AGENTS
from coracle._typed import content_name
from coracle.errors import AgentFailed, NoSuchAgent, Refusal, Stopped

if TYPE_CHECKING:
    from coracle.nodes import Node

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS = frozenset(("mailbox_messages", "mailbox_bytes", "overflow", "redirect", "properties",
                      "take_over"))


def default(function: F) -> F:
    """Marks a function that a role need not have: the library does without it."""
    setattr(function, "_is_default", True)
    return function


def then(answer: T | Awaitable[T], change: Callable[[T], Any]) -> Any:
    """The answer, changed when it is there."""
    if not isinstance(answer, Awaitable):
        return change(answer)

    async def later() -> Any:
        return change(await answer)
    return later()


def expect(answer: Any, kind: type[T], function: str) -> T:
    """Fails unless the answer of a function is of that type."""
    if isinstance(answer, kind):
        return answer
    raise TypeError(f"{function}() should return a {kind.__name__}, not {answer!r:.80}")


def raise_again(error: BaseException) -> None:
    """Raises an exception that is for the whole program."""
    raise error


class Role(_core.Role):
    """The base of all roles: `await node.start(Halver("halver"))` makes one an agent.

    The library calls the functions of a role one at a time, in the asyncio loop. A function that
    must wait is an `async def`; its answer is its value when it returns. Refusal refuses; another
    exception is logged, and ends the role as it ends an agent.

    The settings of a role are attributes of its class, and can be given by their names:
    `Halver("halver", at_once=4)`.
    """

    _tells_end = True  # the library tells when its agent has ended
    _required: tuple[str, ...] = ()  # the functions that it must have
    _watch: asyncio.Task[None] | None = None

    def __init__(self, name: str, **settings: Any) -> None:
        options = {key: settings.pop(key) for key in _OPTIONS & settings.keys()}
        super().__init__(name, options or None)
        for key, value in settings.items():
            if key.startswith("_") or not hasattr(type(self), key):
                raise TypeError(f"{type(self).__name__} has no setting {key!r}")
            setattr(self, key, value)
        self._label = name
        self._node: Node | None = None
        self._tasks: dict[asyncio.Task[None], _core.Question | None] = {}
        self._error: BaseException | None = None

    def retire(self) -> None:
        """Ends the role in order.

        It ends with the answer that the library waits for: when the function or the coroutine that
        called this has returned.
        """
        self._end(None)

    async def ended(self) -> None:
        """Waits for the end of this role; raises the exception that ended it."""
        if self._node is None:
            raise RuntimeError(f"the role {self.name} was not started; use node.start()")
        if not self._tells_end and not self._watch:
            self._watch = self._loop.create_task(self._watch_end(self._node))
        await asyncio.shield(self._watch or self._over)
        if self._error is not None:
            raise self._error

    async def _watch_end(self, node: Node) -> None:
        async with await node.join(f"{self.name}/watcher") as port:
            try:
                reason = await port.watch(self.name)
            except NoSuchAgent:
                return  # it has ended before
        if reason == EndReason.CRASHED:
            raise AgentFailed(f"the agent {self.name} has failed; its node has logged why")

    def close(self) -> None:
        """Ends a role by which the program acts; any other one goes on until its node stops."""
        self._close()

    # --- the beginning ---

    def _types(self) -> tuple[Any, Any]:
        """The types of the values that come and that go."""
        return None, None

    async def _start_on(self, node: Node) -> None:
        core = node._open_node()
        self._attach(node)
        self._over: asyncio.Future[None] = self._loop.create_future()
        node._roles.add(self)
        try:
            await self._loop.run_in_executor(None, self._start, core)
        except BaseException:
            node._roles.discard(self)
            raise

    @classmethod
    def _check(cls) -> None:
        for name in cls._required:
            if hasattr(getattr(cls, name), "_is_default"):
                raise TypeError(f"{cls.__name__} has no function {name}(); it needs one")

    def _attach(self, node: Node) -> None:
        """Gives the role what it needs before the library calls it."""
        self._check()
        takes, gives = self._types()
        self._takes_name, self._gives_name = content_name(takes), content_name(gives)
        self._node, self._loop = node, node._loop
        self._prepare(node._hub, None if takes is Any else takes, None if gives is Any else gives)

    def _start(self, core: _core.Node) -> None:
        raise NotImplementedError

    # --- the questions of the library; see core/role.cpp ---

    def _answer_later(self, question: _core.Question | None, answer: Any) -> None:
        task = self._loop.create_task(self._finish(question, answer), name=self._label)
        self._tasks[task] = question
        task.add_done_callback(self._tasks.pop)

    async def _finish(self, question: _core.Question | None, answer: Any) -> None:
        try:
            if not isinstance(answer, AsyncGenerator):
                value = await answer
            else:
                value = None
                async for item in answer:
                    if question is not None:
                        question.put(item)
            if question is not None:
                question.answer(value)
        except asyncio.CancelledError:
            if question is not None:
                question.free()
            raise
        except BaseException as error:
            self._on_error(question, error)

    def _on_error(self, question: _core.Question | None, error: BaseException) -> None:
        if question is not None and isinstance(error, Refusal):
            return question.refuse(str(error))
        if isinstance(error, Stopped) and not (question and question.is_open):
            return  # nobody waits for the answer
        self._error = error
        AGENTS.error("the agent %s has failed: %s", self._label, error, exc_info=error,
                     extra={"agent": self._label})
        text = f"{type(error).__name__}: {error}"
        if question is not None:
            question.fail(text)
        else:
            self._end(text)
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            self._loop.call_soon(raise_again, error)

    def _drop_closed(self) -> None:
        """Cancels the tasks whose answers nobody wants."""
        for task, question in list(self._tasks.items()):
            if question is not None and not question.is_open:
                task.cancel()

    def _cancel(self) -> list[asyncio.Task[None]]:
        for task in self._tasks:
            task.cancel()
        return list(self._tasks)

    def _on_end(self) -> None:
        self._cancel()
        if self._node is not None:
            self._node._roles.discard(self)
        if not self._over.done():
            self._over.set_result(None)


class Acting(Role):
    """A role by which the program acts.

    Derive from it and write `async def run(self)`: the role ends when run() returns. Without
    run(), other code uses its functions, until close() or the end of `async with`.
    """

    _task: asyncio.Task[None] | None = None

    @default
    async def run(self) -> None:
        """The work of this role, if it has any of its own accord."""

    async def ended(self) -> None:
        """Waits for the end of run(); raises the exception that ended it."""
        if self._task is None:
            return await super().ended()
        await asyncio.shield(self._task)

    async def _start_on(self, node: Node) -> None:
        await super()._start_on(node)
        if not hasattr(self.run, "_is_default"):
            node._run(self)

    def _fail(self, text: str) -> None:
        """Its node calls it when run() has failed."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
