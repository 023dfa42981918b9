"""Memory: many messages leave nothing behind, and agents are small."""
import asyncio
import gc
import os
import subprocess
import sys
import unittest

import coracle

MANY = int(os.environ.get("CORACLE_MESSAGES", 1_000_000))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


AGENTS = """
import asyncio, gc, os
import coracle

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

class Idle(coracle.Agent):
    async def run(self):
        await self.receive()

async def main():
    async with coracle.Node("local:") as node:
        await node.start(Idle("first"))
        before, count = resident(), 10_000
        agents = [await node.start(Idle(f"idle/{each}")) for each in range(count)]
        await asyncio.sleep(0)
        print((resident() - before) // count)
        for agent in agents:
            agent.close()

asyncio.run(main())
"""


class Memory(unittest.IsolatedAsyncioTestCase):
    async def test_a_million_messages_leave_nothing_behind(self):
        async with coracle.Node("local:") as node:
            me, you = await node.join("me"), await node.join("you")

            async def exchange(count):
                for _ in range(count // 10):
                    for _ in range(9):
                        await me.send("you", b"x" * 64)
                        (await you.receive()).bytes
                    await me.send(to=["you"], content={"a": 1})
                    message = await you.receive(from_="me")
                    message.content, message.source

            await exchange(MANY // 10)
            gc.collect()
            before = resident()
            await exchange(MANY)
            gc.collect()
            self.assertLess(resident() - before, 2_000_000)

    async def test_no_reference_is_left(self):
        async with coracle.Node("local:") as node:
            me = await node.join("me")

            async def all_operations():
                receipt = await me.track("me", ["x"], headers={"a": "b"})
                message = await me.receive(within=5)
                message.headers, message.value(), repr(message)
                message.free()
                self.assertTrue(await receipt.reached(within=5))
                await me.describe(speed=3)
                await me.search(where={"speed": 3})
                receive = me.receive()
                receive.cancel()
                asks = me.ask("me", "?")
                await me.reply(await me.receive(), "!")
                await asks
                for wrong in ({"to": "a//b"}, {"to": "me", "content": object()}):
                    try:
                        await me.send(**wrong)
                    except (coracle.Error, TypeError):
                        pass

            kinds = (coracle.Operation, coracle.Message, coracle.Receipt, coracle.Port, dict, list,
                     asyncio.Future)

            def counts():
                gc.collect()
                return [sys.getrefcount(kind) for kind in kinds] + [
                    sys.getrefcount(each) for each in (None, "me", me, node)]

            for _ in range(20):
                await all_operations()
            before = counts()
            for _ in range(200):
                await all_operations()
            grown = [after - was for was, after in zip(before, counts())]
            self.assertLess(max(grown), 20, grown)

    @unittest.skipIf("debug" in os.environ.get("PYTHONMALLOC", ""), "it measures the allocator")
    def test_an_agent_takes_little_memory(self):
        ran = subprocess.run([sys.executable, "-c", AGENTS], stdout=subprocess.PIPE, text=True,
                             timeout=60, check=True)
        self.assertLess(int(ran.stdout), 4300)


if __name__ == "__main__":
    unittest.main()
