"""Taps with a rate and with outcomes: copies, gaps and notices."""
import asyncio
import unittest

import coracle
from coracle import DropReason, GapReason, MessageKind, NoticeStage, Outcome

LIMIT = 20


class Overhearing(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.ann = await self.node.join("ann")
        self.bob = await self.node.join("bob")
        self.eve = await self.node.join("eve")

    async def asyncTearDown(self):
        await self.node.stop()

    async def test_notices_tell_what_becomes_of_a_message(self):
        async with self.eve.overhear(target="bob", outcomes=True) as ear:
            await self.ann.send("bob", "hello")
            self.assertEqual((await self.bob.receive()).text, "hello")
            copy = await ear.receive(within=LIMIT)
            self.assertEqual((copy.text, copy.notice, copy.gap_reason), ("hello", None, None))
            stages = []
            while len(stages) < 3:
                message = await ear.receive(within=LIMIT)
                self.assertEqual(message.sequence, copy.sequence)
                stages.append(message.notice)
            self.assertEqual(stages, [
                (NoticeStage.KEPT, None, None, "bob"),
                (NoticeStage.HANDED_OUT, None, None, "bob"),
                (NoticeStage.ENDED, Outcome.CONSUMED, None, "bob")])
            self.assertIs(stages[2].outcome, Outcome.CONSUMED)

    async def test_a_notice_tells_why_a_message_was_dropped(self):
        box = await self.node.join("box", mailbox_messages=1,
                                   overflow=coracle.Overflow.DROP_OLDEST)
        async with self.eve.overhear(target="box", outcomes=True) as ear:
            for each in "1", "2":
                await self.ann.send("box", each)
            async for message in ear:
                if message.notice and message.notice.stage == NoticeStage.ENDED:
                    break
            self.assertEqual(message.notice[1:], (Outcome.DROPPED, DropReason.OLDEST, box.name))

    async def test_a_copy_tells_the_kind_of_its_message(self):
        async with self.eve.overhear() as ear:
            asking = asyncio.ensure_future(self.ann.ask("bob", "?", within=LIMIT))
            await self.bob.reply(await self.bob.receive(), "!")
            await asking
            asking = asyncio.ensure_future(self.ann.ask("bob", "?", within=LIMIT))
            request = await self.bob.receive()
            self.assertTrue(request.is_request)
            self.assertIs(request.kind, MessageKind.PLAIN)
            await self.bob.refuse(request, "no")
            with self.assertRaises(coracle.Refused):
                await asking
            await self.ann.send("bob", "bye")
            self.assertEqual([(await ear.receive(within=LIMIT)).kind for _ in range(5)], [
                MessageKind.REQUEST, MessageKind.REPLY, MessageKind.REQUEST, MessageKind.FAILURE,
                MessageKind.PLAIN])

    async def test_a_gap_tells_its_reason(self):
        async with self.eve.overhear(target="bob", limit=2) as ear:
            for each in range(5):
                await self.ann.send("bob", str(each))
            gap = [await ear.receive(within=LIMIT) for _ in range(3)][2]
            self.assertEqual((gap.gap, gap.gap_reason), (3, GapReason.MAILBOX))
        async with self.eve.overhear(target="bob", rate=1) as ear:
            for each in range(20):
                await self.ann.send("bob", str(each))
            async for message in ear:
                if message.gap:
                    break
            self.assertEqual(message.gap_reason, GapReason.RATE)

    async def test_a_rate_is_a_number(self):
        for rate in -1, "fast", 1.5:
            with self.assertRaises((TypeError, OverflowError, coracle.BadArgument)):
                async with self.eve.overhear(rate=rate):
                    pass


class Blocking(unittest.TestCase):
    def test_a_port_whose_calls_wait_gets_notices_too(self):
        with coracle.connect("local:") as node, node.join("ann") as ann, node.join("eve") as eve:
            with eve.overhear(source="ann", rate=1000, outcomes=True) as ear:
                ann.send("ann", "x")
                self.assertEqual(ann.receive(within=LIMIT).text, "x")
                copy = ear.receive(within=LIMIT)
                self.assertEqual((copy.text, copy.notice), ("x", None))
                ends = [ear.receive(within=LIMIT).notice for _ in range(3)]
                self.assertEqual(ends[2].outcome, Outcome.CONSUMED)


if __name__ == "__main__":
    unittest.main()
