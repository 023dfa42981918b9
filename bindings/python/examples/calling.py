"""A captain calls functions of the navigator, as if they were her own."""
import asyncio

import coracle
from coracle import calls


class Navigator(calls.Service):
    @calls.function
    async def miles(self, place: str) -> int:
        await asyncio.sleep(0.01)  # it looks at the chart
        return {"island": 250, "harbour": 3}[place]

    @calls.function
    def turn(self, degrees: int) -> None:
        if abs(degrees) > 90:
            raise coracle.Refusal("the ship would roll over")


async def main() -> None:
    async with coracle.Node() as node:
        await node.start(Navigator("navigator"))
        captain = await node.join("captain")
        navigator = calls.Stub(captain, "navigator", within=10)
        print("it is", await navigator.miles("island"), "miles to the island")
        for attempt in navigator.miles("moon"), navigator.turn(180), navigator.turn("left"):
            try:
                await attempt
            except coracle.Refused as error:
                print(error)


asyncio.run(main())
