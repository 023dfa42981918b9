"""Objects of a dataclass as content, an eavesdropper, and errors as exceptions."""
import asyncio
from dataclasses import dataclass, field
from typing import ClassVar

import coracle


@dataclass
class Order:
    content_type: ClassVar[str] = "order/v1"  # as in C++
    table: int
    dishes: list[str] = field(default_factory=list[str])


class Kitchen(coracle.Agent):
    async def run(self) -> None:
        async for message in self.messages(type="order/v1"):
            order = message.value(Order)
            if "soup" in order.dishes:
                await self.reply(message, f"soup for table {order.table}")
            else:
                await self.refuse(message, "there is only soup")


class Newspaper(coracle.Agent):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.listens = asyncio.Event()

    async def run(self) -> None:
        async with self.overhear(source="guest") as ear:
            self.listens.set()
            async for message in ear:
                print(f"newspaper: a guest orders {message.value(Order).dishes}")


async def main() -> None:
    async with coracle.Node() as node:
        await node.start(Kitchen("kitchen"))
        newspaper = Newspaper("newspaper")
        await node.start(newspaper)
        await newspaper.listens.wait()
        guest = await node.join("guest")
        for dish in "soup", "cake":
            try:
                reply = await guest.ask("kitchen", Order(4, [dish]), within=5)
                print(f"guest: {reply.text}")
            except coracle.Refused as refused:
                print(f"guest: refused, {refused}")


asyncio.run(main())
