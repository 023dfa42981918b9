"""The command line of the MCP inspector with our server.   inspector.py SOCIETY NODE INSPECTOR"""
import json
import subprocess
import sys

society, node, inspector = sys.argv[1:]


def ask(target, *arguments):
    done = subprocess.run([node, inspector, "--cli", *target, *arguments], capture_output=True,
                          text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the inspector fails with {arguments}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def look(target):
    names = [tool["name"] for tool in ask(target, "--method", "tools/list")["tools"]]
    assert "ask_lab__clerk" in names and "ask_secret" not in names, names
    result = ask(target, "--method", "tools/call", "--tool-name", "ask_lab__clerk",
                 "--tool-arg", "text=hello")
    assert result["content"][0]["text"] == "hello", result
    assert len(ask(target, "--method", "prompts/list")["prompts"]) == 3
    assert ask(target, "--method", "resources/list")["resources"][0]["uri"] == "society://agents"


look([society, "--stdio"])
PIPE = subprocess.PIPE
with subprocess.Popen([society], stdin=PIPE, stdout=PIPE, text=True) as server:
    try:
        look([server.stdout.readline().strip(), "--transport", "http"])
    finally:
        server.stdin.close()
print("inspector.py: done")
