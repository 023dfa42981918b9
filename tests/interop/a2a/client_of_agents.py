#!/usr/bin/env python3
"""client_of_agents.py CONTRACT COUNCIL COMMAND...: our client with agents on an SDK.

CONTRACT and COUNCIL are programs that take the addresses of agents: examples 53 and 54. COMMAND
starts the agents: agents.py, or agents.mjs. They are played in both bindings, with streams and
without.
"""
import subprocess
import sys

LIMIT = 60  # seconds; nothing takes so long unless something is broken


def play(program, command, binding, streams, agents):
    """Starts the agents, and gives their addresses to the program; returns its output."""
    with subprocess.Popen([*command, binding, streams, *agents], stdout=subprocess.PIPE,
                          encoding="utf-8") as server:
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
    contract, council, *command = sys.argv[1:]
    for binding in ("JSONRPC", "HTTP+JSON"):
        for streams in ("yes", "no"):
            got = play(contract, command, binding, streams, ["digger:9", "digger:7"])
            assert "a well: done in " in got and "for 7" in got, got
            got = play(council, command, binding, streams,
                       ["voter:soup,rice,bread", "voter:rice,soup,bread", "voter:soup,bread,rice"])
            assert "soup" in got.splitlines()[-1], got
            print(f"{binding}, streams: {streams}: as expected")


main()
