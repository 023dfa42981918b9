#!/usr/bin/env python3
"""Runs societies of the Distributed realization under faults between hosts, and judges the diaries
of their agents. The hosts are network namespaces of this machine. Needs root.

scripts/faults distributed                  20 minutes of faults, and a table
scripts/faults distributed --minutes 5      or any other time
scripts/faults distributed --seed 7         the plan that a seed makes
scripts/faults distributed --short          half a minute, as in ctest
"""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

import hosts
import judge
import labs

ROOT = pathlib.Path(__file__).resolve().parents[3]
SKIPPED = 77


class Settings:
    def __init__(self, options):
        self.programs = {"node": f"{options.bin}/coracle-fault-node",
                         "coracle": f"{options.bin}/coracle"}
        self.is_short, self.seed = options.short, options.seed
        self.seconds = options.minutes * 60 - 30  # some are needed to come to an end
        self.folder = tempfile.mkdtemp(prefix="coracle-faults-", dir="/var/tmp")
        self.sockets = f"{self.folder}/sockets"
        os.mkdir(self.sockets)
        self.lock, self.begin = threading.Lock(), time.monotonic()
        self.is_verbose = options.verbose or options.short

    def say(self, who, text):
        line = f"{time.monotonic() - self.begin:7.1f} s  {who:<12} {text}"
        with self.lock:
            with open(f"{self.folder}/progress.log", "a") as log:
                print(line, file=log)
            if self.is_verbose:
                print(line, flush=True)


def options_from(words):
    parser = argparse.ArgumentParser(prog="faults distributed", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    parser.add_argument("--labs", type=int, default=3,
                        help="the number of labs with troubles at the same time")
    parser.add_argument("--only", choices=("scenes", "troubles", "weather"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print a line for each trouble")
    parser.add_argument("--keep", action="store_true", help="keep the diaries")
    parser.add_argument("--bin", default=str(ROOT / "build/release/bin"))
    options = parser.parse_args(words)
    if options.minutes < 1.5:
        parser.error("--minutes: from 1.5; for less there is --short")
    return options


def labs_for(options, settings):
    made = []
    if options.only in (None, "scenes"):
        made += [labs.Beacon("beacon", settings), labs.Cables("cables", settings),
                 labs.Directories("directories", settings)]
    if options.only in (None, "troubles"):
        made += [labs.Troubled(f"lab{number}", settings, number, 2 if number % 3 == 0 else 1)
                 for number in range(1, 1 + (1 if options.short else options.labs))]
    if options.only in (None, "weather"):
        if os.path.exists("/dev/net/tun"):
            made.append(labs.Weather("weather", settings))
        else:
            print("faults: there is no /dev/net/tun, so there is no weather")
    return made


def run(made, settings):
    for lab in made:
        lab.start()
    told = time.monotonic()
    while any(lab.is_alive() for lab in made):
        time.sleep(0.2)
        if settings.is_verbose or time.monotonic() - told < 20:
            continue
        told = time.monotonic()
        partitions = sum(lab.counts["partitions"] for lab in made)
        read = sum(lab.society.judge.counts["read"] for lab in made if lab.society)
        wrong = sum(len(lab.found()) for lab in made)
        print(f"{(told - settings.begin) / 60:5.1f} min: {partitions} partitions, "
              f"{sum(lab.counts['kill'] for lab in made)} kills, {read} messages read, "
              f"{wrong} wrong", flush=True)


def table(made):
    """Prints the results; returns sentences that describe what is wrong."""
    seen, counts = {}, {}
    for lab in made:
        for what, values in lab.figures.items():
            if not isinstance(lab, labs.Weather):
                seen.setdefault(what, []).extend(values)
        for source in (lab.counts, lab.society.judge.counts if lab.society else {}):
            for what, count in source.items():
                counts[what] = counts.get(what, 0) + count
    print("\n  what                               count")
    for what in (*labs.troubles.DECK, "partitions", "accepted", "read", "marked", "again",
                 "store lost", "said to be stored", "ended otherwise", "lost", "false alarms",
                 "not noticed", "minutes of jitter", "alarms in jitter",
                 "alarms in worse weather"):
        print(f"  {what:<28} {counts.get(what, 0):>11}")
    print("\n  seconds              n      p50      p99      most")
    for what, values in sorted(seen.items()):
        at = [judge.percentile(values, share) for share in (0.5, 0.99, 1)]
        print(f"  {what:<16} {len(values):>5} " + " ".join(f"{value:8.2f}" for value in at))
    print()
    found = [f"{lab.name}: {sentence}" for lab in made for sentence in lab.found()]
    for what in ("noticed dead", "noticed silent"):
        late = judge.percentile(seen.get(what, []), 0.99)
        if late is not None and late > labs.NOTICED_WITHIN and not made[0].settings.is_short:
            found.append(f"{what} after {late:.2f} s (p99), and not within "
                         f"{labs.NOTICED_WITHIN:.0f} s")
    if counts.get("not noticed") and not made[0].settings.is_short:
        found.append(f"{counts['not noticed']} times nobody was told of a silent or dead node")
    return found


def main():
    options = options_from(sys.argv[1:])
    if "CORACLE_FAULTS_ALONE" not in os.environ:
        if reason := hosts.why_not():
            print(f"faults: {reason}")
            sys.exit(SKIPPED if options.short else 2)
        hosts.begin_alone([*sys.argv, "--seed", str(options.seed)])
    hosts.settle_in()
    random.seed(options.seed)
    settings = Settings(options)
    for program in settings.programs.values():
        if not os.access(program, os.X_OK):
            sys.exit(f"faults: there is no {program}; build it: cmake --build --preset release")
    print(f"faults: the plan is that of --seed {options.seed}; diaries are in {settings.folder}",
          flush=True)
    made = labs_for(options, settings)
    run(made, settings)
    found = table(made)
    for sentence in found[:30]:
        print("  " + sentence)
    if len(found) > 30:
        print(f"  … and {len(found) - 30} more")
    if found:
        print(f"faults: {len(found)} promises were broken; run the same plan again: "
              f"scripts/faults distributed --seed {options.seed} --minutes {options.minutes}")
        sys.exit(1)
    if not options.keep:
        shutil.rmtree(settings.folder)
    print("faults: nothing was lost, nothing came twice without its mark, and the order was kept")


if __name__ == "__main__":
    main()
