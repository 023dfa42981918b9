"""Three friends decide where to eat, and the cheapest cook gets the contract."""
import asyncio

import coracle
from coracle import caf


class Friend(caf.Peer):
    def __init__(self, name: str, *likes: str) -> None:
        super().__init__(name)
        self.likes = likes  # best first

    def propose(self, call: caf.Agenda) -> list[str]:
        return [self.likes[0]]

    def vote(self, agenda: caf.Agenda) -> list[str]:
        return [each for each in self.likes if each in agenda.alternatives]


class Cook(caf.Bidder):
    def __init__(self, name: str, price: int) -> None:
        super().__init__(name)
        self.price = price

    def bid_for(self, client: str, contract: caf.Contract) -> int:
        return self.price

    async def fulfil(self, work: caf.Engagement) -> str:
        await asyncio.sleep(0.01)  # it cooks
        return f"{self.name} cooked {work.contract.subject}"


async def main() -> None:
    async with coracle.Node() as node:
        await node.start(Friend("ann", "noodles", "soup", "pizza"))
        await node.start(Friend("bob", "pizza", "soup", "noodles"))
        await node.start(Friend("cy", "soup", "pizza", "noodles"))
        await node.start(caf.Council("council", ["ann", "bob", "cy"], rule="schulze"))
        me = await node.join("me")
        lunch = await caf.decide(me, "council", "What do we eat?")
        print(lunch.subject, lunch.winner)

        await node.start(Cook("huey", 9))
        await node.start(Cook("dewey", 7))
        async with await node.start(caf.Client("client")) as client:
            meal = await client.announce(caf.Contract(lunch.winner), ["huey", "dewey"],
                                         rule="lowest")
            for part in meal.parts:
                print(f"{part.result} for {part.price}")


asyncio.run(main())
