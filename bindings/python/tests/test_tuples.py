"""Notices of tuples, and evaluators: their values, their ends and their failures."""
import asyncio
import unittest

import coracle
from coracle import calls

LIMIT = 20


class Clerk(calls.Evaluator):
    """Functions of every kind."""

    def __init__(self, name, space="board", **settings):
        super().__init__(name, space, **settings)
        self.port = None
        self.begun = asyncio.Event()

    @calls.function
    def square(self, number: int) -> tuple[str, int, int]:
        return "square", number, number * number

    @calls.function
    async def echo(self, *fields):
        await asyncio.sleep(0)
        return ("echo", *fields)

    @calls.function
    async def relay(self, text: str) -> None:
        await self.port.space("board").out("relayed", text)

    @calls.function
    def refuse(self):
        raise coracle.Refusal("not today")

    @calls.function
    def fail(self):
        raise ValueError("the ink is dry")

    @calls.function
    def lie(self) -> tuple[str, int]:
        return "lie", "many"

    @calls.function
    def send_list(self):
        return ["list"]

    @calls.function
    def send_type(self):
        return "type", int

    @calls.function
    async def wait(self, text: str):
        self.begun.set()
        await asyncio.Event().wait()


class Spaces(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)
        await self.node.start_space("board")
        self.me = await self.node.join("me")
        self.board = self.me.space("board")
        self.other = (await self.node.join("other")).space("board")


class Notices(Spaces):
    async def news(self, *days):
        for day in days:
            await self.other.out("other", day)
            await self.other.out("news", day)

    async def test_tuples_that_fit_come_in_their_order(self):
        await self.news(0)
        async with self.board.notices("news", int) as notices:
            await self.news(1, 2, 3)
            self.assertEqual(await notices.receive(), ("news", 1))
            self.assertEqual(await self.other.take("news", 2), ("news", 2))  # it was taken
            found = []
            async for each in notices:
                found.append(each)
                if len(found) == 2:
                    break
            self.assertEqual(found, [("news", 2), ("news", 3)])
            self.assertIsNone(await notices.receive(within=0.001))
            self.assertEqual(await notices.missed(), 0)

    async def test_a_loop_begins_its_notices_and_ends_them(self):
        found = []

        async def read():
            async for each in self.board.notices("news", int):
                found.append(each)
                if each == ("news", 2):
                    break

        reads = asyncio.create_task(read())
        while not found:
            await self.news(1)
            await asyncio.sleep(0)
        await self.news(2)
        await asyncio.wait_for(reads, LIMIT)
        self.assertEqual((found[0], found[-1]), (("news", 1), ("news", 2)))
        await asyncio.sleep(0.01)  # so that the generator ends
        await self.news(3)
        self.assertIsNone(self.me.try_receive())

    async def test_the_end_of_the_block_ends_them(self):
        async with self.board.notices("news", int) as notices:
            await self.news(1)
        await self.news(2)
        self.assertIsNone(self.me.try_receive())
        with self.assertRaisesRegex(coracle.BadArgument, "no notices of that number"):
            await notices.receive()
        async with notices:
            await self.news(3)
            self.assertEqual(await notices.receive(), ("news", 3))

    async def test_a_loop_ends_when_none_comes_in_time(self):
        async with self.board.notices("news", int, within=0.01) as notices:
            await self.news(1, 2)
            self.assertEqual([each async for each in notices], [("news", 1), ("news", 2)])
        self.assertEqual([each async for each in self.board.notices("x", within=0.001)], [])

    async def test_a_loop_ends_with_its_node(self):
        found = []

        async def read():
            async for each in self.board.notices("news", int):
                found.append(each)

        reads = asyncio.create_task(read())
        while not found:
            await self.news(1)
            await asyncio.sleep(0)
        await self.node.stop(within=0.05)
        await asyncio.wait_for(reads, LIMIT)
        with self.assertRaises(coracle.Stopped):
            await self.board.notices("news").__aenter__()

    async def test_a_loop_ends_with_its_port(self):
        async with self.board.notices("news", int) as notices:
            reads = asyncio.create_task(_all(notices))
            await asyncio.sleep(0)
            self.me.close()
            self.assertEqual(await asyncio.wait_for(reads, LIMIT), [])

    async def test_a_lease_ends_them(self):
        async with self.board.notices("news", int, lease=0.01) as notices:
            self.assertIsNone(await notices.receive(within=0.05))
            await self.news(1)
            self.assertIsNone(await notices.receive(within=0.01))

    async def test_a_cancelled_wait_takes_no_notice(self):
        async with self.board.notices("news", int) as notices:
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await notices.receive()
            await self.news(1)
            self.assertEqual(await notices.receive(), ("news", 1))

    async def test_those_whose_beginning_was_cancelled_end(self):
        async with coracle.Node("local:", workers=1) as node:  # so that operations take time
            await node.start_space("board")
            me = await node.join("me")
            board = me.space("board")
            begins = asyncio.create_task(board.notices("news", int).__aenter__())
            await asyncio.sleep(0)
            begins.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await begins
            await asyncio.sleep(0.05)  # they begin, and end
            await board.out("news", 1)
            self.assertIsNone(await me.receive(within=0.01))

    async def test_those_without_room_are_counted(self):
        small = await self.node.join("small", mailbox_messages=1)
        async with small.space("board").notices("news", int) as notices:
            await self.news(1, 2, 3)
            self.assertEqual(await notices.receive(), ("news", 1))
            await self.news(4)
            self.assertEqual(await notices.receive(), ("news", 4))
            self.assertEqual(await notices.missed(), 2)

    async def test_wrong_arguments_are_told(self):
        for wrong, kind in (((), coracle.BadArgument), ((None,), TypeError),
                            ((0,) * 17, coracle.BadArgument)):
            with self.assertRaises(kind):
                await self.board.notices(*wrong).__aenter__()
        with self.assertRaises(ValueError):
            await self.board.notices("x", lease=-1).__aenter__()
        with self.assertRaises(coracle.BadArgument):
            await self.board.notices("x").receive()


async def _all(notices):
    return [each async for each in notices]


class Waits(Spaces):
    async def test_a_cancelled_wait_takes_no_tuple(self):
        for wait in self.board.take, self.board.read:
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await wait("task", int)
        await self.other.out("task", 1)
        self.assertEqual(await self.board.take("task", int, within=LIMIT), ("task", 1))

    async def test_a_take_that_is_cancelled_while_its_tuple_comes_loses_none(self):
        async with coracle.Node("local:", workers=1) as node:  # which works beside this thread
            await node.start_space("board")
            board = (await node.join("me")).space("board")
            for number in range(1000):
                take = asyncio.ensure_future(board.take("task", number))
                await asyncio.sleep(0)
                await board.out("task", number)
                take.cancel()
                took = await asyncio.gather(take, return_exceptions=True)
                if isinstance(took[0], asyncio.CancelledError):
                    took = [await board.take("task", number, within=LIMIT)]
                self.assertEqual(took, [("task", number)])


class Evaluators(Spaces):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.clerk = await self.node.start(Clerk("clerk", at_once=2))
        self.clerk.port = await self.node.join("clerk/port")

    async def result(self, function, *arguments):
        await self.board.evaluate(function, *arguments)
        async with asyncio.timeout(LIMIT):
            return await self.board.take("eval failed", function, str)

    async def test_results_are_tuples_of_the_space(self):
        await self.board.evaluate("square", 7)
        self.assertEqual(await self.board.take("square", 7, int), ("square", 7, 49))
        await self.board.evaluate("echo", True, 2.5, "ü", b"\0")
        self.assertEqual(await self.board.take("echo", bool, float, str, bytes),
                         ("echo", True, 2.5, "ü", b"\0"))

    async def test_no_tuple_comes_of_none(self):
        async with self.board.notices("relayed", str) as notices:
            await self.board.evaluate("relay", "x")  # it uses the space itself
            self.assertEqual(await notices.receive(within=LIMIT), ("relayed", "x"))
            await self.board.evaluate("relay", "y")
            self.assertEqual(await notices.receive(within=LIMIT), ("relayed", "y"))

    async def test_a_failure_is_a_tuple_and_ends_nothing(self):
        for function, arguments, text in (
                ("refuse", (), "not today"),
                ("fail", (), "ValueError: the ink is dry"),
                ("lie", (), "WrongType: the result of lie"),
                ("square", (), "missing a required argument: 'number'"),
                ("square", ("x",), "the argument number should be of type int, but it is 'x'"),
                ("send_list", (), "TypeError: a function of an evaluator returns a tuple"),
                ("send_type", (), "BadArgument")):
            with self.subTest(function), self.assertLogs("coracle.agent", "INFO") as logged:
                calls.AGENTS.info("one line at least")
                failed, name, why = await self.result(function, *arguments)
                self.assertEqual((failed, name), ("eval failed", function))
                self.assertIn(text, why)
        await self.board.evaluate("square", 2)
        self.assertEqual(await self.board.take("square", int, 4), ("square", 2, 4))

    async def test_a_function_that_nobody_offers_is_refused(self):
        with self.assertRaisesRegex(coracle.Refused, "cube"):
            await self.board.evaluate("cube", 2)

    async def test_the_end_of_the_node_cancels_what_waits(self):
        await self.board.evaluate("wait", "long")
        await asyncio.wait_for(self.clerk.begun.wait(), LIMIT)
        await self.board.evaluate("square", 3)  # beside it
        self.assertEqual(await self.board.take("square", 3, int), ("square", 3, 9))
        await self.node.stop(within=0.05)
        await asyncio.wait_for(self.clerk.ended(), LIMIT)

    async def test_misuse_is_told(self):
        with self.assertRaisesRegex(coracle.BadArgument, "ends with its node"):
            self.clerk.retire()
        for wrong, kind, text in (
                (calls.Evaluator("empty", "board"), coracle.BadArgument, "1 to 1,000 evaluations"),
                (Clerk("clerk"), coracle.NameTaken, "clerk"),
                (self.clerk, coracle.BadArgument, "started before"),
                (Clerk("x", "a//b"), coracle.BadName, "a//b"),
                (Clerk("x", None), coracle.BadArgument, "space")):
            with self.assertRaisesRegex(kind, text):
                await self.node.start(wrong)
        with self.assertRaisesRegex(TypeError, "Clerk has no setting 'speed'"):
            Clerk("x", speed=3)
        async with coracle.Node("local:", workers=1) as node:
            with self.assertRaisesRegex(coracle.Unsupported, "without `workers`"):
                await node.start(Clerk("clerk"))


class Blocking(unittest.TestCase):
    def test_a_script_reads_notices(self):
        with coracle.connect("local:") as node, node.join("me") as me, node.join("other") as other:
            node.start_space("board")
            board, news = me.space("board"), other.space("board")
            with board.notices("news", int, within=0.01) as notices:
                for day in 1, 2, 3:
                    news.out("news", day)
                self.assertEqual(notices.receive(within=LIMIT), ("news", 1))
                self.assertEqual(list(notices), [("news", 2), ("news", 3)])
                self.assertIsNone(notices.receive(within=0.001))
                self.assertEqual(notices.missed(), 0)
            news.out("news", 4)
            self.assertIsNone(me.try_receive())
            with self.assertRaises(coracle.BadArgument):
                notices.receive()
            self.assertEqual(list(board.notices("x", within=0.001)), [])
            for _ in board.notices("news", int, within=0.001):
                self.fail("there is none")
            news.out("news", 5)
            self.assertIsNone(me.try_receive())


if __name__ == "__main__":
    unittest.main()
