#!/usr/bin/env python3
"""Runs the campaigns against a clearinghouse, and prints a table of the results.

scripts/faults central                       all of them: about 20 minutes on two cores
scripts/faults central --rounds 3            each that many times, one after another
scripts/faults central servers strangers     these only

  servers    the server of a durable society is killed 300 times under load
  clients    nodes that read or send are killed 300 times, and begin again under their names
  overload   10 GB are offered to consumers that never read
  strangers  5,000 that send little and 10,000 that send nonsense connect, with TLS and without

The sizes are settings: --kills, --offered (MiB), --strangers, --rate (strangers in a second). Ends
with 1 if a promise was broken.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
CAMPAIGNS = {
    "servers": "central_durable",
    "clients": "campaign_central_clients",
    "overload": "campaign_central_overload",
    "strangers": "campaign_central_strangers",
}


def arguments():
    parser = argparse.ArgumentParser(
        prog="faults central", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="the campaigns to run; all by default")
    parser.add_argument("--rounds", type=int, default=1, help="the number of runs of each")
    parser.add_argument("--kills", type=int, default=300,
                        help="the number of kills of servers, and of clients")
    parser.add_argument("--offered", type=int, default=10240,
                        help="MiB offered to consumers that never read")
    parser.add_argument("--strangers", type=int, default=5000,
                        help="strangers that send little; twice as many announce absurd lengths")
    parser.add_argument("--rate", type=int, default=250, help="strangers that connect in a second")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/release/bin",
                        help="the folder of faults-tests; nothing is built then")
    given = parser.parse_args()
    for name in given.names:
        if name not in CAMPAIGNS:
            parser.error(f"there is no campaign '{name}'; there are {', '.join(CAMPAIGNS)}")
    return given


def run(name, given):
    """Runs one campaign; returns whether it passed, and its figures."""
    environment = dict(
        os.environ, CORACLE_CAMPAIGN="1", CORACLE_CENTRAL_KILLS=str(given.kills),
        CORACLE_CENTRAL_OFFERED=str(given.offered), CORACLE_CENTRAL_STRANGERS=str(given.strangers),
        CORACLE_CENTRAL_STRANGERS_RATE=str(given.rate))
    command = [given.bin / "faults-tests", f"--run_test={CAMPAIGNS[name]}"]
    figures = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout:
            print(f"  {line}", end="", flush=True)
            if line.startswith("figure: "):
                figures.append([part.strip() for part in line[len("figure: "):].split("|")])
    return process.returncode == 0, figures


def main():
    given = arguments()
    rows, failed = [], []
    for round_number in range(1, given.rounds + 1):
        for name in given.names or CAMPAIGNS:
            title = name if given.rounds == 1 else f"{name}, round {round_number}"
            print(f"== {title}", flush=True)
            begin = time.monotonic()
            is_good, figures = run(name, given)
            minutes = (time.monotonic() - begin) / 60
            if not is_good:
                failed.append(title)
            rows += [[title, *figure] for figure in figures]
            rows.append([title, "it took", f"{minutes:.1f} min", "kept" if is_good else "BROKEN"])
    print("\n| campaign | what | seen | wanted |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    if failed:
        print("faults: a promise was broken: " + ", ".join(failed), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
