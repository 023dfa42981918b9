"""Agents of an asyncio loop: their work, their failures and their end."""
import asyncio
import contextvars
import logging
import os
import signal
import subprocess
import sys
import threading
import unittest

import coracle

LIMIT = 20  # seconds; no test waits so long unless something is broken


def run_script(text, **options):
    return subprocess.run([sys.executable, "-X", "dev", "-c", text], capture_output=True, text=True,
                          timeout=LIMIT, **options)


class Echo(coracle.Agent):
    async def run(self):
        async for message in self.messages():
            await self.reply(message, message.bytes)


class Faulty(coracle.Agent):
    async def run(self):
        message = await self.receive()
        if message:
            raise ValueError("the sonar is wet")


class Agents(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.node = await coracle.Node("local:").open()
        self.addCleanup(self.node.close)

    async def test_two_agents_exchange_a_request_and_its_reply(self):
        await self.node.start(Echo("echo"))
        me = await self.node.join("me")
        self.assertEqual((await me.ask("echo", "hello", within=LIMIT)).bytes, b"hello")

    async def test_an_exception_ends_its_agent_alone_and_reaches_who_waits(self):
        await self.node.start(Echo("echo"))
        faulty = await self.node.start(Faulty("faulty"))
        me = await self.node.join("me")
        ending = me.watch("faulty")
        with self.assertLogs("coracle.agent", logging.ERROR) as logged:
            with self.assertRaisesRegex(coracle.AgentFailed, "ValueError: the sonar is wet"):
                await me.ask("faulty", "?", within=LIMIT)
        self.assertEqual(await ending, coracle.EndReason.CRASHED)
        self.assertEqual(logged.records[0].agent, "faulty")
        with self.assertRaisesRegex(ValueError, "the sonar is wet"):
            await faulty.ended()
        self.assertEqual((await me.ask("echo", "still", within=LIMIT)).text, "still")
        self.assertFalse(faulty.is_open)

    async def test_messages_in_the_hand_of_a_failed_agent_go_back(self):
        faulty = await self.node.start(Faulty("faulty"))
        me = await self.node.join("me")
        with self.assertLogs("coracle.agent"):
            await me.send("faulty", "keep me")
            await asyncio.wait([faulty._task])
        again = await self.node.join("faulty")
        message = await again.receive(within=LIMIT)
        self.assertEqual((message.text, message.redelivered), ("keep me", True))

    async def test_an_agent_without_run_says_so(self):
        with self.assertLogs("coracle.agent"):
            idle = await self.node.start(coracle.Agent("idle"))
            with self.assertRaisesRegex(NotImplementedError, "async def run"):
                await idle.ended()

    async def test_an_agent_is_started_once(self):
        echo = await self.node.start(Echo("echo"))
        with self.assertRaisesRegex(coracle.BadArgument, "started before"):
            await self.node.start(echo)

    async def test_asyncio_treats_an_operation_as_a_future(self):
        me = await self.node.join("me")
        with self.assertRaises(TimeoutError):
            async with asyncio.timeout(0.01):
                await me.receive()
        with self.assertRaises(TimeoutError):
            await asyncio.wait_for(me.receive(), 0.01)
        first, second = me.receive(), me.receive(from_="me")
        both = asyncio.gather(first, second)
        await me.send("me", "1")
        await me.send("me", "2")
        self.assertEqual([each.text for each in await both], ["1", "2"])
        self.assertTrue(first.done())
        first, second = me.receive(), me.receive(from_="me")
        for called_off in asyncio.gather(first, return_exceptions=True), asyncio.gather(second):
            called_off.cancel("enough")
        self.assertIsInstance((await asyncio.gather(first, return_exceptions=True))[0],
                              asyncio.CancelledError)
        with self.assertRaises(asyncio.CancelledError):
            await asyncio.gather(second)

    async def test_a_receive_that_was_cancelled_takes_nothing(self):
        me = await self.node.join("me")
        first, second = me.receive(), me.receive()
        self.assertTrue(first.cancel())
        await me.send("me", "x")
        self.assertEqual((await second).text, "x")
        with self.assertRaises(asyncio.CancelledError):
            await first
        self.assertFalse(second.cancel())

    async def test_a_task_keeps_its_context(self):
        colour = contextvars.ContextVar("colour")
        seen = []

        class Painter(coracle.Agent):
            async def run(self):
                colour.set(self.name)
                await self.receive()
                seen.append(colour.get())

        painters = [await self.node.start(Painter(name)) for name in ("red", "blue")]
        me = await self.node.join("me")
        for painter in painters:
            await me.send(painter.name)
        await self.node.wait()
        self.assertEqual(seen, ["red", "blue"])

    async def test_two_agents_that_never_pause_leave_time_to_others(self):
        class Player(coracle.Agent):
            async def run(self):
                async for message in self.messages():
                    await self.send(message, "ball")

        await self.node.start(Player("ping"))
        await self.node.start(Player("pong"))
        me = await self.node.join("me")
        await me.send("ping", "", reply_to="pong")
        await me.send("pong", "")
        await asyncio.wait_for(asyncio.sleep(0.001), LIMIT)

    async def test_another_thread_must_not_use_an_agent(self):
        me = await self.node.join("me")
        caught = []

        def meddle():
            try:
                me.send("me", "x")
            except coracle.WrongThread as error:
                caught.append(str(error))

        thread = threading.Thread(target=meddle)
        thread.start()
        thread.join()
        self.assertIn("run_coroutine_threadsafe", caught[0])

    async def test_a_closed_port_is_refused(self):
        me = await self.node.join("me")
        waits = me.receive()
        me.close()
        with self.assertRaises(coracle.Stopped):
            await waits
        with self.assertRaises(coracle.BadHandle):
            await me.send("me", "x")
        self.node.close()
        with self.assertRaises(RuntimeError):
            await self.node.join("you")

    async def test_agents_end_when_the_node_stops(self):
        echo = await self.node.start(Echo("echo"))
        report = await self.node.stop()
        self.assertTrue(report.clean, report.text)
        await echo.ended()

    async def test_an_agent_that_does_not_end_in_time_is_cancelled(self):
        ended = []

        class Deaf(coracle.Agent):
            async def run(self):
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.append(self.name)

        await self.node.start(Deaf("deaf"))
        await asyncio.sleep(0)
        await self.node.stop(within=0.01)
        self.assertEqual(ended, ["deaf"])

    async def test_a_failure_that_nobody_awaits_is_logged(self):
        me = await self.node.join("me")
        with self.assertLogs("coracle", logging.ERROR) as logged:
            me.watch("nobody")
            await asyncio.sleep(0.01)
        self.assertIn("nobody", logged.output[0])


class Ends(unittest.TestCase):
    BEGIN = ("import asyncio, coracle, os, signal, sys\n"
             "class Idle(coracle.Agent):\n"
             "    async def run(self):\n"
             "        try:\n            await self.receive()\n"
             "        finally:\n            print('left', flush=True)\n")

    def test_control_c_leaves_the_society_in_order(self):
        ran = run_script(self.BEGIN + (
            "async def main():\n"
            "    async with coracle.Node('local:') as node:\n"
            "        await node.start(Idle('idle'))\n"
            "        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)\n"
            "        await node.wait()\n"
            "asyncio.run(main())\n"))
        self.assertEqual((ran.stdout, ran.returncode), ("left\n", -signal.SIGINT), ran.stderr)
        self.assertIn("KeyboardInterrupt", ran.stderr)

    def test_an_interpreter_may_end_while_a_node_lives(self):
        ran = run_script(self.BEGIN + (
            "async def main():\n"
            "    global node, port\n"
            "    node = await coracle.Node('local:').open()\n"
            "    port = await node.start(Idle('idle'))\n"
            "    await asyncio.sleep(0)\n"
            "    other = coracle.connect('local:'); other.join('x')\n"
            "    sys.exit(3)\n"
            "asyncio.run(main())\n"))
        self.assertEqual((ran.stdout, ran.returncode), ("left\n", 3), ran.stderr)
        self.assertNotIn("leaked", ran.stderr)

    def test_the_child_of_a_fork_is_told_so(self):
        ran = run_script(self.BEGIN + (
            "node = coracle.connect('local:'); me = node.join('me')\n"
            "if os.fork() == 0:\n"
            "    try:\n        me.send('me', 'x')\n"
            "    except coracle.Forked as error:\n        print('told', flush=True)\n"
            "    os._exit(0)\n"
            "os.wait()\n"
            "me.send('me', 'x'); print(me.receive().text)\n"))
        self.assertEqual((ran.stdout, ran.returncode), ("told\nx\n", 0), ran.stderr)

    def test_an_idle_loop_takes_no_time(self):
        ran = run_script(self.BEGIN + (
            "import time\n"
            "async def main():\n"
            "    async with coracle.Node('local:') as node:\n"
            "        me = await node.join('me')\n"
            "        began = time.process_time()\n"
            "        await me.receive(within=0.5)\n"
            "        print(time.process_time() - began < 0.1)\n"
            "asyncio.run(main())\n"))
        self.assertEqual(ran.stdout, "True\n", ran.stderr)

    def test_all_nodes_of_a_loop_share_one_descriptor(self):
        async def main():
            loop, added = asyncio.get_running_loop(), []
            add, loop.add_reader = loop.add_reader, lambda *of: added.append(of) or add(*of)
            async with coracle.Node("local:") as first, coracle.Node("local:") as second:
                one, two = await first.join("x"), await second.join("x")
                await one.send("x", "1")
                await two.send("x", "2")
                self.assertEqual([(await one.receive()).text, (await two.receive()).text],
                                 ["1", "2"])
            return len(added)

        self.assertEqual(asyncio.run(main()), 1)

    def test_uvloop_runs_agents_too(self):
        try:
            import uvloop
        except ImportError:
            self.skipTest("uvloop is not installed")

        async def main():
            async with coracle.Node("local:") as node:
                await node.start(Echo("echo"))
                me = await node.join("me")
                return [(await me.ask("echo", str(each))).text for each in range(300)]

        self.assertEqual(uvloop.run(main()), [str(each) for each in range(300)])


if __name__ == "__main__":
    unittest.main()
