"""The loggers of coracle: `coracle` for the binding, `coracle.agent` for the agents."""
from __future__ import annotations

import logging

LOG = logging.getLogger("coracle")
AGENTS = logging.getLogger("coracle.agent")


def never_asked(error: BaseException) -> None:
    """An operation failed, and the program never looked at its result; a stop is expected."""
    from coracle.errors import Stopped
    if not isinstance(error, Stopped):
        LOG.error("an operation failed and nobody awaited it: %s", error, exc_info=error)
