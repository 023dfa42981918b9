#!/usr/bin/env python3
"""signed_cards.py CORACLE: signed cards between a2a-sdk and our gateway, both ways.

The client of a2a-sdk checks the card of an agent of a society, which our gateway has signed. The
gateway checks the card of an agent on a2a-sdk, which that has signed. Whoever trusts another key
does not use the card.
"""
import asyncio
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import httpx
from a2a.client import A2ACardResolver
from a2a.client.errors import AgentCardResolutionError
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier

LIMIT = 60  # seconds; nothing takes so long unless something is broken
AGENTS = pathlib.Path(__file__).with_name("agents.py")


def make_key(path):
    subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path],
                   check=True)
    path.chmod(0o600)
    public = path.with_suffix(".pub.pem")
    subprocess.run(["openssl", "ec", "-in", path, "-pubout", "-out", public], check=True,
                   stderr=subprocess.DEVNULL)
    return public


@contextlib.contextmanager
def started(*command, **more):
    """A program that is ended later."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", **more) as program:
        try:
            yield program
        finally:
            program.terminate()


def until(done):
    """Repeats until the result is true."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        if result := done():
            return result
        time.sleep(0.1)
    raise AssertionError("it takes too long")


def name_of_card(base, key):
    """The name in a card that is signed by this key; nothing if there is no card yet."""
    async def resolve():
        check = create_signature_verifier(lambda *_: key.read_text(), ["ES256"])
        async with httpx.AsyncClient(timeout=LIMIT) as client:
            resolver = A2ACardResolver(client, base + "/lab/ear")
            return (await resolver.get_agent_card(signature_verifier=check)).name
    try:
        return asyncio.run(resolve())
    except AgentCardResolutionError:
        return None


def ours_to_them(coracle, society, ours, our_public, their_public):
    with started(coracle, "gateway", "a2a", "--realization", society, "--listen", "127.0.0.1:0",
                 "--expose", "lab/**", "--card-key", ours) as gateway:
        base = gateway.stdout.readline().split()[-1]
        assert until(lambda: name_of_card(base, our_public)) == "lab/ear"
        try:
            name_of_card(base, their_public)
        except InvalidSignaturesError:
            return
        raise AssertionError("a card that another key has signed is used")


def theirs_to_us(coracle, society, address, their_public, our_public):
    def gateway(name, trusted):
        return started(coracle, "gateway", "a2a", "--realization", society, "--listen",
                       "127.0.0.1:0", "--agent", f"{name}={address}", "--trusted-cards", trusted)

    def listed():
        return subprocess.run([coracle, "ls", "--realization", society, "--json"], check=True,
                              capture_output=True, encoding="utf-8", timeout=LIMIT).stdout

    with gateway("trusted", their_public):
        until(lambda: "A digger on a2a-sdk." in listed())
    with gateway("strange", our_public) as program:
        until(lambda: "no signature by a key that is trusted" in program.stdout.readline())
        assert "A digger on a2a-sdk." not in listed()


def main():
    coracle = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        theirs, ours = (pathlib.Path(name) / each for each in ("theirs.pem", "ours.pem"))
        their_public, our_public = make_key(theirs), make_key(ours)
        with started(coracle, "central", "--listen", "127.0.0.1:0") as central:
            line = central.stdout.readline()
            society = "central://" + re.search(r"127\.0\.0\.1:\d+", line).group()
            with started(coracle, "listen", "--realization", society, "--as", "lab/ear"):
                ours_to_them(coracle, society, ours, our_public, their_public)
            environment = {**os.environ, "CARD_KEY": str(theirs)}
            with started(sys.executable, "-B", AGENTS, "JSONRPC", "no", "digger:9",
                         env=environment) as agents:
                address = agents.stdout.readline().strip()
                theirs_to_us(coracle, society, address, their_public, our_public)
    print("signed cards: as expected, both ways")


main()
