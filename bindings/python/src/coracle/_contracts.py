"""Contracts, bidders, and the clients that announce contracts; `coracle.caf` shows them."""
from __future__ import annotations

import enum
from collections.abc import Awaitable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from coracle import _core
from coracle.errors import Refusal
from coracle.roles import Acting, Role, default, expect, then


class Penalty(NamedTuple):
    """The price of breaking one's word."""

    fixed: int = 0
    per_second: int = 0


class Contract(NamedTuple):
    """Work that is announced, awarded and done. Times are in seconds.

    Bids, awards and settlements name sets of its items by a number: bit i is item i.
    """

    subject: str
    kind: str = ""
    items: Sequence[str] = ()  #: that can be bid for in bundles, up to 64; none: the whole is one
    units: int = 0  #: of a bidder's capacity that each item takes; 0: 1
    bid_within: float | None = None  #: 5
    bid_holds: float | None = None  #: 30
    lease: float | None = None  #: 10
    client_penalty: Penalty = Penalty()
    bidder_penalty: Penalty = Penalty()
    id: int = 0  #: the client gives it
    round: int = 0

    def bits(self, *items: str) -> int:
        """The number of a set of items."""
        return sum(1 << list(self.items).index(each) for each in set(items))

    def names(self, bits: int) -> list[str]:
        """The items of a set."""
        return [name for place, name in enumerate(self.items) if bits >> place & 1]

    @property
    def whole(self) -> int:
        """The number of the set of all items."""
        return (1 << max(1, len(self.items))) - 1


class Offering(NamedTuple):
    """A price for a set of items: `Offering(contract.bits("up", "down"), 7)`."""

    items: int
    amount: int


class Bid(NamedTuple):
    """Offerings, of which at most one wins."""

    offerings: Sequence[Offering]
    text: str = ""


class Fulfilment(NamedTuple):
    """The work is done, with a result; or not, with a reason."""

    done: bool
    text: str = ""


class Engagement(NamedTuple):
    """An award that a bidder works on."""

    client: str
    contract: Contract
    award: int  #: its number
    items: int
    price: int


class Bidder(Role):
    """Bids for contracts, and does the work."""

    capacity: int = 1
    promises_at_bid: bool = False  #: it never refuses an award, and bids less often
    clients: Iterable[str] = ()  #: with which it registers when it begins
    _required = ("fulfil",)

    @default
    def bid_for(self, client: str, contract: Contract, /) -> (int | Bid | None
                                                           | Awaitable[int | Bid | None]):
        """The price for the whole contract; or a Bid. None declines."""

    @default
    def fulfil(self, work: Engagement, /) -> (str | Fulfilment | None
                                           | Awaitable[str | Fulfilment | None]):
        """Does the work; the text is its result. Refusal: it is not done, for that reason.

        Several may be under way. When the award is lost, the coroutine is cancelled.
        """

    @default
    def on_rejection(self, client: str, contract: int, reason: str, /) -> object:
        """A bid has not won."""

    @default
    def on_lost(self, work: Engagement, reason: str, penalty: int, /) -> object:
        """An award has ended before the work was done."""

    @default
    def on_settled(self, client: str, contract: int, price: int, penalty: int, /) -> object:
        """The client has settled a contract with this bidder."""

    def _bid_for(self, client: str, contract: Contract) -> Any:
        def bid_of(bid: int | Bid | None) -> Bid | None:
            if isinstance(bid, int):
                bid = Bid([Offering(contract.whole, bid)])
            return None if bid is None else expect(bid, Bid, "bid_for")
        return then(self.bid_for(client, contract), bid_of)

    def _fulfil(self, work: Engagement) -> Any:
        try:
            answer = self.fulfil(work)
        except Refusal as refusal:
            return Fulfilment(False, str(refusal))
        if not isinstance(answer, Awaitable):
            return _fulfilment_of(answer)
        return self._fulfil_later(answer)

    async def _fulfil_later(self, answer: Awaitable[Any]) -> Fulfilment:
        try:
            return _fulfilment_of(await answer)
        except Refusal as refusal:
            return Fulfilment(False, str(refusal))

    def _on_lost(self, work: Engagement, reason: str, penalty: int) -> object:
        self._drop_closed()
        return self.on_lost(work, reason, penalty)

    def _start(self, core: _core.Node) -> None:
        _core.start_bidder(core, self)


def _fulfilment_of(answer: Any) -> Fulfilment:
    if answer is None or isinstance(answer, str):
        return Fulfilment(True, answer or "")
    return expect(answer, Fulfilment, "fulfil")


class Settled(enum.IntEnum):
    """How a contract has ended."""

    FULFILLED = 0
    PARTLY = 1
    NO_BIDS = 2
    REJECTED = 3
    NOT_FULFILLED = 4
    CANCELLED = 5


class SettlementPart(NamedTuple):
    """The work of one bidder."""

    bidder: str
    items: int
    price: int
    result: str


class Settlement(NamedTuple):
    """How a contract has ended, and who owes what."""

    id: int
    ended: Settled
    parts: tuple[SettlementPart, ...]
    why: str
    client_owes: int
    bidders_owe: int


class Client(Acting):
    """Announces contracts, and awards them to the best bidders."""

    @default
    def admits(self, bidder: str, /) -> bool:
        """Whether a bidder may register; a plain function."""
        return True

    def announce(self, contract: Contract, bidders: Iterable[str] = (), *,
                 registered: bool = False, prefix: str | None = None,
                 where: _core.Where | None = None, rule: str | None = None, vickrey: bool = False,
                 reserve: int | None = None, seed: int = 0, rounds: int = 0,
                 back_off: float | None = None, accept_within: float | None = None,
                 fulfil_within: float | None = None,
                 keep_bids: bool = False) -> _core.Operation[Settlement]:
        """Announces a contract and awards it; ends when it is settled. Several may be under way.

        It invites the bidders with these names, with `registered` those that have registered, and
        with `prefix` and `where` those that a search in the directory finds. `rule` is "highest"
        (the default) or "lowest"; with `vickrey`, the price is that of the best that lost. Bids
        worse than `reserve` are ignored. `seed` draws among equal bids; 0: the first wins.
        `keep_bids`: the bids of losers stay open while the awardee works.
        """
        how = SimpleNamespace(bidders=bidders, registered=registered, prefix=prefix, where=where,
                              rule=rule, vickrey=vickrey, reserve=reserve, seed=seed,
                              rounds=rounds, back_off=back_off, accept_within=accept_within,
                              fulfil_within=fulfil_within, keep_bids=keep_bids)
        return _core.announce(self, contract, how)

    def _start(self, core: _core.Node) -> None:
        _core.start_contract_client(core, self)
