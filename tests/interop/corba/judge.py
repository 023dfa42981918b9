#!/usr/bin/env python3
"""judge.py MIRROR JAVA OPTION...: starts the mirror, and a broker in Java that judges it."""
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 2)[0])
from harness.players import port_in  # noqa: E402

LIMIT = 120  # seconds; it takes three

mirror = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    reference = mirror.stdout.readline().strip()
    place = f"127.0.0.1:{port_in(reference)}/acc"
    judged = subprocess.run([*sys.argv[2:], "Judge", reference, place], timeout=LIMIT)
finally:
    mirror.stdin.close()
    if mirror.wait(LIMIT) != 0:
        sys.exit("the mirror has failed")
sys.exit(judged.returncode)
