"""The directory, a group, receipts and a tuple space."""
import asyncio

import coracle


async def main() -> None:
    async with coracle.Node() as node:
        ann, bob = await node.join("lab/ann"), await node.join("lab/bob")
        await ann.describe(skill="welding", speed=2)
        await bob.describe(skill="welding", speed=5)
        for entry in await ann.search("lab", {"skill": "welding", "speed": coracle.at_least(3)}):
            print(f"{entry.name} is fast enough: {entry.properties['speed']}")

        await bob.join("welders")
        receipt = await ann.track(group="welders", content="Lunch!")
        print((await bob.receive()).text)
        print("delivered:", await receipt.reached(coracle.Stage.DELIVERED))

        await node.start_space("board")
        await ann.space("board").out("task", 7)
        print(await bob.space("board").take("task", int))


asyncio.run(main())
