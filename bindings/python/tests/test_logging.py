"""The library's log lines in the logging of Python."""
import asyncio
import contextlib
import logging
import pathlib
import subprocess
import sys
import threading
import unittest

import coracle
from coracle import dispel


class Lines(logging.Handler):
    """Keeps the records of one logger, until the wanted one has come."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted, self.records = wanted, list[logging.LogRecord]()
        self.has_come = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        if self.wanted in record.getMessage():
            self.has_come.set()


class Falls(dispel.Behaviour):
    def react(self) -> None:
        raise ValueError("it fell %s")


async def fall() -> None:
    async with coracle.Node("local:") as node:
        robot = Falls("legs")
        await node.start(dispel.Subsumption("robot").add(0, robot))
        with contextlib.suppress(ValueError):
            await robot.ended()


class Logging(unittest.TestCase):
    def expect(self, wanted: str, play) -> logging.LogRecord:
        lines = Lines(wanted)
        logger = logging.getLogger("coracle.node")
        logger.addHandler(lines)
        logger.propagate = False
        logging.getLogger("coracle.agent").disabled = True
        try:
            play()
            self.assertTrue(lines.has_come.wait(10), lines.records)
        finally:
            logger.removeHandler(lines)
            logger.propagate = True
            logging.getLogger("coracle.agent").disabled = False
        return next(each for each in lines.records if wanted in each.getMessage())

    def test_a_failed_agent_is_a_warning(self):
        record = self.expect("it fell %s", lambda: asyncio.run(fall()))
        self.assertEqual(record.levelno, logging.WARNING)
        self.assertEqual(record.name, "coracle.node")

    def test_lines_are_selected(self):
        with self.assertRaises(coracle.BadOptions):
            coracle.set_log("loud")
        with self.assertRaises(TypeError):
            coracle.set_log(None)
        coracle.set_log("warning")

    def test_lines_are_not_lost_at_the_end(self):
        program = "import asyncio, test_logging; asyncio.run(test_logging.fall())"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                             timeout=30, check=True, cwd=pathlib.Path(__file__).parent)
        self.assertIn("agent 'robot/legs' ended by an exception", ran.stderr)
        self.assertNotIn("coracle warning:", ran.stderr)


if __name__ == "__main__":
    unittest.main()
