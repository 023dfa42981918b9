#!/usr/bin/env python3
"""first_page.py: types page 1 of the manual exactly as it is written.

The commands of the page run one after the other: those before the CMakeLists.txt in the project's
root, those behind it in a new folder that holds this file and the page's program as hello.cpp. The
home folder is a new one, too. Each run of the program must print what the page says.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/manual/01-first-society.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def run(commands, folder, home):
    print(f"== {folder}: {commands}", flush=True)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, text=True,
                          env=dict(os.environ, HOME=str(home)), stdout=subprocess.PIPE,
                          check=False)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"first_page: a command of {PAGE.name} fails with {done.returncode}: {commands}")
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as area:
        home, project = pathlib.Path(area, "home"), pathlib.Path(area, "hello")
        home.mkdir()
        project.mkdir()
        folder, printed = ROOT, None
        for language, text in BLOCK.findall(PAGE.read_text()):
            if language == "cpp":
                (project / "hello.cpp").write_text(text)
            elif language == "text":
                printed = text
            elif language == "cmake":
                (project / "CMakeLists.txt").write_text(text)
                folder = project
            elif language == "sh":
                shown = run(text, folder, home)
                if "hello" in text.split()[-1] and printed is not None and printed not in shown:
                    sys.exit(f"first_page: the program printed {shown!r} instead of {printed!r}")
        if folder == ROOT or printed is None:
            sys.exit(f"first_page: {PAGE.name} has no project, or does not show what it prints")


if __name__ == "__main__":
    main()
