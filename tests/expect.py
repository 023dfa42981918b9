#!/usr/bin/env python3
"""expect.py FILE COMMAND...: runs COMMAND, which must succeed and print exactly FILE's content."""
import difflib
import pathlib
import subprocess
import sys

expected = pathlib.Path(sys.argv[1]).read_text()
run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, text=True)
if run.returncode != 0:
    print(run.stdout)
    sys.exit(f"{sys.argv[2]} ended with {run.returncode}")
if run.stdout != expected:
    sys.stdout.writelines(difflib.unified_diff(
        expected.splitlines(True), run.stdout.splitlines(True), sys.argv[1], "printed"))
    sys.exit(f"{sys.argv[2]} did not print what it should")
