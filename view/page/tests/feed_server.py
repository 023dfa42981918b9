"""Serves the page and a feed of the scripted society, on a port of loopback that is free."""
import asyncio
import json
import mimetypes
import pathlib
import threading

from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

import scripted

BUNDLE = pathlib.Path(__file__).resolve().parent.parent / "bundle"
POLICY = ("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "object-src 'none'")
PANEL = b"""<!doctype html><title>panel</title><p id=out>no data</p><script>
addEventListener("message", (e) => { out.textContent = "value " + e.data.data.value; });
try { parent.document.title; out.textContent = "reached the page"; } catch { }</script>"""


class FeedServer:
    """A server in a thread of its own. `opening(n)` gives the frames after the nth connection;
    `answer(frame)` the value for a request, or an exception whose text is the error."""

    def __init__(self, opening, answer, bundle=BUNDLE):
        self.opening, self.answer, self.bundle = opening, answer, bundle
        self.connections, self.requests, self.sockets = 0, [], set()
        self.refusing = False
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(10)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve(ready))

    async def _serve(self, ready):
        self.ending = asyncio.Event()
        async with serve(self._feed, "127.0.0.1", 0, process_request=self._http, max_size=1 << 20,
                         subprotocols=["coracle.view.1"], compression=None,
                         origins=None) as server:
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            await self.ending.wait()

    def _http(self, connection, request):
        path = request.path.split("?")[0]
        if path == "/feed":
            return None if not self.refusing else Response(503, "Busy", Headers(), b"")
        if path.startswith("/panel/"):
            policy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'"
            return self._response(200, "text/html", PANEL, policy)
        file = self.bundle / (path.lstrip("/") or "index.html")
        if file.parent != self.bundle or not file.is_file():
            return self._response(404, "text/plain", b"there is no such page", POLICY)
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        return self._response(200, kind, file.read_bytes(), POLICY)

    @staticmethod
    def _response(status, kind, body, policy):
        return Response(status, "OK" if status == 200 else "Not Found", Headers({
            "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body)),
            "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Connection": "close"}), body)

    async def _feed(self, socket):
        self.connections += 1
        self.sockets.add(socket)
        try:
            for frame in self.opening(self.connections):
                await socket.send(json.dumps(frame))
            async for text in socket:
                frame = json.loads(text)
                self.requests.append(frame)
                reply = {"is": "reply", "id": frame["id"]}
                try:
                    reply["ok"] = self.answer(frame)
                except Exception as error:  # the sentence goes to the page
                    reply["error"] = str(error)
                await socket.send(json.dumps(reply))
        except ConnectionClosed:
            pass
        finally:
            self.sockets.discard(socket)

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def send(self, *frames):
        async def all_of_them():
            for socket in list(self.sockets):
                for frame in frames:
                    await socket.send(frame if isinstance(frame, str) else json.dumps(frame))
        self._do(all_of_them())

    def paced(self, frames, rate):
        """Sends the texts of `frames`, `rate` of them a second; returns when all are sent."""
        async def all_of_them():
            begun = self.loop.time()
            for index, frame in enumerate(frames):
                await asyncio.sleep(max(0, begun + index / rate - self.loop.time()))
                for socket in list(self.sockets):
                    await socket.send(frame)
        asyncio.run_coroutine_threadsafe(all_of_them(), self.loop).result(120)

    def break_sockets(self):
        async def all_of_them():
            for socket in list(self.sockets):
                socket.transport.abort()
        self._do(all_of_them())

    def close(self):
        self.loop.call_soon_threadsafe(self.ending.set)
        self.thread.join(10)
        self.loop.close()


class Workshop:
    """What the server knows of the scripted society, and how it answers."""

    def __init__(self, held=60, rights=None, **hello):
        self.held, self.rights, self.hello_change = held, rights, hello

    def opening(self, connection):
        hello = scripted.hello(**self.hello_change)
        if self.rights:
            hello["rights"] = self.rights
        yield hello
        yield scripted.society()
        yield {"is": "metrics", "metrics": scripted.METRICS}
        for at in range(10, 41):
            yield scripted.series(at)
        yield from scripted.decisions()
        yield {"is": "panels", "panels": scripted.PANELS}
        for key, data in scripted.PANEL_DATA.items():
            yield {"is": "panels", "panel": {"id": key, "data": data}}
        if hello["source"] == "recording":
            yield {"is": "player", "at": 40.0, "speed": 0}

    def answer(self, frame):
        handler = getattr(self, "do_" + frame["do"], None)
        if not handler:
            raise ValueError(f"there is no request {frame['do']}")
        return handler(frame)

    def do_history(self, frame):
        end = min(self.held + 1, frame.get("before") or self.held + 1)
        start = max(1, end - frame["count"])
        return {"messages": [scripted.message(n) for n in range(start, end)], "more": start > 1}

    def do_message(self, frame):
        return scripted.whole(scripted.message(frame["n"]))

    def do_agent(self, frame):
        return dict(scripted.INSPECTION, name=frame["name"])

    def do_why(self, frame):
        if frame["name"] == "shop/orders":
            return scripted.CHAIN
        return {"chain": [{"name": frame["name"]}], "circle": False}

    def do_send(self, frame):
        if frame["to"] == "nobody":
            raise ValueError("no agent is named nobody; give a name from the society's page")
        return "consumed"

    def do_replay(self, frame):
        lines = []
        for n in range(1, 21):
            before = scripted.message(n)
            line = {"same": n != frame["n"], "before": before, "after": before}
            if n == frame["n"]:
                line["after"] = {"text": dict(before, text=frame.get("text"))}.get(frame["change"])
            lines.append(line)
        return {"lines": lines, "differs": 1}

    def yes(self, frame):
        return True

    do_select = do_end = do_restart = do_record = do_release = do_scramble = yes
    do_play = do_pause = do_seek = do_step = yes

    def do_hold(self, frame):
        return {"hold": 1}


def main():
    """Serves the scripted society until it is interrupted, to look at the page by hand."""
    workshop = Workshop(held=2000)
    server = FeedServer(workshop.opening, workshop.answer)
    print(server.address, flush=True)
    try:
        server.paced((json.dumps({"is": "batch", "now": n * 0.2 + 40, "messages": [
            scripted.message(n, at=40 + n * 0.2)]}) for n in range(2001, 10 ** 6)), 5)
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    main()
