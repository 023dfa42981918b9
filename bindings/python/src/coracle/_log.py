"""The loggers of coracle: `coracle` for the binding, `coracle.agent` for the agents, and one for
each part of the library, such as `coracle.link`."""
from __future__ import annotations

import atexit
import logging
import select
import threading

from coracle import _core
from coracle.errors import LimitReached, Stopped

LOG = logging.getLogger("coracle")
AGENTS = logging.getLogger("coracle.agent")
_LEVELS = (5, logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)
_lock = threading.Lock()
_is_relaying = False


def relay() -> None:
    """From now on the library's lines go to the loggers, not to standard error."""
    global _is_relaying
    with _lock:
        if _is_relaying:
            return
        lines = select.poll()
        try:
            lines.register(_core._open_log(), select.POLLIN)
        except LimitReached:
            return  # a program in C, which this interpreter is a part of, has them
        _is_relaying = True
    atexit.register(_end_relay)
    threading.Thread(target=_relay_all, args=(lines,), name="coracle.log", daemon=True).start()


def _relay_all(lines: select.poll) -> None:
    while _is_relaying:
        lines.poll()  # without the lock of the interpreter
        _relay_waiting()


def _relay_waiting() -> None:
    while (line := _next_line()) is not None:
        level, part, text = line
        LOG.getChild(part).log(_LEVELS[level], "%s", text)


def _next_line() -> tuple[int, str, str] | None:
    with _lock:
        return _core._next_line() if _is_relaying else None


def _end_relay() -> None:
    global _is_relaying
    _relay_waiting()
    with _lock:
        _is_relaying = False
        _core._close_log()


def never_asked(error: BaseException) -> None:
    """An operation failed, and the program never looked at its result; a stop is expected."""
    if not isinstance(error, Stopped):
        LOG.error("an operation failed and nobody awaited it: %s", error, exc_info=error)
