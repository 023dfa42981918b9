"""A tool of fastmcp that echoes a text, for coracle-bench gateway.   echo.py http|stdio

By HTTP, it prints its address, and ends when its standard input does. No sessions, and plain
responses of JSON: the fastest that it offers.
"""
import os
import socket
import sys
import threading

from fastmcp import FastMCP

server = FastMCP("echo")


@server.tool()
def echo(text: str) -> str:
    """Gives the text back."""
    return text


def run_http():
    import uvicorn

    # Only for a socket that names its protocol, asyncio sends small packets at once.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    app = server.http_app(stateless_http=True, json_response=True)
    config = uvicorn.Config(app, log_level="error", access_log=False)

    class Server(uvicorn.Server):
        async def startup(self, sockets=None):
            await super().startup(sockets)
            print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)

    Server(config).run(sockets=[listener])


if sys.argv[1] == "http":
    run_http()
else:
    server.run(show_banner=False)
