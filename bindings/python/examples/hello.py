"""Two agents: a robot asks a sonar how far away the wall is."""
import asyncio

import coracle


class Sonar(coracle.Agent):
    async def run(self) -> None:
        question = await self.receive()
        await self.reply(question, "2.4 metres")


class Robot(coracle.Agent):
    async def run(self) -> None:
        answer = await self.ask("lab/sonar", "How far away is the wall?", within=5)
        print(f"robot: the wall is {answer.text} away")


async def main() -> None:
    async with coracle.Node() as node:
        await node.start(Sonar("lab/sonar"))
        await node.start(Robot("lab/robot"))
        await node.wait()


asyncio.run(main())
