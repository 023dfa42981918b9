"""Pipelines: the order of items, failures, ends, and mistakes."""
import asyncio
import gc
import os
import unittest
import weakref
from typing import Any, TypeVar

import coracle
from coracle import dispel
from coracle._typed import parameters
from test_memory import resident

LIMIT = 20
MANY = int(os.environ.get("CORACLE_MESSAGES", 1_000_000)) // 10
T = TypeVar("T")


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


class TenthLater(dispel.Filter[int, int]):
    """Waits at every tenth item."""

    def process(self, item):
        return self.later(item) if item % 10 == 0 else item

    async def later(self, item):
        return item


class Collect(dispel.Sink[int]):
    def __init__(self):
        super().__init__()
        self.items, self.error = [], None

    def consume(self, item):
        self.items.append(item)

    def on_end(self, error):
        Collect.last = self.items, error
        Collect.over.set()


class Pipelines(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)

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
            def __init__(self):
                super().__init__()
                Ten.taken = self.items

            def consume(self, item):
                super().consume(item)
                if item == 9:
                    self.cancel()

        class TenLater(Ten):
            async def consume(self, item):
                await asyncio.sleep(0)
                super().consume(item)

        class Endless(dispel.Source[int]):
            def produce(self, first):
                while True:
                    yield first
                    first += 1

        for sink in Ten, TenLater:
            Collect.over = asyncio.Event()
            line = await self.node.start(dispel.Pipeline("line", "a: A; b: B; a -> b",
                                                         {"A": Endless, "B": sink}))
            await asyncio.wait_for(line.ended(), LIMIT)
            self.assertEqual(Ten.taken, list(range(10)))

    async def test_a_pipeline_that_has_ended_leaves_nothing_behind(self):
        Collect.over = asyncio.Event()
        line = await self.node.start(dispel.Pipeline("line", "a: Lines; b: Collect; a -> b",
                                                     [Lines, Collect]))
        await asyncio.wait_for(line.ended(), LIMIT)
        await self.node.join("me")  # runs the loop until the stages are gone, too
        left = weakref.ref(line)
        del line
        gc.collect()
        self.assertIsNone(left())

    async def test_many_questions_leave_nothing_behind(self):
        class Many(dispel.Source[int]):
            def produce(self, first):
                return iter(range(first, MANY))

        class Weigh(Collect):
            def consume(self, item):
                if item in (MANY // 5, MANY - 1):
                    self.items.append(resident())

        Collect.over = asyncio.Event()
        line = await self.node.start(dispel.Pipeline(
            "line", "a: Many; b: Even; c: Weigh; a -> b -> c",
            {"Many": Many, "Even": TenthLater, "Weigh": Weigh}))
        await asyncio.wait_for(line.ended(), 5 * LIMIT)
        before, after = Collect.last[0]
        self.assertLess(after - before, 2_000_000)

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


if __name__ == "__main__":
    unittest.main()
