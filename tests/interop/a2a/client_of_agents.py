#!/usr/bin/env python3
"""client_of_agents.py CONTRACT COUNCIL: our client with agents on a2a-sdk.

Each argument is a program that takes the addresses of agents: examples 53 and 54. They are
played in both bindings, with streams and without.
"""
import pathlib
import subprocess
import sys

LIMIT = 60  # seconds; nothing takes so long unless something is broken
AGENTS = pathlib.Path(__file__).with_name("agents.py")


def play(program, binding, streams, agents):
    """Starts the agents, and gives their addresses to the program; returns its output."""
    with subprocess.Popen([sys.executable, "-B", AGENTS, binding, streams, *agents],
                          stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            addresses = server.stdout.readline().split()
            assert len(addresses) == len(agents), addresses
            done = subprocess.run([program, *addresses], capture_output=True, encoding="utf-8",
                                  timeout=LIMIT, check=False)
            assert done.returncode == 0, done
            return done.stdout
        finally:
            server.terminate()


def main():
    contract, council = sys.argv[1:]
    for binding in ("JSONRPC", "HTTP+JSON"):
        for streams in ("yes", "no"):
            got = play(contract, binding, streams, ["digger:9", "digger:7"])
            assert "a well: done in Python" in got and "for 7" in got, got
            got = play(council, binding, streams,
                       ["voter:soup,rice,bread", "voter:rice,soup,bread", "voter:soup,bread,rice"])
            assert "soup" in got.splitlines()[-1], got
            print(f"{binding}, streams: {streams}: as expected")


main()
