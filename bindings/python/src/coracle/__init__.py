"""Societies of agents that exchange messages, however the messages travel.

An agent is a class with a coroutine:

    class Sonar(coracle.Agent):
        async def run(self):
            async for message in self.messages():
                await self.reply(message, "2.4 metres")

    async def main():
        async with coracle.Node("distributed:") as node:
            await node.start(Sonar("lab/sonar"))
            me = await node.join("lab/me")
            answer = await me.ask("lab/sonar", "How far away is the wall?", within=1)
            print(answer.text)

In a script or a notebook, calls can wait instead:

    with coracle.connect("distributed:") as node, node.join("lab/me") as me:
        print(me.ask("lab/sonar", "How far away is the wall?").text)
"""
from __future__ import annotations

import atexit as _atexit
import os as _os
from typing import TYPE_CHECKING as _CHECKING

from coracle import _core
from coracle._core import (DropReason, EndReason, GapReason, Message, MessageKind, NoticeStage,
                           Operation, Outcome, Overflow, Receipt, Stage, from_cbor, set_log,
                           to_cbor)
from coracle.conditions import (Condition, at_least, at_most, exists, greater, less, matches,
                                not_equal)
from coracle.errors import (AbsentFull, AgentFailed, BadArgument, BadEncoding, BadEndpoint,
                            BadHandle, BadName, BadOptions, BadPath, BadPattern, BadRealization,
                            Cancelled, CannotListen, Deadlock, Disconnected, DiskFailed, DiskFull,
                            Dropped, Error, Expired, Failed, Fenced, FileExists, Forked,
                            LimitReached, MailboxFull, NameTaken, NoCredit, NoMemory, NoSuchAgent,
                            NoSuchFile, NoSuchFunction, NotPermitted, PeerDown, Refusal, Refused,
                            Stopped, StoreLost, TooLarge, Unanswered, Undeliverable, Unreachable,
                            Unsupported, WrongThread, WrongType)
from coracle.nodes import Node, StopReport
from coracle.ports import Agent, Ear, Entry, Notice, Notices, Port, Space

if _CHECKING:
    from coracle import blocking
    from coracle.recordings import Recording

__all__ = ["AbsentFull", "Agent", "AgentFailed", "BadArgument", "BadEncoding", "BadEndpoint",
           "BadHandle", "BadName", "BadOptions", "BadPath", "BadPattern", "BadRealization",
           "Cancelled", "CannotListen", "Condition", "Deadlock", "Disconnected", "DiskFailed",
           "DiskFull", "DropReason", "Dropped", "Ear", "EndReason", "Entry", "Error", "Expired",
           "Failed", "Fenced", "FileExists", "Forked", "GapReason", "LimitReached", "MailboxFull",
           "Message", "MessageKind", "NameTaken", "NoCredit", "NoMemory", "NoSuchAgent",
           "NoSuchFile", "NoSuchFunction", "Node", "NotPermitted", "Notice", "NoticeStage",
           "Notices", "Operation", "Outcome", "Overflow", "PeerDown", "Port", "Receipt", "Refusal",
           "Refused", "Space", "Stage", "StopReport", "Stopped", "StoreLost", "TooLarge",
           "Unanswered", "Undeliverable", "Unreachable", "Unsupported", "WrongThread", "WrongType",
           "at_least", "at_most", "connect", "exists", "from_cbor", "greater", "less", "matches",
           "not_equal", "recording", "set_log", "to_cbor"]
__version__ = _core.version()


def connect(realization: str | None = None, *, identity: str | None = None, workers: int = 1,
            content_limit: int = 0, connect_time: float | None = None,
            patience: float | None = None) -> blocking.Node:
    """Opens a node whose calls wait: for scripts, notebooks and threads.

    with coracle.connect("local:") as node, node.join("me") as me:
        me.send("me", "hello")
        print(me.receive().text)
    """
    from coracle.blocking import Node
    return Node(realization, identity=identity, workers=workers, content_limit=content_limit,
                connect_time=connect_time, patience=patience)


def recording(path: str | _os.PathLike[str]) -> Recording:
    """Opens a recording, which gives its messages and events as rows."""
    from coracle.recordings import Recording
    return Recording(path)


_atexit.register(_core._close_all)
