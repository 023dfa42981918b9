#!/usr/bin/env python3
"""requirements.py PAGE: each test that the page names exists, and the rows are numbered."""
import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
rows = re.findall(r"^\| (\d+) \|.*\| (.*) \|$", page, re.MULTILINE)
wrong = [] if [int(row[0]) for row in rows] == list(range(1, len(rows) + 1)) else ["the numbers"]
for number, tests in rows:
    suite = None
    for name, test in re.findall(r"(\w+):|`(\w+)`", tests):
        if name:
            suite = name
            continue
        files = list(here.rglob(f"{suite}_test.cpp")) or list(
            here.parents[1].glob(f"*/tests/{suite}_test.cpp"))
        if not files or f"({test})" not in files[0].read_text(encoding="utf-8"):
            wrong.append(f"row {number}: {suite}/{test}")
print(f"{len(rows)} requirements", *wrong, sep="\n")
sys.exit(bool(wrong) or not rows)
