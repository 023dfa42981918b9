"""A cook of the kitchen, in Python: `member.py REALIZATION NAME DISH PRICE`.

It votes for its dish, bids its price for cooking, and adds its name to each plate that passes.
"""
import asyncio
import sys

import coracle
from coracle import caf, dispel

CHAIN = """orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl; plates: plates
           orders -> cpp -> c -> python -> guile -> sbcl -> plates"""


class Voter(caf.Peer):
    def __init__(self, name: str, dish: str) -> None:
        super().__init__(name)
        self.dish = dish

    def propose(self, call: caf.Agenda) -> list[str]:
        return [self.dish]

    def vote(self, agenda: caf.Agenda) -> list[str]:
        return sorted(agenda.alternatives, key=lambda dish: dish != self.dish)  # its own first


class Cook(caf.Bidder):
    def __init__(self, name: str, price: int) -> None:
        super().__init__(f"{name}/cook")
        self.who, self.price = name, price

    def bid_for(self, client: str, contract: caf.Contract) -> int:
        return self.price

    async def fulfil(self, work: caf.Engagement) -> str:
        return f"{self.who} cooked {work.contract.subject}"


class Add(dispel.Filter[str, str]):
    def __init__(self, who: str) -> None:
        super().__init__()
        self.who = who

    def process(self, plate: str) -> str:
        return f"{plate} {self.who}"


async def main(realization: str, name: str, dish: str, price: str) -> None:
    kinds: dict[str, dispel.Kind] = dict.fromkeys(("cpp", "c", "python", "guile", "sbcl"),
                                                  dispel.Filter[str, str])  # of other processes
    kinds |= {"orders": dispel.Source[str], "plates": dispel.Sink[str], name: lambda: Add(name)}
    async with coracle.Node(realization) as node:
        await node.start(Voter(f"{name}/voter", dish))
        await node.start(Cook(name, int(price)))
        await node.start(dispel.Pipeline("chain", CHAIN, kinds, keeper=f"{name}/keeper",
                                         only=[name]))
        print(f"{name} is ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)  # until the input ends


asyncio.run(main(*sys.argv[1:]))
