"""The parts that all oracles share: the library's answers, seeds, and the report of a difference.

An oracle is a function check(random, library) that makes up one case, finds the answer in its own
way, and raises Difference when the library's answer differs. Its randomness comes from the seed and
the number of the case alone, so that each case can be repeated:

    CORACLE_ORACLE_SEED      the seed; 1 if it is not set
    CORACLE_ORACLE_SECONDS   cases are tried for that long, instead of a fixed number of them
    CORACLE_ORACLE_CASE      only this case
"""
import os
import random as randomness
import subprocess
import sys
import time


class Difference(Exception):
    """The library's answer differs from the oracle's."""


class Library:
    """The library's answers, from the program whose path is given."""

    def __init__(self, path):
        self.program = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.asked = 0

    def ask(self, *words):
        line = " ".join(str(each) for each in words)
        self.program.stdin.write(line + "\n")
        self.program.stdin.flush()
        self.asked += 1
        answer = self.program.stdout.readline()
        if not answer.endswith("\n"):
            raise Difference(f"the library has crashed at: {line}")
        if answer.startswith("error"):
            raise Difference(f"{answer.strip()}, for: {line}")
        return answer.strip()

    def expect(self, wanted, *words):
        answer = self.ask(*words)
        if answer != wanted:
            line = " ".join(str(each) for each in words)
            raise Difference(f"asked    {line}\nanswered {answer}\nright is {wanted}")


def listed(values):
    """A list in the library's input format: its length and its parts."""
    return " ".join([str(len(values)), *map(str, values)])


def main(name, cases, check):
    seed = int(os.environ.get("CORACLE_ORACLE_SEED", "1"))
    seconds = os.environ.get("CORACLE_ORACLE_SECONDS")
    only = os.environ.get("CORACLE_ORACLE_CASE")
    library = Library(sys.argv[1])
    print(f"{name}: seed {seed}", flush=True)
    end = time.monotonic() + float(seconds or 0)
    number = int(only or 0)
    while True:
        try:
            check(randomness.Random(f"{name} {seed} {number}"), library)
        except Difference as difference:
            print(f"{name}: seed {seed}, case {number}: a difference\n{difference}")
            print(f"again: CORACLE_ORACLE_SEED={seed} CORACLE_ORACLE_CASE={number} {sys.argv[0]}")
            sys.exit(1)
        number += 1
        if only or (number >= cases if seconds is None else time.monotonic() >= end):
            break
    print(f"{name}: {number} cases, {library.asked} answers, no difference")
