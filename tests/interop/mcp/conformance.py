"""The conformance suite of MCP with our server.   conformance.py SOCIETY NODE SUITE EXPECTED

The suite ends with an error if a scenario fails that is not in the file EXPECTED, or if one that
is in it does not fail.
"""
import re
import subprocess
import sys

society, node, suite, expected = sys.argv[1:]
for line in open(expected, encoding="utf-8"):
    if line.strip().startswith("-") and not re.search(r"# \w", line):
        raise SystemExit(f"{expected}: each line needs a reason: {line.strip()}")
PIPE = subprocess.PIPE
with subprocess.Popen([society, "--conformance"], stdin=PIPE, stdout=PIPE, text=True) as server:
    address = server.stdout.readline().strip()
    try:
        done = subprocess.run(
            [node, suite, "server", "--url", address, "--expected-failures", expected],
            capture_output=True, text=True, timeout=240, check=False)
    finally:
        server.stdin.close()
print(done.stdout[-6000:])
print(done.stderr[-2000:], file=sys.stderr)
raise SystemExit(done.returncode)
