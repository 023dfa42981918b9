#!/usr/bin/env python3
"""terminal.py CORACLE screen|table: coracle top on a terminal of any size, in a pipe, and as JSON.

The society is the one that CORACLE_REALIZATION names. No member can have a name that controls a
terminal; that other texts are escaped is tested in top_test.cpp.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata

CORACLE, KIND = sys.argv[1], sys.argv[2]
NAMES = "lab/ann", "lab/bob", "ops/\u6f22\u5b57"


class Screen:
    """What a vt100 shows; any sequence that ncurses does not need is a mistake."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.y = self.x = 0
        self.rest = ""

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
                continue
            found = re.match(r"\x1b(?:\[\??([0-9;]*)([A-Za-z])|[()][A-Z0-9]|[=>78MD])", text[at:])
            if not found:
                assert len(text) - at < 12, "what sequence is %r?" % text[at:at + 20]
                self.rest = text[at:]
                return
            if found[2]:
                self.obey(found[2], [int(each or 0) for each in (found[1] or "0").split(";")])
            at += found.end()

    def put(self, each):
        if each == "\r":
            self.x = 0
        elif each == "\n":
            self.y = min(self.y + 1, self.rows - 1)
        elif each == "\b":
            self.x = max(self.x - 1, 0)
        elif each == "\t":
            self.x = min(self.x // 8 * 8 + 8, self.columns - 1)
        elif each not in "\x0e\x0f\x00":
            assert each >= " ", "a control character: %r" % each
            if self.x < self.columns:
                self.cells[self.y][self.x] = each
            self.x += 2 if unicodedata.east_asian_width(each) in "WF" else 1

    def obey(self, what, numbers):
        count = max(numbers[0], 1)
        if what == "H":
            self.y = min(count, self.rows) - 1
            self.x = min(max((numbers + [1])[1], 1), self.columns) - 1
        elif what in "ABCD":
            self.y = min(max(self.y + {"A": -count, "B": count}.get(what, 0), 0), self.rows - 1)
            self.x = min(max(self.x + {"C": count, "D": -count}.get(what, 0), 0), self.columns - 1)
        elif what in "JK":
            row = self.cells[self.y]
            if numbers[0] == 0:
                row[self.x:] = [" "] * (self.columns - self.x)
            elif numbers[0] == 1:
                row[:self.x + 1] = [" "] * min(self.x + 1, self.columns)
            if what == "J":
                for each in self.cells[self.y + 1 if numbers[0] == 0 else 0:]:
                    each[:] = [" "] * self.columns
        else:
            assert what in "mrhl", "a sequence that no program sends: %s" % what

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]


class Terminal:
    def __init__(self, rows, columns, arguments):
        self.master, child = pty.openpty()
        self.set_size(rows, columns)
        self.process = subprocess.Popen(
            [CORACLE, "top", *arguments], stdin=child, stdout=child, stderr=subprocess.PIPE,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "vt100", "LC_ALL": "C.UTF-8"})
        os.close(child)
        self.raw = ""

    def set_size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen = Screen(rows, columns)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def until(self, is_so, what):
        end = time.monotonic() + 60
        while not is_so(self.screen.lines()):
            left = end - time.monotonic()
            assert left > 0, "never: %s; the screen is\n%s" % (what, "\n".join(self.screen.lines()))
            if not select.select([self.master], [], [], left)[0]:
                continue
            try:
                part = os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                raise AssertionError("it ended: %r" % self.process.stderr.read()) from None
            self.raw += part
            self.screen.feed(part)

    def end(self):
        while True:
            try:
                self.raw += os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                break
        os.close(self.master)
        return self.process.wait(timeout=60)


def has(lines, text):
    return any(text in line for line in lines)


def try_screen():
    top = Terminal(24, 100, [])
    top.until(lambda lines: has(lines, "lab/ann") and has(lines, "ops/"), "all agents")
    ann = r"lab/ann +[0-9.]+ +0 +[0-9.]+ +0 waits"
    top.until(lambda lines: any(re.match(ann, line) for line in lines),
              "the counts of lab/ann")
    assert "3 agents, by rate" in top.screen.lines()[0], top.screen.lines()
    assert top.screen.lines()[1].startswith("NAME"), top.screen.lines()
    top.press("n")
    top.until(lambda lines: "by name" in lines[0], "sorted")
    assert top.screen.lines()[2].startswith("lab/ann"), top.screen.lines()
    top.press("f")
    top.until(lambda lines: has(lines, "lab/ (2)"), "folded")
    top.press("fff")
    top.until(lambda lines: has(lines, "lab/bob"), "not folded")
    top.set_size(5, 20)
    top.until(lambda lines: lines[0].startswith("3 agents") and has(lines, "lab/ann"), "20 x 5")
    assert len(top.screen.lines()) == 5 and top.screen.lines()[1].startswith("NAME")
    top.set_size(4, 20)
    top.until(lambda lines: has(lines, "lab/bob"), "20 x 4")
    top.press("\x1bOB")
    top.until(lambda lines: not has(lines, "lab/ann") and has(lines, "ops/"), "scrolled")
    top.set_size(40, 160)
    top.until(lambda lines: has(lines, "q ends") and has(lines, "lab/ann"), "160 x 40")
    top.press("q")
    assert top.end() == 0

    small = Terminal(5, 20, ["lab"])
    small.until(lambda lines: has(lines, "lab/bob"), "a small terminal")
    small.process.send_signal(signal.SIGINT)
    assert small.end() == 0, "a signal ends it in order"


def run(*arguments):
    done = subprocess.run([CORACLE, "top", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout.splitlines()


def listed():
    return subprocess.run([CORACLE, "ls", "--json"], capture_output=True, text=True,
                          timeout=60).stdout.splitlines()


members = []
try:
    for name in NAMES:
        members.append(subprocess.Popen([CORACLE, "listen", "--as", name],
                                        stdout=subprocess.DEVNULL))
    evil = subprocess.run([CORACLE, "listen", "--as", "lab/\x1b[2J"], capture_output=True,
                          timeout=60)
    assert evil.returncode == 1 and b"\x1b" not in evil.stderr, evil
    for name in NAMES:
        while not any(json.loads(line)["name"] == name for line in listed()):
            pass

    table = run("--once")
    columns = ["NAME", "RATE/s", "QUEUE", "CPU%", "ERR", "DOES", "NODE"]
    assert table[0].split() == columns, table
    bob = r"lab/bob +[0-9.]+ +0 +[0-9.?]+ +0 waits +local"
    assert any(re.match(bob, line) for line in table), table
    assert not any("\x1b" in line for line in table), table
    assert len(run("--count", "2", "lab")) == 6
    lines = [json.loads(line) for line in run("--once", "--json")]
    ann = next(line for line in lines if line["name"] == "lab/ann")
    assert ann["queued"] == 0 and ann["does"] == "waits" and ann["node"] == "local", ann
    if KIND == "screen":
        try_screen()
finally:
    for each in members:
        each.terminate()
        each.wait()
