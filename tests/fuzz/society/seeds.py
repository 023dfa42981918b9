#!/usr/bin/env python3
"""Makes the first inputs of the fuzzer of societies: seeds.py FOLDER

It makes one input for each kind of frame, of request and of any other act of a member, in both
realizations, each with some of all other kinds; and some inputs with all kinds.
"""
import pathlib
import random
import sys

ACTIONS = 40
# The third byte of an action selects the act (member.cpp), the fourth its kind (frame_kinds()).
FRAMES, TOGETHER, REPEATED, PIECES, REQUESTS, ODD, MANNERS, NONSENSE = (
    0, 150, 170, 186, 194, 234, 250, 253)
FRAME_KINDS, REQUEST_KINDS = 28, 27


def action(random_, what=None, kind=None):
    made = bytearray(random_.randbytes(12))
    made[1] = random_.choice((0, 0, 0, 200, 200, 245))  # the time that passes
    if what is not None:
        made[2] = what
    if kind is not None:
        made[3] = kind
    return bytes(made)


def sequence(seed, realization, what=None, kind=None):
    random_ = random.Random(seed)
    made = bytes((realization, seed % 256, 30, 0))
    for _ in range(ACTIONS):
        made += action(random_)
        made += action(random_, what, kind)
    return made


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [("frame", FRAMES, kind) for kind in range(FRAME_KINDS)]
    wanted += [("request", REQUESTS, kind) for kind in range(REQUEST_KINDS)]
    wanted += [("odd", ODD, None), ("together", TOGETHER, None), ("repeated", REPEATED, None),
               ("pieces", PIECES, None), ("manners", MANNERS, None), ("nonsense", NONSENSE, None),
               ("all", None, None)]
    for number, (name, what, kind) in enumerate(wanted):
        for realization, letter in enumerate("cd"):
            file = f"{name}-{'' if kind is None else f'{kind}-'}{letter}"
            (folder / file).write_bytes(sequence(2 * number + realization, realization, what, kind))


if __name__ == "__main__":
    main()
