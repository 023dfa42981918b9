"""Recordings as rows: `pandas.DataFrame(coracle.recording("run.db").messages())`."""
from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from coracle.errors import BadEncoding, NoSuchFile

Row = dict[str, Any]


class Recording:
    """A file that a society wrote with `record=FILE` in the name of its realization.

    It is read as it is, never changed. Times are seconds since the beginning of the recording.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise NoSuchFile(f"there is no recording {self.path}; check the path")
        self.messages()

    def messages(self) -> list[Row]:
        """The messages in the order in which they were sent, with `outcome`, or None."""
        rows = self._rows(
            "SELECT id, at, source, target, conversation, type, content, reply_to FROM messages "
            "ORDER BY id")
        outcomes = {row["message"]: row["what"] for row in self.events() if row["message"]}
        for row in rows:
            row["outcome"] = outcomes.get(row["id"])
            if row["type"].startswith("text/") and row["content"] is not None:
                row["content"] = bytes(row["content"]).decode(errors="replace")
        return rows

    def events(self) -> list[Row]:
        """The events in their order: agents that began and ended, outcomes of messages."""
        return self._rows("SELECT id, at, what, message, agent, text FROM events ORDER BY id")

    def _rows(self, query: str) -> list[Row]:
        try:
            base = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)
            try:
                base.row_factory = sqlite3.Row
                rows = [dict(row) for row in base.execute(query)]
            finally:
                base.close()
        except sqlite3.Error as error:
            raise BadEncoding(f"{self.path} is no recording, or it is damaged: {error}") from error
        for row in rows:
            row["at"] /= 1e9
        return rows
