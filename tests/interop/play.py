#!/usr/bin/env python3
"""play.py [--only WORD] [--list] PLAYER [PLAYER]: plays the scenes between two platforms.

PLAYER is a program that obeys the language of README.md. If the two are different programs, each
scene is played in both directions. A scene may need something that not every player offers; then
only such a player is the first one. Ends with 1 if a scene is not true.
"""
import argparse
import sys
import time
import traceback

sys.dont_write_bytecode = True
import scenes  # noqa: E402
from harness.players import Broken, Refused, start  # noqa: E402


def play(scene, a, b):
    """Returns whether the scene is true."""
    began = time.monotonic()
    name = f"{scene.__name__} ({a.player} and {b.player})"
    try:
        scene(a, b)
        a.clear()
        b.clear()
    except Exception as why:  # a scene may also stumble over a reply that it does not expect
        print(f"{name}: NOT TRUE: {why}", flush=True)
        if not isinstance(why, (Broken, Refused)):
            traceback.print_exc()
        for each in (a, b):
            for line in each.last_lines():
                print(f"  {each.name}: {line}")
        return False
    print(f"{name}: {time.monotonic() - began:.2f} s", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="plays the scenes with this in their names")
    parser.add_argument("--list", action="store_true", help="prints the scenes")
    parser.add_argument("players", nargs="*")
    options = parser.parse_args()
    chosen = [each for each in scenes.ALL if options.only in each.__name__]
    if options.list:
        print("\n".join(each.__name__ for each in chosen))
        return 0
    first, second = options.players[0], options.players[-1]
    platforms = start((first, "p1"), (second, "p2"))
    directions = [platforms] if first == second else [platforms, platforms[::-1]]
    wrong = played = 0
    for a, b in directions:
        for scene in chosen:
            if not getattr(scene, "needs", set()) <= a.offers:
                continue
            played += 1
            if not play(scene, a, b):
                wrong += 1
                for each in (a, b):  # the next scene needs platforms in a known state
                    each.kill()
                    each.restart()
    for each in platforms:
        each.quit()
    print(f"{played} scenes, {wrong} not true")
    return wrong != 0 or not chosen


sys.exit(main())
