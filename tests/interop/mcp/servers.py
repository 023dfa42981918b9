"""Our client with the servers of others: PyPI mcp and fastmcp, as programs and by HTTP.

servers.py USER   The Python has these packages.
"""
import os
import subprocess
import sys

USER = sys.argv[1]
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py")


def run(kind, arguments):
    done = subprocess.run([USER, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    lines = done.stdout.splitlines()
    wanted = ["tool: mcp/other/add", "sum: 5", "greeting: Hello Ann"]
    if kind == "mcp":
        wanted += ["asked: How many cups of tea?", "order: two cups of tea"]
    missing = [line for line in wanted if line not in lines]
    fails = [line for line in lines if line.startswith("failure:") and "fail" in line[9:]]
    if missing or not fails:
        raise SystemExit(f"{kind} {arguments}: missing {missing}, fails {fails}:\n"
                         f"{done.stdout}\n{done.stderr[-3000:]}")


for kind in ("mcp", "fastmcp"):
    print(kind, "as a program")
    run(kind, [sys.executable, SERVER, kind, "stdio"])
    print(kind, "by HTTP")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, SERVER, kind, "http"], stdin=pipe, stdout=pipe,
                          stderr=subprocess.DEVNULL, text=True) as server:
        try:
            run(kind, [server.stdout.readline().strip()])
        finally:
            server.stdin.close()
print("servers.py: done")
