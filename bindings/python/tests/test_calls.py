"""Remote calls: values, failures, functions that wait, and misuse."""
import asyncio
import contextvars
import dataclasses
import unittest

import coracle
from coracle import calls

LIMIT = 20
COLOUR = contextvars.ContextVar("colour", default="none")


@dataclasses.dataclass
class Route:
    start: str
    end: str


class Office(calls.Service):
    """Functions of every kind."""

    at_once = 2

    def __init__(self, name):
        super().__init__(name)
        self.closed = asyncio.Event()
        self.cancelled = asyncio.Event()

    @calls.function
    def add(self, one: int, other: int = 1) -> int:
        return one + other

    @calls.function
    async def plan(self, route: Route) -> list[str]:
        await asyncio.sleep(0)
        return [route.start, "Lyon", route.end]

    @calls.function
    def turn(self, route: Route) -> Route:
        return Route(route.end, route.start)

    @calls.function
    def colour(self):
        return COLOUR.get()

    @calls.function
    async def colour_later(self):
        return COLOUR.get()

    @calls.function
    def close(self):
        self.closed.set()

    @calls.function
    def refuse(self):
        raise coracle.Refusal("not today")

    @calls.function
    async def fail(self):
        raise ValueError("the map is torn")

    @calls.function
    def lie(self) -> int:
        return "many"

    @calls.function
    def send_nonsense(self):
        return object()

    @calls.function
    async def sleep(self):
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()

    @calls.function
    def leave(self):
        self.retire()

    @calls.function
    def sum(self, first: int, *rest: int, scale: int = 1) -> int:
        return (first + sum(rest)) * scale

    @calls.function
    def name_it(self, *, name: str) -> str:
        return name

    def secret(self):
        """It is not offered."""


class Calls(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)
        COLOUR.set("blue")
        self.office = await self.node.start(Office("office"))
        COLOUR.set("red")
        self.me = await self.node.join("me")
        self.there = calls.Stub(self.me, "office", within=LIMIT)

    async def refused(self, text, operation):
        with self.assertRaisesRegex(coracle.Refused, text):
            await operation

    async def test_values_go_and_come(self):
        self.assertEqual(await self.me.call("office", "add", 40, 2), 42)
        self.assertEqual(await self.there.add(41), 42)
        self.assertEqual(await self.there.plan(Route("Paris", "Nice")), ["Paris", "Lyon", "Nice"])
        self.assertEqual(await self.me.call("office", "turn", Route("a", "b"), gives=Route),
                         Route("b", "a"))

    async def test_a_call_without_a_reply_is_done(self):
        await self.there.close.tell()
        await asyncio.wait_for(self.office.closed.wait(), LIMIT)
        self.assertIsNone(await self.there.close())

    async def test_a_function_has_the_context_in_which_its_role_began(self):
        self.assertEqual(await self.there.colour(), "blue")
        self.assertEqual(await self.there.colour_later(), "blue")

    async def test_a_failure_goes_to_the_caller_and_ends_nothing(self):
        await self.refused("it refused .not today", self.there.refuse())
        with self.assertLogs("coracle.agent", "INFO"):
            await self.refused("ValueError: the map is torn", self.there.fail())
            await self.refused("the result of lie should be of type int", self.there.lie())
            await self.refused("cannot hold a value of type object", self.there.send_nonsense())
        self.assertEqual(await self.there.add(1), 2)

    async def test_arguments_of_every_kind_are_bound(self):
        self.assertEqual(await self.there.sum(1), 1)
        self.assertEqual(await self.there.sum(1, 2, 3), 6)
        await self.refused("an argument of rest should be of type int, but it is 'x'",
                           self.there.sum(1, 2, "x"))
        await self.refused("of type int, but it is True", self.there.sum(True))
        await self.refused("missing a required argument: 'first'", self.there.sum())
        await self.refused("missing a required.* argument: 'name'", self.there.name_it())

    async def test_wrong_arguments_are_refused(self):
        await self.refused("missing a required argument: 'one'", self.there.add())
        await self.refused("too many", self.there.add(1, 2, 3))
        await self.refused("the argument one should be of type int, but it is 'x'",
                           self.there.add("x"))
        await self.refused("the argument route should be a map with end",
                           self.there.plan({"start": "Paris"}))
        with self.assertRaises(coracle.NoSuchFunction):
            await self.there.secret()
        with self.assertRaises(TypeError):
            self.there.add(object())
        with self.assertRaisesRegex(coracle.WrongType, "the answer should be of type str"):
            await self.me.call("office", "add", 1, gives=str)

    async def test_a_call_has_a_deadline(self):
        with self.assertRaises(coracle.Expired):
            await self.me.call("office", "sleep", within=0.01)

    async def test_functions_wait_side_by_side(self):
        sleeping = self.there.sleep()
        self.assertEqual(await self.there.add(1), 2)
        sleeping.cancel()

    async def test_a_service_retires(self):
        await self.there.leave()
        await asyncio.wait_for(self.office.ended(), LIMIT)
        self.assertEqual(await self.me.search("office"), [])

    async def test_the_end_of_a_node_cancels_what_waits(self):
        sleeping = self.there.sleep()
        await asyncio.sleep(0)
        while not self.office._tasks:
            await self.there.add(1)
        await self.node.stop(within=0.05)
        await asyncio.wait_for(self.office.cancelled.wait(), LIMIT)
        with self.assertRaises(coracle.Error):
            await sleeping

    async def test_misuse_is_told(self):
        for wrong, kind, text in (
                (calls.Service("empty"), coracle.BadArgument, "give 1 to 1,000 functions"),
                (Office("office"), coracle.NameTaken, "office"),
                (self.office, coracle.BadArgument, "started before"),
                (Office("a//b"), coracle.BadName, "a//b")):
            with self.assertRaisesRegex(kind, text):
                await self.node.start(wrong)
        with self.assertRaisesRegex(TypeError, "Service has no setting 'speed'"):
            calls.Service("x", speed=3)
        with self.assertRaisesRegex(RuntimeError, "was not started"):
            await Office("idle").ended()
        async with coracle.Node("local:", workers=1) as node:
            with self.assertRaisesRegex(coracle.Unsupported, "without `workers`"):
                await node.start(Office("office"))

    async def test_an_answer_after_the_end_of_the_node_has_no_effect(self):
        kept = []

        class Slow(calls.Service):
            @calls.function
            async def wait(self):
                kept.append(asyncio.current_task())
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    return "late"

        async with coracle.Node("local:") as node:
            await node.start(Slow("slow"))
            me = await node.join("me")
            call = me.call("slow", "wait")
            while not kept:
                await asyncio.sleep(0)
            node.close()
        await asyncio.wait(kept)
        with self.assertRaises(coracle.Stopped):
            await call


class Blocking(unittest.TestCase):
    def test_a_script_waits_for_its_calls(self):
        with coracle.connect("local:") as node, node.join("me") as me:
            with self.assertRaises(coracle.Expired):
                me.call("me", "x", within=0.01)
            calls.Stub(me, "me").x.tell(7)
            self.assertEqual(coracle.from_cbor(me.receive(within=LIMIT).bytes), [[7]])


if __name__ == "__main__":
    unittest.main()
