#!/usr/bin/env python3
"""run.py KITCHEN NAME=COMMAND...: the kitchen, with a cook from each COMMAND.

The society is that of CORACLE_REALIZATION. When half of the plates are done, the cook `python` is
killed. When the others have noticed, the program of `guile` takes its place, under its name.
"""
import os
import shlex
import signal
import subprocess
import sys

DISHES = {"cpp": ("soup", 9), "c": ("bread", 7), "python": ("curry", 5), "guile": ("noodles", 8),
          "sbcl": ("stew", 6)}


class Cook:
    """A process; it serves until its standard input ends."""

    def __init__(self, name, command, dish, price):
        self.name = name
        self._process = subprocess.Popen(
            [*shlex.split(command), os.environ["CORACLE_REALIZATION"], name, dish, str(price)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def wait_until_ready(self):
        if self._process.stdout.readline() != f"{self.name} is ready\n":
            sys.exit(f"the cook {self.name} is not ready")

    def kill(self):
        self._process.kill()
        self._process.wait()

    def end(self):
        self._process.stdin.close()
        if self._process.wait() != 0:
            sys.exit(f"the cook {self.name} ended with {self._process.returncode}")


def main():
    kitchen = sys.argv[1]
    commands = dict(argument.split("=", 1) for argument in sys.argv[2:])
    cooks = {name: Cook(name, commands[name], *DISHES[name]) for name in DISHES}
    for cook in cooks.values():
        cook.wait_until_ready()
    with subprocess.Popen([kitchen, os.environ["CORACLE_REALIZATION"]], stdout=subprocess.PIPE,
                          text=True) as head:
        for line in head.stdout:
            print(line, end="", flush=True)
            if line == "500 plates are done\n":
                print("kill -9 python", flush=True)
                cooks["python"].kill()
            elif line == "python/cook unreachable\n":
                print("a cook in Scheme takes its place", flush=True)
                cooks["python"] = Cook("python", commands["guile"], "soup", 4)
                cooks["python"].wait_until_ready()
    for cook in cooks.values():
        cook.end()
    sys.exit(head.returncode)


signal.alarm(100)  # whatever happens
main()
