"""Servers, clients, masters, slaves and layers: their work, their mistakes, and their ends."""
import asyncio
import dataclasses
import gc
import os
import unittest
from typing import ClassVar

import coracle
from coracle import dispel
from test_memory import resident

LIMIT = 20
MANY = int(os.environ.get("CORACLE_MESSAGES", 1_000_000)) // 100


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)

    async def start(self, *roles):
        for role in roles:
            await self.node.start(role)
        return roles[-1]


class Halver(dispel.Server[int, int]):
    service = "halves"

    def answer(self, request):
        if request % 2:
            raise coracle.Refusal("it is odd")
        return request // 2


class SlowHalver(Halver):
    at_once = 10

    async def answer(self, request):
        await asyncio.sleep(0)
        return super().answer(request)


@dataclasses.dataclass
class Wish:
    content_type: ClassVar[str] = "wish/v1"
    dish: str
    guests: int = 1


class Cook(dispel.Server[Wish, str]):
    def answer(self, request):
        if request.dish == "air":
            return request.guests  # no str
        if request.dish == "fire":
            raise ValueError("the kitchen burns")
        if request.dish == "last":
            self.retire()
        return f"{request.dish} for {request.guests}"


class Servers(Case):
    async def test_clients_ask_by_name_and_by_service(self):
        for server in Halver("halver"), SlowHalver("slow", service="slow halves"):
            await self.node.start(server)
        client = await self.node.start(dispel.Client("client"))
        for whom in {"server": "halver"}, {"service": "halves", "lane": 3}, {"server": "slow"}:
            self.assertEqual(await client.request(42, **whom, gives=int), 21)
            with self.assertRaisesRegex(coracle.Refused, "it is odd"):
                await client.request(43, **whom, within=LIMIT)
        many = [client.request(2 * each, service="slow halves") for each in range(100)]
        self.assertEqual(await asyncio.gather(*many), list(range(100)))

    async def test_dataclasses_are_built_and_sent(self):
        await self.node.start(Cook("cook"))
        client = await self.node.start(dispel.Client("client"))
        self.assertEqual(await client.request(Wish("soup", 2), server="cook"), "soup for 2")
        with self.assertRaisesRegex(coracle.Refused, "should be a map with dish"):
            await client.request({}, server="cook", type="wish/v1")

    async def test_a_failure_ends_a_server_with_its_text(self):
        me = await self.node.join("me")
        client = await self.node.start(dispel.Client("client"))
        for dish, kind, text in (("fire", ValueError, "the kitchen burns"),
                                 ("air", coracle.WrongType, "the answer should be of type str")):
            cook = await self.node.start(Cook("cook"))
            ending = me.watch("cook")
            with self.assertLogs("coracle.agent", "ERROR"):
                with self.assertRaisesRegex(coracle.AgentFailed, text):
                    await client.request(Wish(dish), server="cook", attempts=1)
            with self.assertRaisesRegex(kind, text):
                await cook.ended()
            self.assertEqual(await ending, coracle.EndReason.CRASHED)

    async def test_a_server_retires_after_its_answer(self):
        cook = await self.node.start(Cook("cook"))
        client = await self.node.start(dispel.Client("client"))
        self.assertEqual(await client.request(Wish("last"), server="cook"), "last for 1")
        await asyncio.wait_for(cook.ended(), LIMIT)

    async def test_a_coroutine_retires_after_its_answer(self):
        class Last(dispel.Server[int, int]):
            async def answer(self, request):
                await asyncio.sleep(0)
                self.retire()
                await asyncio.sleep(0)
                return request

        server = await self.node.start(Last("last"))
        client = await self.node.start(dispel.Client("client"))
        self.assertEqual(await client.request(7, server="last"), 7)
        await asyncio.wait_for(server.ended(), LIMIT)

    async def test_a_slave_cannot_retire(self):
        class Tired(dispel.Slave[int, int]):
            async def work(self, task):
                await asyncio.sleep(0)
                with self.test.assertRaisesRegex(coracle.BadArgument, "ends with its master"):
                    self.retire()
                return task

        Tired.test = self
        await self.start(Tired("slave"))
        master = await self.node.start(dispel.Master[int, int]("master", slaves=["slave"]))
        self.assertEqual(await master.divide([1, 2]), [1, 2])

    async def test_a_client_may_be_a_class_with_work_of_its_own(self):
        class Traveller(dispel.Client):
            async def run(self):
                self.half = await self.request(42, server="halver")

        await self.node.start(Halver("halver"))
        traveller = await self.node.start(Traveller("traveller"))
        await asyncio.wait_for(traveller.ended(), LIMIT)
        self.assertEqual(traveller.half, 21)
        with self.assertRaisesRegex(coracle.BadHandle, "has ended"):
            traveller.request(1, server="halver")

    async def test_misuse_of_a_client_is_told(self):
        client = dispel.Client("client")
        with self.assertRaisesRegex(coracle.BadHandle, "not started"):
            client.request(1, server="halver")
        async with await self.node.start(client):
            with self.assertRaises(coracle.BadArgument):
                client.request(1)
            with self.assertRaises(TypeError):
                client.request(object(), server="halver")
            with self.assertRaises(ValueError):
                client.request(1, server="halver", lane=-1)
        self.node.close()
        with self.assertRaises(coracle.Error):
            client.request(1, server="halver")

    async def test_many_questions_leave_nothing_behind(self):
        await self.start(Halver("halver"), SlowHalver("slow"))
        client = await self.node.start(dispel.Client("client"))

        async def ask(count):
            for _ in range(count // 20):
                await client.request(42, server="halver")
                await asyncio.gather(*(client.request(42, server="slow") for _ in range(19)))

        await ask(MANY // 2)
        gc.collect()
        before = resident()
        await ask(MANY)
        gc.collect()
        self.assertLess(resident() - before, 2_000_000)


class Square(dispel.Slave[int, int]):
    def work(self, task):
        return task * task


class Frail(dispel.Slave[int, int]):
    async def work(self, task):
        raise ValueError("too heavy")


class Boss(dispel.Master[int, int]):
    def __init__(self, name):
        super().__init__(name, slaves=["s1", "s2", "s3"])
        self.seen, self.done = [], 0

    def on_result(self, task, result):
        self.seen.append((task, result))

    def on_progress(self, done, all):
        self.done = done


class Labour(Case):
    async def test_a_master_divides_its_tasks(self):
        await self.start(Square("s1"), Square("s2"), Frail("s3"))
        boss = await self.node.start(Boss("boss"))
        with self.assertLogs("coracle.agent", "ERROR"):
            results = await boss.divide(range(200), shares=dispel.Shares.FIXED, ordered=True)
        squares = [each * each for each in range(200)]
        self.assertEqual(results, squares)
        self.assertEqual(boss.seen, list(enumerate(squares)))
        self.assertEqual(await boss.command("s2", 7), 49)
        self.assertEqual(boss.done, 1)

    async def test_misuse_of_a_master_is_told(self):
        boss = await self.node.start(dispel.Master[int, int]("boss", slaves=["s1"]))
        with self.assertRaisesRegex(coracle.WrongType, "the task should be of type int"):
            boss.divide([1, "x"])
        with self.assertRaises(coracle.BadOptions):
            await boss.command("stranger", 1)
        with self.assertRaisesRegex(TypeError, "slaves must be a list"):
            await self.node.start(dispel.Master("b", slaves="s1"))


class Wander(dispel.Behaviour):
    wish = dispel.Out(int)

    def react(self):
        self.wish.send(1)
        self.alarm(0.001)


class Explore(dispel.Behaviour):
    wish = dispel.Out(int)

    async def react(self):
        await asyncio.sleep(0)
        if not self.alarm_rang:
            return self.alarm(0.02)
        self.wish.send(2)


class Body(dispel.Behaviour):
    wish = dispel.In(int)

    def __init__(self, name):
        super().__init__(name)
        self.explored, self.seen = asyncio.Event(), []

    def react(self):
        if not self.wish.is_fresh:
            return
        self.seen.append(self.wish.value)
        if self.wish.value == 2:
            self.explored.set()


class Layers(Case):
    def network(self):
        self.body = Body("body")
        return (dispel.Subsumption("robot").add(0, Wander("wander")).add(1, Explore("explore"))
                .add(0, self.body).wire("wander.wish", "body.wish"))

    async def test_a_higher_layer_suppresses_a_lower_one(self):
        await self.node.start(self.network().suppress("explore.wish", "body.wish", 1000))
        await asyncio.wait_for(self.body.explored.wait(), LIMIT)
        await asyncio.sleep(0.01)
        self.assertEqual(self.body.seen[0], 1)
        self.assertEqual(self.body.seen.count(2), 1)
        self.assertEqual(self.body.seen[-1], 2)

    async def test_mistakes_are_told(self):
        with self.assertRaisesRegex(coracle.BadOptions, "nothing"):
            await self.node.start(self.network().inhibit("explore.wish", "body.nothing", 1))
        with self.assertRaisesRegex(RuntimeError, "belong into its react"):
            Wander("wander").wish.send(1)

    async def test_a_signal_of_a_wrong_type_ends_its_behaviour(self):
        class Liar(Wander):
            def react(self):
                self.wish.send("north")

        liar = Liar("liar")
        with self.assertLogs("coracle.agent", "ERROR"):
            await self.node.start(dispel.Subsumption("robot").add(0, liar).add(0, Body("body"))
                                  .wire("liar.wish", "body.wish"))
            with self.assertRaisesRegex(coracle.WrongType, "the signal of wish"):
                await asyncio.wait_for(liar.ended(), LIMIT)


if __name__ == "__main__":
    unittest.main()
