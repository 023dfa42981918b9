"""A server with the SDK mcp or with fastmcp.   server.py mcp|fastmcp stdio|http

By HTTP, it prints its address, and ends when its standard input does.
"""
import os
import socket
import sys
import threading

KIND, WAY = sys.argv[1:]
if KIND == "mcp":
    from mcp.server.mcpserver import Context, MCPServer as Server
else:
    from fastmcp import Context, FastMCP as Server

server = Server("others")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Hello {name}"


@server.tool()
def fail(why: str) -> str:
    """Fails."""
    raise ValueError(f"no luck: {why}")


if KIND == "mcp":
    from typing import Annotated

    from mcp.server.mcpserver import Elicit, Resolve
    from mcp.server.mcpserver import AcceptedElicitation
    from pydantic import BaseModel

    class Amount(BaseModel):
        """The number of cups."""
        cups: str

    def how_many(what: str) -> Elicit[Amount]:
        """Asks for the number of cups."""
        return Elicit(f"How many cups of {what}?", Amount)

    @server.tool()
    def order(what: str, amount: Annotated[Amount, Resolve(how_many)]) -> str:
        """Takes an order."""
        return f"{amount.cups} cups of {what}"


def run_http():
    import uvicorn

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = server.streamable_http_app() if KIND == "mcp" else server.http_app()
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error")
    made = uvicorn.Server(config)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()

    def tell():
        while not made.started:
            threading.Event().wait(0.05)
        print(f"http://127.0.0.1:{port}/mcp", flush=True)

    threading.Thread(target=tell, daemon=True).start()
    made.run()


if WAY == "http":
    run_http()
else:
    server.run(**({"transport": "stdio"} if KIND == "mcp" else {"show_banner": False}))
