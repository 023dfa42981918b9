"""bench.py SCENARIO [--size 64] [--seconds 1]: a number of the Python package, as a line of JSON.

Round trips, in ns: `agents` of one node, beside them `queues` of asyncio and `autogen`, two agents
of AutoGen; `processes`, and beside them `zmq`, two sockets of pyzmq. `batches`: messages per second
from a C program. `idle`: bytes of an agent that waits.
"""
from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time

import coracle

BATCH = 100


class Rounds:
    """Counts round trips until the time is over; the first fifth of the time is the warm-up."""

    def __init__(self, seconds: float):
        self.samples: list[float] = []
        self._count = 0
        self._begin = time.perf_counter() + seconds / 5
        self._end = self._begin + seconds
        self._batch = 0.0

    def is_over(self) -> bool:
        self._count += 1
        if self._count % BATCH != 1:
            return False
        now = time.perf_counter()
        if self._batch > self._begin:
            self.samples.append((now - self._batch) / BATCH * 1e9)
        self._batch = now
        return now >= self._end and bool(self.samples)


class Pong(coracle.Agent):
    async def run(self) -> None:
        while True:
            message = await self.receive()
            await self.send("ping", message.bytes)


class Ping(coracle.Agent):
    rounds: Rounds
    content: bytes

    async def run(self) -> None:
        while not self.rounds.is_over():
            await self.send("pong", self.content)
            await self.receive()


async def agents(size: int, seconds: float) -> list[float]:
    async with coracle.Node("local:") as node:
        pong = await node.start(Pong("pong"))
        ping = Ping("ping")
        ping.rounds, ping.content = Rounds(seconds), bytes(size)
        await (await node.start(ping)).ended()
        pong.close()
    return ping.rounds.samples


async def queues(size: int, seconds: float) -> list[float]:
    there: asyncio.Queue[bytes] = asyncio.Queue()
    back: asyncio.Queue[bytes] = asyncio.Queue()

    async def pong() -> None:
        while True:
            await back.put(await there.get())

    other = asyncio.create_task(pong())
    rounds, content = Rounds(seconds), bytes(size)
    while not rounds.is_over():
        await there.put(content)
        await back.get()
    other.cancel()
    return rounds.samples


def partner(*words: str) -> subprocess.Popen[bytes]:
    """This program again, as the other process; it ends with its standard input."""
    return subprocess.Popen([sys.executable, __file__, *words], stdin=subprocess.PIPE,
                            stdout=subprocess.DEVNULL)


async def until_input_ends() -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(0, over.set)
    await over.wait()


async def serve(realization: str) -> None:
    async with coracle.Node(realization) as node:
        pong = await node.start(Pong("pong"))
        await until_input_ends()
        pong.close()


async def processes(size: int, seconds: float) -> list[float]:
    realization = f"distributed:society=binding-python-{os.getpid()}"
    async with coracle.Node(realization) as node:
        other = partner("serve", realization)
        ping = Ping("ping")
        ping.rounds, ping.content = Rounds(seconds), bytes(size)
        await (await node.start(ping)).ended()
        other.kill()
        other.wait()
    return ping.rounds.samples


async def serve_zmq(place: str) -> None:
    import zmq.asyncio

    socket = zmq.asyncio.Context().socket(zmq.PAIR)
    socket.connect(place)
    while True:
        await socket.send(await socket.recv())


async def run_zmq(size: int, seconds: float) -> list[float]:
    try:
        import zmq.asyncio
    except ImportError:
        sys.exit(f"binding-python: there is no pyzmq; run: {sys.executable} -m pip install pyzmq")

    socket = zmq.asyncio.Context().socket(zmq.PAIR)
    socket.bind(f"ipc://@binding-python-{os.getpid()}")
    other = partner("serve-zmq", socket.last_endpoint.decode())
    rounds, content = Rounds(seconds), bytes(size)
    while not rounds.is_over():
        await socket.send(content)
        await socket.recv()
    other.kill()
    other.wait()
    return rounds.samples


async def run_autogen(size: int, seconds: float) -> list[float]:
    """Two agents of AutoGen's runtime: one sends, and the other one's function returns it."""
    try:
        import autogen_core as autogen
    except ImportError:
        sys.exit("binding-python: there is no autogen-core; run: "
                 f"{sys.executable} -m pip install autogen-core")

    @dataclasses.dataclass
    class Ball:
        content: str  # AutoGen carries JSON

    async def hit(self, message, ctx):
        return message

    hit.__annotations__ = {"message": Ball, "ctx": autogen.MessageContext, "return": Ball}
    Wall = type("Wall", (autogen.RoutedAgent,), {"hit": autogen.message_handler(hit)})

    runtime = autogen.SingleThreadedAgentRuntime()
    await Wall.register(runtime, "wall", lambda: Wall("wall"))
    runtime.start()
    rounds, ball = Rounds(seconds), Ball("x" * size)
    while not rounds.is_over():
        await runtime.send_message(ball, autogen.AgentId("wall", "one"))
    await runtime.stop()
    return rounds.samples


async def batches(size: int, seconds: float) -> list[float]:
    """From `binding-c floods`, beside the interpreter's own work."""
    realization = f"distributed:society=binding-python-{os.getpid()}"
    async with coracle.Node(realization) as node:
        reader = await node.join("reader")
        other = subprocess.Popen([os.environ["BINDING_C"], "floods", realization,
                                  "--size", str(size)], stdin=subprocess.PIPE)
        samples: list[float] = []
        begin = time.perf_counter() + seconds / 5
        last = 0.0
        count = 0
        while last < begin + seconds:
            count += len(await reader.receive_many(4096))
            if count >= 4096:
                now = time.perf_counter()
                if last >= begin:
                    samples.append(count / (now - last))
                last, count = now, 0
        other.kill()
        other.wait()
    return samples


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Idle(coracle.Agent):
    async def run(self) -> None:
        await self.receive()


async def idle(size: int, seconds: float) -> list[float]:
    del size, seconds
    count = 10_000
    async with coracle.Node("local:") as node:
        warm = [await node.start(Idle(f"warm{each}")) for each in range(100)]
        await asyncio.sleep(0)
        before = resident()
        others = [await node.start(Idle(f"idle{each}")) for each in range(count)]
        await asyncio.sleep(0)
        grown = resident() - before
        for agent in [*warm, *others]:
            agent.close()
    return [grown / count]


SCENARIOS = {"agents": agents, "queues": queues, "processes": processes, "zmq": run_zmq,
             "autogen": run_autogen, "batches": batches, "idle": idle}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", choices=[*SCENARIOS, "serve", "serve-zmq"])
    parser.add_argument("place", nargs="?", default="")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=1)
    given = parser.parse_args()
    if given.scenario == "serve":
        return asyncio.run(serve(given.place))
    if given.scenario == "serve-zmq":
        return asyncio.run(serve_zmq(given.place))
    samples = sorted(asyncio.run(SCENARIOS[given.scenario](given.size, given.seconds)))
    print(json.dumps({
        "system": "python", "scenario": given.scenario, "version": coracle.__version__,
        "value": statistics.fmean(samples), "p50": samples[len(samples) // 2],
        "p99": samples[len(samples) * 99 // 100], "n": len(samples)}))


main()
