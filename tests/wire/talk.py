#!/usr/bin/env python3
"""talk.py CORACLE: speaks with an agent of the library as docs/wire.md says, and lies to its node.

In a society that CORACLE_REALIZATION names (central+unix://PATH). What another member says about
names that are not its own ends nothing, and takes nothing from others.
"""
import os
import subprocess
import sys

import wire

place = os.environ["CORACLE_REALIZATION"].removeprefix("central+unix://")
bob = subprocess.Popen([sys.argv[1], "listen", "--as", "bob", "--count", "2"],
                       stdout=subprocess.PIPE, text=True)


def consumed(node):
    return sum(count for _, mark, _, count in node.marks if mark == wire.CONSUMED)


try:
    ann = wire.Node(place, "python")
    assert ann.claim("wire/ann")
    ann.until(lambda: "bob" in ann.holders)
    assert ann.claim("bob") is None, "a name is held once"
    ann.send("wire/ann", "bob", "hello")
    ann.until(lambda: consumed(ann) == 1)

    eve = wire.Node(place, "liar")
    assert eve.claim("wire/eve")
    eve.until(lambda: "bob" in eve.holders)
    lease, life = eve.holders["bob"]
    mailbox = wire.varint(1024) + wire.varint(1 << 20) + bytes([0])
    nobody = wire.spelled("nobody/ever")
    for frame in (
            bytes([wire.PROBE]) + nobody + wire.varint(0) + nobody + wire.varint(0) + wire.text(""),
            bytes([wire.EAR]) + wire.varint(1) + wire.varint(7) + wire.text("bob") +
            wire.varint(life + (1 << 32)) + mailbox + wire.text("") * 6 + wire.varint(0),
            bytes([wire.CLOSED]) + wire.spelled("bob") + wire.varint(life) + bytes([0]) +
            wire.text("gone"),
            bytes([wire.KEEPER, 2])):
        eve.say(lease, frame)
    eve.send("wire/ann", "bob", "a lie")  # in another's name
    eve.until(lambda: any(mark == wire.FORBIDDEN for _, mark, _, _ in eve.marks))

    ann.send("wire/ann", "bob", "goodbye", serial=2)
    ann.until(lambda: consumed(ann) == 2)
    printed, _ = bob.communicate(timeout=30)
    assert printed == "wire/ann: hello\nwire/ann: goodbye\n", printed
    assert bob.returncode == 0
finally:
    bob.kill()
