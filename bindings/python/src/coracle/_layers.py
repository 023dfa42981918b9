"""Layers of behaviours; `coracle.dispel` shows them."""
from __future__ import annotations

from typing import Any, Generic, Self, TypeVar, overload

from coracle import _core
from coracle._typed import build, content_name
from coracle.nodes import Node
from coracle.roles import Role, default

T = TypeVar("T")


class Input(Generic[T]):
    """An input of a behaviour: a register that holds the last signal."""

    value: T | None = None  #: the last signal; None if there was none
    is_fresh: bool = False  #: whether it came since the last reaction


class Output(Generic[T]):
    """An output of a behaviour."""

    def __init__(self, behaviour: Behaviour, name: str, kind: type[T]) -> None:
        self._behaviour, self._name, self._kind = behaviour, name, kind

    def send(self, signal: T) -> None:
        """Sends a signal when the reaction ends."""
        value = build(self._kind, signal, f"the signal of {self._name}")
        self._behaviour._reaction().signal(self._name, value)


class _Terminal(Generic[T]):
    def __init__(self, kind: type[T]) -> None:
        self.kind, self.name = kind, ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class In(_Terminal[T]):
    """Declares an input: `sonar = dispel.In(float)`, an Input of each such behaviour."""

    @overload
    def __get__(self, behaviour: None, owner: type) -> Self: ...

    @overload
    def __get__(self, behaviour: Behaviour, owner: type) -> Input[T]: ...

    def __get__(self, behaviour: Behaviour | None, owner: type) -> Self | Input[T]:
        if behaviour is None:
            return self
        return behaviour._inputs.setdefault(self.name, Input())


class Out(_Terminal[T]):
    """Declares an output: `drive = dispel.Out(str)`, an Output of each such behaviour."""

    @overload
    def __get__(self, behaviour: None, owner: type) -> Self: ...

    @overload
    def __get__(self, behaviour: Behaviour, owner: type) -> Output[T]: ...

    def __get__(self, behaviour: Behaviour | None, owner: type) -> Self | Output[T]:
        if behaviour is None:
            return self
        return Output(behaviour, self.name, self.kind)


class Behaviour(Role):
    """A behaviour in a layer of a subsumption architecture.

    A class that declares inputs and outputs, and has no react(), is one that another process
    makes.
    """

    _terminals: list[tuple[str, str, bool]]
    alarm_rang: bool = False  #: in react(): whether the alarm is the reason for it

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._inputs: dict[str, Input[Any]] = {}
        self._question: _core.Question | None = None

    @default
    def react(self) -> object:
        """Is called at the beginning, and when signals have come or the alarm rings."""

    def alarm(self, after: float) -> None:
        """In react(): sets the alarm, from the end of the reaction on."""
        self._reaction().alarm(after)

    def _reaction(self) -> _core.Question:
        if self._question is None:
            raise RuntimeError(f"signals and alarms of {self.name} belong into its react()")
        return self._question

    def _declared(self) -> list[_Terminal[Any]]:
        kind = type(self)
        return [found for name in dir(kind)
                if isinstance(found := getattr(kind, name, None), _Terminal)]

    def _react(self, question: _core.Question) -> Any:
        self._question = question
        self.alarm_rang = question.alarm_rang()
        for each in self._declared():
            if isinstance(each, In):
                found = self._inputs.setdefault(each.name, Input())
                found.value, found.is_fresh = question.input(each.name, each.kind)
        return self.react()


class Subsumption:
    """A network of behaviours: in the beginning its wires, then `await node.start(network)`.

    The agents are named network/behaviour.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._layers: list[tuple[int, Behaviour]] = []
        self._wires: list[tuple[str, str, int, float | None]] = []

    def add(self, layer: int, behaviour: Behaviour) -> Self:
        """Adds a behaviour to a layer; a higher layer wins."""
        self._layers.append((layer, behaviour))
        return self

    def wire(self, output: str, input: str) -> Self:
        """Connects "behaviour.output" with "behaviour.input"."""
        self._wires.append((output, input, 0, None))
        return self

    def suppress(self, output: str, input: str, constant: float) -> Self:
        """For `constant` seconds after each of its signals, the input gets only these signals."""
        self._wires.append((output, input, 1, constant))
        return self

    def inhibit(self, output: str, inhibited: str, constant: float) -> Self:
        """For `constant` seconds after each of its signals, the inhibited output sends nothing."""
        self._wires.append((output, inhibited, 2, constant))
        return self

    async def _start_on(self, node: Node) -> None:
        core = node._open_node()
        for _, behaviour in self._layers:
            behaviour._terminals = [(each.name, content_name(each.kind), isinstance(each, In))
                                    for each in behaviour._declared()]
            behaviour._attach(node)
            behaviour._over = node._loop.create_future()
            behaviour._label = f"{self.name}/{behaviour.name}"
            if not hasattr(behaviour.react, "_is_default"):
                node._roles.add(behaviour)
        try:
            await node._loop.run_in_executor(None, _core.start_subsumption, core, self)
        except BaseException:
            node._roles.difference_update(each for _, each in self._layers)
            raise
