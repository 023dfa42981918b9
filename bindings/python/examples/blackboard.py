"""A clerk deciphers the words of a telegram for a blackboard; a reader is told of each."""
import asyncio

import coracle
from coracle import calls


class Clerk(calls.Evaluator):
    @calls.function
    def decipher(self, place: int, signs: str) -> tuple[str, int, str]:
        if not signs.isalpha():
            raise coracle.Refusal(f"{signs} is no word")
        return "word", place, signs[::-1].upper()


async def main() -> None:
    async with coracle.Node() as node:
        await node.start_space("blackboard")
        await node.start(Clerk("clerk", "blackboard"))
        reader = await node.join("reader")
        board = reader.space("blackboard")
        async with board.notices("word", int, str) as words:
            for place, signs in enumerate(["pihs", "4", "efas"]):
                await board.evaluate("decipher", place, signs)
            async for word in words:
                print(word)
                if word[1] == 2:
                    break
        print(await board.take("eval failed", str, str))


asyncio.run(main())
