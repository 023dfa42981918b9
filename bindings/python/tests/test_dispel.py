"""The roles of DisPeL: their work, their mistakes, and their ends."""
import asyncio
import dataclasses
import gc
import os
import unittest
from typing import Any, ClassVar, TypeVar

import coracle
from coracle import dispel
from coracle._typed import parameters
from test_memory import resident

LIMIT = 20
T = TypeVar("T")
MANY = int(os.environ.get("CORACLE_MESSAGES", 1_000_000)) // 10


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

        await ask(MANY // 4)
        gc.collect()
        before = resident()
        await ask(MANY)
        gc.collect()
        self.assertLess(resident() - before, 2_000_000)


class Lines(dispel.Source[int]):
    def produce(self, first):
        yield from range(first, 1000)


class LaterLines(dispel.Source[int]):
    async def produce(self, first):
        for item in range(first, 100):
            await asyncio.sleep(0)
            yield item


class Twice(dispel.Filter[int, int]):
    def process(self, item):
        yield item
        yield item

    def finish(self, error):
        return None if error else 1_000_000


class TwiceLater(dispel.Filter[int, int]):
    async def process(self, item):
        yield item
        await asyncio.sleep(0)
        yield item


class Even(dispel.Filter[int, int]):
    async def process(self, item):
        await asyncio.sleep(0)
        return item if item % 2 == 0 else None


class Collect(dispel.Sink[int]):
    def __init__(self):
        super().__init__()
        self.items, self.error = [], None

    def consume(self, item):
        self.items.append(item)

    def on_end(self, error):
        Collect.last = self.items, error
        Collect.over.set()


class Pipelines(Case):
    async def run_line(self, source, middle, text="a: A; b: B; c: C; a -> b -> c", **more):
        Collect.over = asyncio.Event()
        await self.node.start(dispel.Pipeline("line", text, {"A": source, "B": middle,
                                                             "C": Collect}, **more))
        await asyncio.wait_for(Collect.over.wait(), LIMIT)
        return Collect.last

    async def test_items_keep_their_order(self):
        items, error = await self.run_line(Lines, Twice, window=64)
        self.assertEqual(items[:4] + items[-2:], [0, 0, 1, 1, 999, 1_000_000])
        self.assertEqual((len(items), error), (2001, None))

    async def test_stages_may_wait(self):
        self.assertEqual((await self.run_line(LaterLines, TwiceLater))[0],
                         [each for item in range(100) for each in (item, item)])

    async def test_replicas_keep_the_order(self):
        items, error = await self.run_line(
            Lines, Even, "a: A; b: B * 3 ordered; c: C; a -> b -> c")
        self.assertEqual((items, error), (list(range(0, 1000, 2)), None))

    async def test_a_refusal_ends_the_stream_at_its_item(self):
        class Until(dispel.Filter[int, int]):
            def process(self, item):
                if item == 10:
                    raise coracle.Refusal("no further")
                return item

        items, error = await self.run_line(Lines, Until)
        self.assertEqual(items, list(range(10)))
        self.assertIn("no further", error)

    async def test_a_stage_that_fails_begins_again(self):
        class Once(dispel.Filter[int, int]):
            crashes = 0

            def process(self, item):
                if item == 500 and not Once.crashes:
                    Once.crashes = 1
                    raise ValueError("a bug in the parser")
                return item

        with self.assertLogs("coracle.agent", "ERROR"):
            items, error = await self.run_line(Lines, Once)
        self.assertEqual((items, error), (list(range(1000)), None))

    async def test_items_of_a_wrong_type_are_told(self):
        class Wrong(dispel.Filter[int, int]):
            def process(self, item):
                return "text"

        with self.assertLogs("coracle.agent", "ERROR") as logged:
            items, error = await self.run_line(Lines, Wrong, restarts=1)
        self.assertEqual(items, [])
        self.assertIn("the item should be of type int, but it is 'text'", error)
        self.assertTrue(logged)

    async def test_the_keeper_ends_with_its_stages(self):
        for source in Lines, LaterLines:
            Collect.over = asyncio.Event()
            line = await self.node.start(dispel.Pipeline("line", "a: A; c: C; a -> c",
                                                         {"A": source, "C": Collect}))
            await asyncio.wait_for(line.ended(), LIMIT)
            await asyncio.wait_for(line.ended(), LIMIT)
            self.assertTrue(Collect.over.is_set())

    async def test_a_sink_that_has_enough_cancels(self):
        class Ten(Collect):
            def consume(self, item):
                super().consume(item)
                if item == 9:
                    self.cancel()

        class Endless(dispel.Source[int]):
            def produce(self, first):
                while True:
                    yield first
                    first += 1

        Collect.over = asyncio.Event()
        line = await self.node.start(dispel.Pipeline("line", "a: Endless; b: Ten; a -> b",
                                                     [Endless, Ten]))
        await asyncio.wait_for(line.ended(), LIMIT)
        self.assertEqual(Collect.last[0], list(range(10)))

    async def test_mistakes_of_a_pipeline_are_told(self):
        class Texts(dispel.Sink[str]):
            pass

        class Prints(Texts):
            consume = print

        for text, kinds, kind, words in (
                ("a: A; b: B; a -> b", {"A": Lines, "B": Prints}, coracle.WrongType, "text/plain"),
                ("a: Nothing", {"A": Lines}, coracle.BadOptions, "Nothing"),
                ("a: A", {"A": int}, TypeError, "no Source, Filter or Sink"),
                ("a: A", {"A": lambda: 3}, TypeError, "but int"),
                ("a: A", {"A": Texts}, TypeError, "Texts has no function consume")):
            with self.assertRaisesRegex(kind, words):
                await self.node.start(dispel.Pipeline("line", text, kinds))

    async def test_types_come_through_classes_between(self):
        class Same(dispel.Filter[T, T]):
            pass

        class Texts(Same[str]):
            pass

        self.assertEqual(parameters(Texts, dispel.Filter), (str, str))
        self.assertEqual(parameters(Same[int], dispel.Filter), (int, int))
        self.assertEqual(parameters(Same, dispel.Filter), (Any, Any))


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
