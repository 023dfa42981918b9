"""Councils, their peers, and decisions; `coracle.caf` shows them."""
from __future__ import annotations

import enum
from collections.abc import Awaitable, Iterable, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple, overload

from coracle import _core
from coracle.blocking import Port as BlockingPort
from coracle.ports import Port
from coracle.roles import Role, default, then


class Agenda(NamedTuple):
    """A call for alternatives, or for votes."""

    id: int  #: of the decision
    round: int
    subject: str
    alternatives: tuple[str, ...]  #: none in a call for alternatives
    within: float  #: the time for the answer, in seconds


class Decision(NamedTuple):
    """What a council has decided."""

    id: int
    subject: str
    decided: bool
    winner: str  #: "" if it is not decided
    co_winners: tuple[str, ...]
    why: str  #: it is not decided


class Refusal(NamedTuple):
    """A message of a peer has had no effect."""

    id: int  #: of the decision
    round: int
    what: str
    reason: str


class Ballot(NamedTuple):
    """A vote, for rules that count a ranking, approvals or scores."""

    ranking: Sequence[str] = ()  #: alternatives, best first
    approved: Iterable[str] | None = None  #: alternatives; an empty list approves of none
    scores: Sequence[int | Fraction] = ()  #: one for each alternative


class Peer(Role):
    """Proposes alternatives and votes, as a member of councils."""

    @default
    def propose(self, call: Agenda, /) -> Sequence[str] | Awaitable[Sequence[str]]:
        """Alternatives for the subject."""
        return ()

    @default
    def vote(self, agenda: Agenda, /) -> (Sequence[str] | Ballot | None
                                       | Awaitable[Sequence[str] | Ballot | None]):
        """The alternatives, best first; or a Ballot. None abstains."""

    @default
    def on_decision(self, decision: Decision, /) -> object:
        """The council has decided."""

    @default
    def on_refusal(self, refusal: Refusal, /) -> object:
        """A message of this peer has had no effect."""

    def _vote(self, agenda: Agenda) -> Any:
        return then(self.vote(agenda), lambda vote: _ballot_of(agenda, vote))

    def _start(self, core: _core.Node) -> None:
        _core.start_peer(core, self)


def _fraction(number: int | Fraction) -> tuple[int, int]:
    exact = Fraction(number)
    return exact.numerator, exact.denominator


def _ballot_of(agenda: Agenda, vote: Any) -> Any:
    if vote is None:
        return None
    if isinstance(vote, str):
        raise TypeError("a vote is a list of alternatives or a Ballot, not a str")
    ballot = vote if isinstance(vote, Ballot) else Ballot(tuple(vote))
    places = {text: place for place, text in enumerate(agenda.alternatives)}
    unknown = [text for text in (*ballot.ranking, *(ballot.approved or ())) if text not in places]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no alternative; there are {agenda.alternatives}")
    return SimpleNamespace(
        ranking=[places[each] for each in ballot.ranking],
        approved=None if ballot.approved is None else [places[each] for each in ballot.approved],
        scores=[_fraction(each) for each in ballot.scores])


class Member(NamedTuple):
    """A member of a council."""

    name: str
    weight: int | Fraction = 1
    proxy: str | None = None  #: votes for it while it is absent

    @property
    def _weight(self) -> tuple[int, int]:
        return _fraction(self.weight)


class Secrecy(enum.IntEnum):
    """What members learn of each other's votes."""

    OPEN = 0
    TALLY_ONLY = 1
    COMMIT_REVEAL = 2


class Absent(enum.IntEnum):
    """How a member counts that has not voted in time."""

    ABSTAINS = 0
    STATUS_QUO = 1
    BY_PROXY = 2


class Vacant(enum.IntEnum):
    """What happens when nobody has a member's name."""

    ABSENT = 0
    WAIT = 1
    REFUSE = 2


class Council(Role):
    """Decides by the votes of its members: `caf.Council("council", members=["ann", "bob"])`."""

    rule: str | None = None  #: "plurality" (the default), "schulze", "borda", "approval", ...
    ties: str | None = None  #: "lexical" (the default), "status_quo,chair,random", ...
    propose_within: float | None = None  #: seconds; 5
    vote_within: float | None = None  #: seconds; 5
    secrecy: Secrecy = Secrecy.OPEN
    absent: Absent = Absent.ABSTAINS
    vacant: Vacant = Vacant.ABSENT
    chair: str | None = None
    none_of_these: bool = False  #: is always an alternative
    adjourns_after: int = 0  #: so many decisions; 0: never
    _tells_end = False

    def __init__(self, name: str, members: Iterable[str | Member], **settings: Any) -> None:
        super().__init__(name, **settings)
        self.members = [Member(each) if isinstance(each, str) else each for each in members]

    def _start(self, core: _core.Node) -> None:
        _core.start_council(core, self)


@overload
def decide(port: Port, council: str, subject: str, alternatives: Iterable[str] = (), *,
           call_peers: bool = False, incumbent: str | None = None, key: int = 0,
           within: float | None = None) -> _core.Operation[Decision]: ...


@overload
def decide(port: BlockingPort, council: str, subject: str, alternatives: Iterable[str] = (), *,
           call_peers: bool = False, incumbent: str | None = None, key: int = 0,
           within: float | None = None) -> Decision: ...


def decide(port: Port | BlockingPort, council: str, subject: str,
           alternatives: Iterable[str] = (), *, call_peers: bool = False,
           incumbent: str | None = None, key: int = 0, within: float | None = None) -> Any:
    """Asks a council for a decision.

    Without alternatives, or with `call_peers`, the peers propose them. `incumbent` is the
    alternative that holds now. The same key, unless 0, gets the same decision again.
    """
    motion = SimpleNamespace(subject=subject, alternatives=alternatives, call_peers=call_peers,
                             incumbent=incumbent, key=key)
    return port._decide(council, motion, within)
