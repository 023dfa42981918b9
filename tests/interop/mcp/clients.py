"""The clients of others with our server: PyPI mcp and fastmcp, by standard input and output and by
HTTP, in the present revision and in an earlier one.

clients.py SOCIETY   The Python has these packages.
"""
import asyncio
import contextlib
import subprocess
import sys

import fastmcp
import mcp
import mcp.client.client
from mcp.client.stdio import StdioServerParameters, stdio_client

SOCIETY = sys.argv[1]
TOOLS = ["society_agents", "society_inspect", "society_why", "call_lab__robot__go",
         "call_lab__robot__say", "ask_lab__clerk", "ask_lab__robot"]


def require(is_so, what):
    if not is_so:
        raise AssertionError(what)


@contextlib.contextmanager
def by_http():
    pipe = subprocess.PIPE
    with subprocess.Popen([SOCIETY], stdin=pipe, stdout=pipe, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.stdin.close()


def text_of(result):
    return result.content[0].text


async def common(client, is_present):
    """What each client can do in each revision."""
    tools = await client.list_tools()
    tools = getattr(tools, "tools", tools)
    require([tool.name for tool in tools] == TOOLS, [tool.name for tool in tools])

    async def use(tool, arguments, **more):
        return await client.call_tool(tool, arguments, **more)

    require(text_of(await use("ask_lab__clerk", {"text": "hello"})) == "hello", "an agent answers")
    result = await use("ask_lab__clerk", {"json": {"a": [1, None]}})
    require(structured(result) == {"a": [1, None]}, "JSON comes back")
    result = await use("call_lab__robot__go", {"place": {"x": 1, "y": 2}, "speed": 3})
    require(structured(result) == {"x": 1, "y": 2}, "a function gives a value")
    require("clerk" in text_of(await use("society_agents", {})), "the agents are listed")
    resources = await client.list_resources()
    uris = [str(each.uri) for each in getattr(resources, "resources", resources)]
    require("society://agents" in uris, uris)
    contents = await client.read_resource("society://agents/lab/clerk")
    contents = getattr(contents, "contents", contents)
    require("Answers everything" in contents[0].text, "a resource is read")
    prompts = await client.list_prompts()
    require(len(getattr(prompts, "prompts", prompts)) == 3, "there are prompts")
    prompt = await client.get_prompt("why_waits", {"agent": "lab/clerk"})
    require("lab/clerk" in prompt.messages[0].content.text, "a prompt has its argument")
    require(is_present in (True, False), "the revision is known")


def structured(result):
    for name in ("structured_content", "structuredContent"):
        value = getattr(result, name, None)
        if value is not None:
            return value
    raise AssertionError("there is no structured content")


async def with_mcp(server, mode):
    asked = []

    async def answer(context, params):
        asked.append(params.message)
        return mcp.types.ElicitResult(action="accept", content={"answer": "seven"})

    async with mcp.Client(server, mode=mode, elicitation_callback=answer) as client:
        await common(client, mode != "legacy")
        notes = []

        async def note(progress, total, message):
            notes.append((progress, total, message))

        result = await client.call_tool("ask_lab__clerk", {"text": "progress"},
                                        progress_callback=note)
        require(text_of(result) == "worked", "a result after progress")
        require(notes == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")], notes)
        result = await client.call_tool("ask_lab__clerk", {"text": "refuse"})
        require("closed today" in text_of(result), "a refusal has its reason")
        result = await client.call_tool("ask_lab__clerk", {"text": "question"})
        wanted = "no answer" if mode == "legacy" else "you said seven"
        require(text_of(result) == wanted, text_of(result))
        require(asked == ([] if mode == "legacy" else ["How many?"]), asked)
        trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00000000000000ff-01"
        result = await client.call_tool("ask_lab__clerk", {"text": "trace"},
                                        meta={"traceparent": trace})
        require(text_of(result) == trace, text_of(result))
        try:
            await asyncio.wait_for(client.call_tool("ask_lab__clerk", {"text": "slow"}), 0.5)
            raise AssertionError("a slow agent has answered")
        except asyncio.TimeoutError:
            pass
        # The client that has given up goes on.
        result = await client.call_tool("ask_lab__clerk", {"text": "again"})
        require(text_of(result) == "again", "it goes on")
        try:
            result = await client.call_tool("ask_secret", {"text": "hello"})
            raise AssertionError("an agent that is not exposed has answered")
        except mcp.MCPError as error:
            require("no tool" in str(error), error)


async def with_fastmcp(server, mode):
    async with fastmcp.Client(server, mode=mode) as client:
        await common(client, mode != "legacy")


async def main():
    stdio = StdioServerParameters(command=SOCIETY, args=["--stdio"])
    for mode in ("auto", "2026-07-28", "legacy"):
        with by_http() as address:
            print("mcp by HTTP,", mode)
            await with_mcp(address, mode)
            print("fastmcp by HTTP,", mode)
            await with_fastmcp(address, mode)
        print("mcp by standard input and output,", mode)
        await with_mcp(stdio_client(stdio), mode)
        print("fastmcp by standard input and output,", mode)
        await with_fastmcp(fastmcp.client.transports.StdioTransport(SOCIETY, ["--stdio"]), mode)


asyncio.run(main())
print("clients.py: done")
