"""Remote calls: an agent whose functions others call, and a stub of such an agent. Also evaluators:
agents whose functions make tuples of a space.

    class Navigator(calls.Service):
        @calls.function
        async def miles(self, place: str) -> int:
            return await self.look_up(place)

    async with coracle.Node() as node:
        await node.start(Navigator("navigator"))
        me = await node.join("captain")
        navigator = calls.Stub(me, "navigator", within=10)
        print(await navigator.miles("the island"))
"""
from __future__ import annotations

import inspect
import itertools
import typing
from typing import Any, TypeVar

from coracle import _core
from coracle._log import AGENTS
from coracle._typed import build
from coracle.blocking import Port as BlockingPort
from coracle.errors import BadArgument, Refusal, WrongType
from coracle.ports import Port
from coracle.roles import F, Role, then

__all__ = ["Evaluator", "Service", "Stub", "function"]


def function(method: F) -> F:
    """Offers a method of a Service, or of an Evaluator, to other agents, under its name.

    Arguments and the result are checked against its annotations; a dataclass is built.
    """
    setattr(method, "_is_offered", True)
    return method


class _Function:
    """A method with the types of its arguments."""

    _is_usual = True  # as many arguments as parameters can be bound

    def __init__(self, method: Any) -> None:
        self._method, self._signature = method, inspect.signature(method)
        types = typing.get_type_hints(method)
        self._gives, self._result = types.get("return", Any), f"the result of {method.__name__}"
        # The type of each argument and the words for it in an error; also of those in *arguments.
        self._each: list[tuple[Any, str]] = []
        self._rest: tuple[Any, str] = Any, ""
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                self._rest = types.get(name, Any), f"an argument of {name}"
            elif parameter.kind in (inspect.Parameter.POSITIONAL_ONLY,
                                    inspect.Parameter.POSITIONAL_OR_KEYWORD):
                self._each.append((types.get(name, Any), f"the argument {name}"))
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                self._is_usual = False

    def __call__(self, arguments: list[Any]) -> Any:
        try:
            given = self._fit(arguments)
        except (TypeError, WrongType) as error:
            raise Refusal(f"{self._method.__name__}(): {error}") from error
        return then(self._method(*given), self._fit_result)

    def _fit(self, arguments: list[Any]) -> list[Any]:
        if len(arguments) != len(self._each) or not self._is_usual:
            self._signature.bind(*arguments)  # is slow, and fails if they do not fit
        kinds = itertools.chain(self._each, itertools.repeat(self._rest))
        return [build(kind, value, place) for value, (kind, place) in zip(arguments, kinds)]

    def _fit_result(self, value: Any) -> Any:
        return build(self._gives, value, self._result)


class _Offering(Role):
    """A role whose functions are its methods with @calls.function."""

    def _prepare_functions(self) -> None:
        methods = {name: getattr(self, name) for name in dir(type(self))
                   if hasattr(getattr(type(self), name), "_is_offered")}
        self._offered = {name: _Function(method) for name, method in methods.items()}
        self._functions = list(methods)

    def _serve(self, name: str, arguments: list[Any]) -> Any:
        return self._offered[name](arguments)

    def _on_error(self, question: _core.Question | None, error: BaseException) -> None:
        if question is None or not isinstance(error, Exception) or isinstance(error, Refusal):
            return super()._on_error(question, error)
        AGENTS.info("a function of %s has failed: %s", self.name, error, exc_info=error,
                    extra={"agent": self.name})
        if question.is_open:
            question.fail(f"{type(error).__name__}: {error}")


class Service(_Offering):
    """An agent that serves calls of its functions, those with @calls.function.

    An exception of a function goes to its caller as Refused, and ends nothing here.
    """

    at_once: int = 1  #: calls that are under way at the same time

    def _start(self, core: _core.Node) -> None:
        self._prepare_functions()
        _core.start_service(core, self)


class Evaluator(_Offering):
    """An agent that evaluates its functions, those with @calls.function, for a tuple space.

        class Clerk(calls.Evaluator):
            @calls.function
            def square(self, number: int) -> tuple[str, int, int]:
                return "square", number, number * number

        await node.start(Clerk("clerk", "board"))
        await me.space("board").evaluate("square", 7)

    A function returns the tuple that comes into the space, or None for none. An exception becomes
    the tuple ("eval failed", the function's name, the text), and ends nothing here. When this agent
    dies, another one that offers the function does what it had begun; so a function may be begun
    more than once. An evaluator ends with its node.
    """

    at_once: int = 1  #: evaluations that are under way at the same time

    def __init__(self, name: str, space: str, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.space = space

    def retire(self) -> None:
        """Fails with BadArgument: an evaluator ends with its node."""
        raise BadArgument(f"the evaluator {self.name} ends with its node; it cannot end by itself")

    def _start(self, core: _core.Node) -> None:
        self._prepare_functions()
        _core.start_evaluator(core, self)


P = TypeVar("P", Port, BlockingPort)


class _Called:
    """A function of another agent: call it, or tell() it without waiting for a result."""

    def __init__(self, stub: Stub, name: str) -> None:
        self._stub, self._name = stub, name

    def __call__(self, *arguments: _core.Content, gives: Any = None) -> Any:
        stub = self._stub
        return stub._port.call(stub._agent, self._name, *arguments, gives=gives,
                               within=stub._within)

    def tell(self, *arguments: _core.Content) -> Any:
        """Calls it without waiting for its result."""
        return self._stub._port.call_blindly(self._stub._agent, self._name, *arguments)


class Stub:
    """The functions of another agent as if they were its own: `await navigator.miles("Rome")`.

    `within` limits each call, in seconds.
    """

    def __init__(self, port: Port | BlockingPort, agent: str, *,
                 within: float | None = None) -> None:
        self._port, self._agent, self._within = port, agent, within

    def __getattr__(self, name: str) -> _Called:
        return _Called(self, name)
