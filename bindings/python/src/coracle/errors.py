"""The errors of coracle, a class for each code. Every error says what happened and what to do."""
from __future__ import annotations

from typing import ClassVar

from coracle import _core


class Error(Exception):
    """An operation failed; the text says what happened, to what, and what to do."""

    code: ClassVar[int] = 0


class BadName(Error, ValueError):
    """A name, or a group's name, is not allowed."""

    code = 1


class NameTaken(Error):
    """Another agent has the name."""

    code = 2


class NoSuchAgent(Error, LookupError):
    """No agent has that name now."""

    code = 3


class Fenced(Error):
    """Another agent took over the name of this one."""

    code = 4


class NotPermitted(Error, PermissionError):
    """The policy of the society forbids it."""

    code = 5


class BadRealization(Error, ValueError):
    """The text that names a realization is wrong."""

    code = 6


class BadPattern(Error, ValueError):
    """A pattern is no valid regular expression."""

    code = 7


class BadOptions(Error, ValueError):
    """An option has an impossible value."""

    code = 8


class TooLarge(Error):
    """A message is larger than a node allows."""

    code = 9


class WrongType(Error, TypeError):
    """A content has another type than the program wants."""

    code = 10


class BadEncoding(Error, ValueError):
    """The bytes of a content are damaged."""

    code = 11


class MailboxFull(Error):
    """A mailbox has no room, and had none in time."""

    code = 12


class AbsentFull(Error):
    """Too many messages wait for an agent that is absent."""

    code = 13


class Deadlock(Error):
    """Agents wait for each other."""

    code = 14


class Expired(Error, TimeoutError):
    """A deadline has passed."""

    code = 15


class Undeliverable(Error):
    """A message cannot reach its target."""

    code = 16


class Dropped(Error):
    """A message was dropped by its mailbox's rule."""

    code = 17


class Refused(Error):
    """The other agent refused a request; the text is its reason."""

    code = 18


class PeerDown(Error):
    """The other agent has ended, or its node is lost."""

    code = 19


class AgentFailed(Error):
    """The other agent failed."""

    code = 20


class Cancelled(Error):
    """The operation was cancelled."""

    code = 21


class Stopped(Error):
    """The node has stopped."""

    code = 22


class NoCredit(Error):
    """The other node takes no more messages now."""

    code = 23


class StoreLost(Error):
    """The message store has lost messages."""

    code = 24


class WrongThread(Error, RuntimeError):
    """The call came from a thread that must not make it."""

    code = 25


class LimitReached(Error):
    """A limit of the society is reached."""

    code = 26


class Unsupported(Error, NotImplementedError):
    """This realization, or this version, cannot do it."""

    code = 27


class BadEndpoint(Error, ValueError):
    """The address of a service is wrong."""

    code = 28


class CannotListen(Error, OSError):
    """A port or socket cannot be opened."""

    code = 29


class Unreachable(Error, ConnectionError):
    """Another node or a service cannot be reached."""

    code = 30


class Disconnected(Error, ConnectionError):
    """A connection has ended."""

    code = 31


class DiskFull(Error, OSError):
    """The disk is full."""

    code = 32


class DiskFailed(Error, OSError):
    """The disk failed."""

    code = 33


class NoSuchFile(Error, FileNotFoundError):
    """There is no such file."""

    code = 34


class FileExists(Error, FileExistsError):
    """There is such a file already."""

    code = 35


class BadPath(Error, OSError):
    """A path is wrong."""

    code = 36


class NoSuchFunction(Error, LookupError):
    """No agent offers a function of that name."""

    code = 37


class Unanswered(Error):
    """The other agent dropped a request without a reply."""

    code = 38


class BadHandle(Error, ValueError):
    """The node, agent or message has been closed."""

    code = 1000


class BadArgument(Error, ValueError):
    """An argument is impossible."""

    code = 1001


class NoMemory(Error, MemoryError):
    """There is no memory left."""

    code = 1002


class Forked(Error, RuntimeError):
    """The process was forked after coracle was used."""

    code = 1003


class Failed(Error, RuntimeError):
    """The library failed unexpectedly."""

    code = 1004


class Refusal(Exception):
    """A function of a role raises it on purpose: there is no answer, for that reason.

    Its asker gets Refused with the text. Any other exception is a failure of the role.
    """


_core._set_errors({each.code: each for each in Error.__subclasses__()})
