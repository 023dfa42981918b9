"""Negotiation: planners, and the arbiter that searches for their plan; see `coracle.caf`."""
from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from coracle import _core
from coracle._log import AGENTS
from coracle.errors import Refusal
from coracle.roles import Acting, Role, default, expect, then


class Worth(NamedTuple):
    """The value of a node to a client."""

    score: int  #: of a plan that ends here
    best: int  #: the greatest of any plan through this node
    ends: int  #: the least cost of such a plan
    note: int = 0  #: comes back with the nodes below
    infeasible: bool = False


class PlanNode(NamedTuple):
    """A node of the tree."""

    move: str  #: that leads to the node; "" at the root
    state: str
    cost: int
    before: Worth  #: that the client gave to the node above


class Plan(NamedTuple):
    """Moves from a state."""

    start: str
    moves: tuple[str, ...]
    cost: int
    clients: tuple[str, ...]
    scores: tuple[int, ...]  #: one for each client
    is_mutual: bool  #: all find it agreeable


class PlanOutcome(NamedTuple):
    """How a negotiation has ended."""

    agreed: bool
    plan: Plan
    why: str  #: it is not agreed
    is_without_you: bool


class PlanProgress(NamedTuple):
    """How far a plan has been carried out."""

    move: str
    state: str
    cost: int
    done: bool
    fault: str  #: the plan does not continue; "" otherwise


class Judgement(NamedTuple):
    """The worth of a node, and moves that the client wishes for there."""

    worth: Worth
    moves: Sequence[str] = ()


class PlanAnswer(NamedTuple):
    """Accepts a plan; or rejects it, perhaps with moves as another proposal."""

    accepts: bool
    reason: str = ""
    counter: Sequence[str] = ()


class Planner(Acting):
    """Requests plans of arbiters, and judges them."""

    _required = ("judge",)

    @default
    def judge(self, arbiter: str, node: PlanNode, /) -> (Judgement | Worth
                                                      | Awaitable[Judgement | Worth]):
        """Judges a node, and wishes for moves there."""
        raise NotImplementedError(f"{type(self).__name__} has no judge()")

    @default
    def answer(self, arbiter: str, plan: Plan, /) -> (PlanAnswer | bool
                                                   | Awaitable[PlanAnswer | bool]):
        """A plan is offered. By default, it is accepted if it is worth no less than none."""
        return True

    @default
    def on_outcome(self, arbiter: str, outcome: PlanOutcome, /) -> object:
        """A negotiation has ended."""

    @default
    def on_progress(self, arbiter: str, progress: PlanProgress, /) -> object:
        """A move of the plan was carried out."""

    @default
    def on_objection(self, arbiter: str, what: str, reason: str, /) -> object:
        """A message of this planner has had no effect."""

    def request(self, arbiter: str, goal: str = "", *, threshold: int = 0, otherwise: int = 0,
                weight: int = 0, priority: int = 0, moves: Iterable[str] = (),
                begins_at_go: bool = False,
                within: float | None = None) -> _core.Operation[PlanOutcome]:
        """Requests something of an arbiter; ends when the negotiation has ended.

        `threshold` is the score from which on a plan is agreeable, `otherwise` the worth of no
        agreement; `moves` are those with which a plan could begin. With `begins_at_go`, the plan
        waits for go().
        """
        wish = SimpleNamespace(goal=goal, threshold=threshold, otherwise=otherwise, weight=weight,
                               priority=priority, moves=moves, begins_at_go=begins_at_go)
        return _core.request_plan(self, arbiter, wish, within)

    def go(self, arbiter: str) -> _core.Operation[None]:
        """The plan may begin."""
        return _core.go(self, arbiter)

    def withdraw(self, arbiter: str) -> _core.Operation[None]:
        """Withdraws the request."""
        return _core.withdraw(self, arbiter)

    def _judge(self, arbiter: str, node: PlanNode) -> Any:
        return then(self.judge(arbiter, node), _judgement_of)

    def _answer(self, arbiter: str, plan: Plan) -> Any:
        return then(self.answer(arbiter, plan), _answer_of)

    def _start(self, core: _core.Node) -> None:
        _core.start_planner(core, self)


def _judgement_of(found: Any) -> Any:
    return Judgement(found) if isinstance(found, Worth) else expect(found, Judgement, "judge")


def _answer_of(found: Any) -> Any:
    return PlanAnswer(found) if isinstance(found, bool) else expect(found, PlanAnswer, "answer")


class Step(NamedTuple):
    """The state after a move."""

    state: str
    cost: int = 1
    is_over: bool = True  #: False within a move that takes several cycles


class Arbiter(Role):
    """Searches a game for a plan that its clients, the planners, agree on. Times are in seconds.

    The rules of the game are pure plain functions, and are answered at once.
    """

    state: str = ""  #: in which it begins
    requests: int = 0  #: clients that have sent requests when a negotiation begins; 0: 1
    gather: float | None = None  #: it begins at the latest then; 1
    go_within: float | None = None  #: 60
    answer_within: float | None = None  #: 2
    within: float | None = None  #: for which the tree grows; 60
    rule: str | None = None  #: "mutual" (the default), "nash", ...
    nodes: int = 0  #: the budget; 0: 1,000,000
    offers: int = 0  #: 0: 16
    reconsiders: bool = False  #: negotiates anew after each control cycle
    _required = ("apply",)

    @default
    def apply(self, state: str, move: str, /) -> Step | str:
        """Carries out a move: the next state. Refusal: the move is illegal.

        Each text that a client sends comes here.
        """
        raise NotImplementedError(f"{type(self).__name__} has no apply()")

    @default
    def advance(self, state: str, move: str, /) -> Step | str:
        """The same for one control cycle of a move. By default, a move is one cycle."""
        return self.apply(state, move)

    @default
    def prepare(self, plan: Plan, /) -> str | None | Awaitable[str | None]:
        """Works out how the plan can be done; returns the reason why it cannot, or None."""
        return None

    @default
    def perform(self, move: str, state: str, cost: int, /) -> str | None | Awaitable[str | None]:
        """Carries out one cycle of a move, which leads to `state`; returns as prepare()."""
        return None

    @default
    def on_end(self, last: PlanProgress, /) -> object:
        """A plan has been carried out, or has failed."""

    def _step(self, function: str, state: str, move: str) -> Step:
        found = getattr(self, function)(state, move)
        if isinstance(found, Awaitable):
            getattr(found, "close", lambda: None)()
            raise TypeError(f"{function}() must be a plain function, which answers at once")
        return Step(found) if isinstance(found, str) else expect(found, Step, function)

    def _on_illegal(self, error: BaseException) -> None:
        if not isinstance(error, Refusal):
            AGENTS.error("the rules of %s have failed: %s", self.name, error, exc_info=error,
                         extra={"agent": self.name})

    def _start(self, core: _core.Node) -> None:
        _core.start_arbiter(core, self)
