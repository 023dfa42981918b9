#!/usr/bin/env python3
"""The player of the contract in Python; bindings/contract/players.py describes its commands.

by_loop plays with asyncio; by_threads with ports whose calls wait, each in a thread of its own.
"""
from __future__ import annotations

import asyncio
import sys
import threading
import urllib.parse

import coracle
import coracle.blocking

NANOSECONDS = 1e9


class Command:
    """A line of the driver. An absent field is None, or 0 if it is a number."""

    def __init__(self, line):
        words = line.rstrip("\n").split(" ")
        self.number, self.verb = words[:2]
        self.fields = {key: urllib.parse.unquote(value)
                       for key, value in (word.split("=", 1) for word in words[2:])}

    def __getitem__(self, key):
        return self.fields.get(key)

    def integer(self, key):
        return int(self.fields.get(key, 0))

    def seconds(self, key):
        return int(self.fields[key]) / NANOSECONDS if self.integer(key) else None

    def part(self, prefix):
        return {key.removeprefix(prefix): value for key, value in self.fields.items()
                if key.startswith(prefix)}

    def properties(self):
        integers = {key: int(value) for key, value in self.part("integer.").items()}
        return integers | self.part("string.")

    def post(self):
        return {"to": self["many"].split() if self["many"] else self["to"],
                "content": self["text"] or "", "group": self["group"], "type": self["type"],
                "conversation": self.integer("conversation"), "reply_to": self["reply_to"],
                "headers": self.part("header."), "expires": self.seconds("expires"),
                "patience": self.seconds("patience")}

    def wanted(self):
        return {"from_": self["from"], "type": self["type"], "tap": self.integer("tap"),
                "conversation": self.integer("conversation"), "addressed": bool(self["addressed"])}


class Player:
    """Obeys commands; what differs between the two ways is in its two subclasses."""

    def __init__(self):
        self.ports, self.kept, self.begun = {}, {}, {}
        self.former = []  # agents whose names were taken over; they stay

    def answer(self, command, word, **fields):
        words = [f"{key}={urllib.parse.quote(str(value))}" for key, value in fields.items()]
        sys.stdout.write(" ".join([command.number, word, *words]) + "\n")
        sys.stdout.flush()

    def fail(self, command, error):
        code = error.code if isinstance(error, coracle.Error) else 1004
        self.answer(command, "error", code=code, text=error)

    def succeed(self, command, result):
        self.answer(command, "ok", **self.fields_of(command, result))

    def fields_of(self, command, result):
        if isinstance(result, coracle.Message):
            if command["keep"]:
                self.kept[command.number] = result
            return {"number": 0, "source": result.source, "target": result.target,
                    "type": result.type, "reply_to": result.reply_to or "",
                    "text": result.bytes.decode(),
                    "conversation": result.conversation, "tap": result.tap, "gap": result.gap,
                    "request": int(result.is_request), "redelivered": int(result.redelivered),
                    "earlier": int(result.earlier), **self.overheard(result),
                    **{f"header.{key}": value for key, value in result.headers.items()}}
        if isinstance(result, list) and command.verb == "receive_many":
            return {"texts": " ".join(each.text for each in result)}
        if isinstance(result, list):
            return {"names": " ".join(getattr(each, "name", each) for each in result)}
        if isinstance(result, coracle.StopReport):
            return {"clean": int(result.clean), "alive": result.still_alive,
                    "undelivered": result.undelivered, "kept": result.kept}
        if isinstance(result, coracle.Receipt):
            self.kept[command.number] = result
        if isinstance(result, self.kind):
            self.former.append(self.ports.get(command["agent"]))
            self.ports[command["agent"]] = result
        is_number = isinstance(result, (int, coracle.EndReason))
        return {"number": int(result.value if isinstance(result, coracle.EndReason) else result)
                if is_number else 0}

    def overheard(self, message):
        """The fields that only a message has that was overheard."""
        found = {"kind": message.kind, "gap_reason": message.gap_reason}
        if message.notice:
            found |= {"notice": message.notice.stage, "outcome": message.notice.outcome,
                      "drop_reason": message.notice.drop_reason}
        found = {key: value.name.lower() for key, value in found.items() if value is not None}
        return found | ({"receiver": message.notice.receiver} if message.notice else {})

    def begin(self, command):
        """Begins an operation, and returns what will have its result."""
        port = self.ports.get(command["agent"])
        within = command.seconds("longest")
        match command.verb:
            case "open":
                port = self.port(command["agent"], mailbox_messages=command.integer("messages"),
                                 mailbox_bytes=command.integer("bytes"),
                                 overflow=coracle.Overflow(command.integer("overflow")),
                                 redirect=command["redirect"],
                                 properties=command.properties(),
                                 take_over=bool(command["take_over"]))
                return self.open(port)
            case "send":
                return port.send(**command.post())
            case "track":
                return port.track(**command.post())
            case "reached":
                stage = coracle.Stage(command.integer("stage"))
                return self.kept[command["receipt"]].reached(stage, within)
            case "ask":
                return port.ask(command["to"], command["text"], within=within)
            case "reply":
                return port.reply(self.kept[command["message"]], command["text"])
            case "refuse":
                return port.refuse(self.kept[command["message"]], command["text"])
            case "receive":
                return port.receive(**command.wanted(), within=within)
            case "receive_many":
                return port.receive_many(command.integer("most"), **command.wanted(), within=within)
            case "conversation":
                return port.new_conversation()
            case "join":
                return port.join(command["group"], command.integer("last"))
            case "leave":
                return port.leave(command["group"])
            case "members":
                return port.members(command["group"])
            case "overhear":
                return port._overhear(source=command["source"], target=command["target"],
                                      text=command["text"], headers=command.part("component."),
                                      limit=command.integer("limit"),
                                      rate=command.integer("rate"),
                                      outcomes=bool(command["outcomes"]))
            case "stop_overhearing":
                return port._stop_overhearing(command.integer("tap"))
            case "describe":
                return port.describe(**command.properties())
            case "search":
                return port.search(command["prefix"], command.properties())
            case "watch":
                return port.watch(command["name"])
        return None

    def act(self, command):
        """Does what ends at once, and returns its result."""
        port = self.ports.get(command["agent"])
        match command.verb:
            case "try_receive":
                return port.try_receive(**command.wanted())
            case "close":
                return port.close()
            case "acknowledge":
                return self.kept[command["message"]].acknowledge()
            case "keep_open":
                return self.kept[command["message"]].keep_open()
            case "free":
                return self.kept.pop(command["message"]).free()
            case "give_back":
                return self.kept.pop(command["message"]).give_back()
            case "cancel":
                return self.begun[command["what"]].cancel()
        raise SystemExit(f"player: unknown command {command.verb}")

    def forget(self):
        for each in (self.ports, self.kept, self.begun):
            each.clear()

    def obey(self, command):
        try:
            begun = self.begin(command)
            if begun is None:
                self.succeed(command, self.act(command))
            else:
                self.begun[command.number] = begun
                self.wait(command, begun)
        except (coracle.Error, ValueError) as error:
            self.fail(command, error)


class ByLoop(Player):
    """All in one asyncio loop."""

    kind = port = coracle.Port

    async def play(self):
        loop = asyncio.get_running_loop()
        lines = asyncio.StreamReader(limit=2**20)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := (await lines.readline()).decode():
            command = Command(line)
            if command.verb == "begin":
                self.node = await coracle.Node(command["realization"]).__aenter__()
                self.answer(command, "ok")
            elif command.verb == "end":
                self.forget()
                self.node.close()
                self.answer(command, "ok")
            elif command.verb == "stop":
                asyncio.ensure_future(self.stop(command))
            else:
                self.obey(command)

    def open(self, port):
        self.node._ports.add(port)
        return self.node._open_node().open_port(port)

    def wait(self, command, begun):
        begun.add_done_callback(lambda ended: self.on_end(command, ended))

    def on_end(self, command, ended):
        self.begun.pop(command.number, None)
        if ended.cancelled():
            self.fail(command, coracle.Cancelled("it was cancelled"))
        elif ended.exception() is not None:
            self.fail(command, ended.exception())
        else:
            self.succeed(command, ended.result())

    async def stop(self, command):
        self.succeed(command, await self.node.stop(command.integer("longest") / NANOSECONDS))


class ByThreads(Player):
    """The calls of blocking ports, each in a thread. They begin in the order of the commands."""

    kind = coracle.blocking.Port

    def port(self, name, **options):
        port = coracle.blocking.Port(name, **options)
        port._waits = False
        return port

    def play(self):
        self.lock = threading.Lock()
        for line in sys.stdin:
            command = Command(line)
            if command.verb == "begin":
                self.node = coracle.connect(command["realization"])
                self.answer(command, "ok")
            elif command.verb == "end":
                self.forget()
                self.node.close()
                self.answer(command, "ok")
            elif command.verb == "stop":
                report = self.node.stop(command.integer("longest") / NANOSECONDS)
                self.succeed(command, report)
            else:
                self.obey(command)

    def answer(self, command, word, **fields):
        with self.lock:
            super().answer(command, word, **fields)

    def open(self, port):
        self.node._ports.add(port)
        return self.node._node.open_port(port)

    def wait(self, command, begun):
        threading.Thread(target=self.on_end, args=(command, begun), daemon=True).start()

    def on_end(self, command, begun):
        try:
            self.succeed(command, begun._wait())
        except coracle.Error as error:
            self.fail(command, error)
        self.begun.pop(command.number, None)  # and with it the message


def main():
    if sys.argv[1] == "by_loop":
        asyncio.run(ByLoop().play())
    else:
        ByThreads().play()


main()
