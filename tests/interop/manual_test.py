#!/usr/bin/env python3
"""manual_test.py PAGE BUILD: runs the two commands of the manual's page Coming from JADE.

The page states them, and what they print. BUILD takes the place of build/release, and free ports
that of the page's. They run in a folder of their own.
"""
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile

LIMIT = 60  # seconds; nothing takes so long unless something is broken


def parts(page):
    """The commands of the page's first section, and its texts."""
    section = page.read_text().split("\n## ")[1]
    blocks = re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)
    commands = [text.replace("\\\n", " ") for language, text in blocks if language == "sh"]
    outputs = [text for language, text in blocks if language == "text"]
    return commands, outputs[0], re.findall(r"JADE prints `(.+)`", section)[0]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def main():
    (first, second), expected, greeting = parts(pathlib.Path(sys.argv[1]))
    build = pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="interop-") as folder:
        places = {"build/release": str(build), "7778": free_port(), "1099": free_port(),
                  "/tmp/": folder + "/"}
        for written, meant in places.items():
            first, second = first.replace(written, meant), second.replace(written, meant)
        with subprocess.Popen(shlex.split(first), cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8") as jade:
            try:
                printed = []
                for line in jade.stdout:
                    printed.append(line)
                    if "waits for greetings" in line:
                        break
                else:
                    sys.exit("JADE has ended:\n" + "".join(printed))
                ours = subprocess.run(shlex.split(second), cwd=folder, stdout=subprocess.PIPE,
                                      encoding="utf-8", timeout=LIMIT)
                if ours.returncode != 0 or ours.stdout != expected:
                    sys.exit(f"ours ended with {ours.returncode}, and printed:\n{ours.stdout}")
                for line in jade.stdout:
                    if line.strip() == greeting:
                        return
                sys.exit(f"JADE did not print {greeting}")
            finally:
                jade.kill()


main()
