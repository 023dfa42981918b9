#!/usr/bin/env python3
"""talk.py CORACLE: exchanges messages with an agent of the library by docs/wire.md, and lies to its
node.

The society is the one that CORACLE_REALIZATION names (central+unix://PATH). Frames of a member
about names that are not its own end nothing, and take nothing from others.
"""
import os
import subprocess
import sys

import wire

place = os.environ["CORACLE_REALIZATION"].removeprefix("central+unix://")
bob = subprocess.Popen([sys.argv[1], "listen", "--as", "bob", "--count", "2"],
                       stdout=subprocess.PIPE, text=True)


def consumed(node):
    return sum(count for _, outcome, _, count in node.reports if outcome == wire.CONSUMED)


try:
    ann = wire.Node(place, "python")
    assert ann.register("wire/ann")
    ann.until(lambda: "bob" in ann.holders)
    assert ann.register("bob") is None, "a name is held once"
    ann.send("wire/ann", "bob", "hello")
    ann.until(lambda: consumed(ann) == 1)
    cid = subprocess.Popen([sys.argv[1], "send", "--as", "cid", "--to", "wire/ann", "good day"])
    ann.until(lambda: ann.inbox == [("cid", "good day")])
    assert cid.wait(timeout=30) == 0

    eve = wire.Node(place, "liar")
    evil = "hi\x1b]0;x\a\x1b[2J\nroot: come\r\u009b31m\u202e"
    assert eve.register("wire/eve", [("role", evil), (evil, "role")])
    # The descriptions of others control no terminal, and make no lines of their own.
    listed = subprocess.run([sys.argv[1], "ls", "wire/eve"], capture_output=True, check=True).stdout
    assert listed.count(b"\n") == 1 and b"root: come" in listed, listed
    assert all(0x20 <= byte < 0x7f or byte == 0x0a for byte in listed), listed
    eve.until(lambda: "bob" in eve.holders)
    lease, incarnation = eve.holders["bob"]
    mailbox = wire.varint(1024) + wire.varint(1 << 20) + bytes([0])  # messages, bytes, wait
    nobody = wire.spelled("nobody/ever")
    for frame in (
            bytes([wire.PROBE]) + nobody + wire.varint(0) + nobody + wire.varint(0) + wire.text(""),
            bytes([wire.TAP]) + wire.varint(1) + wire.varint(7) + wire.text("bob") +
            wire.varint(incarnation + (1 << 32)) + mailbox +
            wire.text("") * 6 + wire.varint(0),
            bytes([wire.CLOSED]) + wire.spelled("bob") + wire.varint(incarnation) + bytes([0]) +
            wire.text("gone"),
            bytes([wire.STORE_STATE, 2])):
        eve.relay(lease, frame)
    eve.send("wire/ann", "bob", "a lie")  # in another member's name
    eve.until(lambda: any(report[1] == wire.REFUSED_BY_POLICY for report in eve.reports))

    try:
        wire.Node(place, "small", largest=65536)
        raise SystemExit("a node that accepts too little in one message is let in")
    except (AssertionError, OSError):
        pass  # the server says goodbye, and goes on

    ann.send("wire/ann", "bob", "goodbye")
    ann.until(lambda: consumed(ann) == 2)
    printed, _ = bob.communicate(timeout=30)
    assert printed == "wire/ann: hello\nwire/ann: goodbye\n", printed
    assert bob.returncode == 0
finally:
    bob.kill()
