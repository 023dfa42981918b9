#!/usr/bin/env python3
"""foreign.py PART SERVER CLIENT: our server and our client with programs of others.

PART is curl, python, websockets, openssl or servers. Ends with 77 if a program is missing.
"""
import asyncio
import contextlib
import hashlib
import http.client
import http.server
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

PART, SERVER, CLIENT = sys.argv[1:4]
LIMIT = 60  # seconds for one program


@contextlib.contextmanager
def serving(*words):
    """Our server; gives its address. It has to end properly."""
    with subprocess.Popen([SERVER, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as server:
        address = server.stdout.readline().strip()
        if not address:
            raise RuntimeError("the server does not begin")
        yield address.rstrip("/")
        server.stdin.close()
        if server.wait(LIMIT) != 0:
            raise RuntimeError("the server does not end properly")


def run(*words, data=None, env=None):
    done = subprocess.run(words, capture_output=True, timeout=LIMIT, input=data,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def client(*words, env=None):
    """The lines that our client prints."""
    code, out, error = run(CLIENT, *words, env=env)
    if code != 0:
        raise RuntimeError(error.decode())
    return out.decode().splitlines()


@contextlib.contextmanager
def certificate():
    """A certificate of localhost that has signed itself."""
    with tempfile.TemporaryDirectory() as folder:
        cert, key = folder + "/cert.pem", folder + "/key.pem"
        code, _, error = run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert)
        if code != 0:
            raise RuntimeError(error.decode())
        os.chmod(key, 0o600)
        yield cert, key


class Curl(unittest.TestCase):
    def curl(self, *words, data=None):
        code, out, error = run("curl", "-sS", "--max-time", "30", *words, data=data)
        self.assertEqual(code, 0, error)
        return out

    def test_curl(self):
        with serving() as url:
            self.assertEqual(self.curl(url + "/hello"), b"hello\n")
            self.assertIn(b"Content-Length: 6\r\n", self.curl("-I", url + "/hello"))
            self.assertEqual(self.curl("-d", "body", url + "/echo"), b"body")
            self.assertEqual(self.curl("-X", "PUT", "-d", "put", url + "/echo"), b"put")
            options = self.curl("-i", "-X", "OPTIONS", url + "/echo")
            self.assertIn(b"Allow: POST, PUT, OPTIONS", options)
            status = ["-o", os.devnull, "-w", "%{http_code}"]
            self.assertEqual(self.curl(*status, url + "/none"), b"404")
            self.assertEqual(self.curl(*status, url + "/echo"), b"405")
            self.assertEqual(self.curl(*status, "-X", "POST", url + "/echo"), b"411")
            self.assertEqual(self.curl(*status, "--http1.0", url + "/hello"), b"200")
            two = self.curl("-w", "%{num_connects}", url + "/hello", url + "/hello")
            self.assertEqual(two, b"hello\n1hello\n0")  # the connection was used again

    def test_large_bodies(self):
        body = os.urandom(3 << 20)
        with serving() as url:
            # curl asks for permission (Expect: 100-continue) before it sends so much.
            self.assertEqual(self.curl("--data-binary", "@-", url + "/echo", data=body), body)
            chunked = self.curl("-H", "Transfer-Encoding: chunked", "--data-binary", "@-",
                                url + "/echo", data=body)
            self.assertEqual(chunked, body)
            status = ["-o", os.devnull, "-w", "%{http_code}"]
            too_large = self.curl(*status, "--data-binary", "@-", url + "/echo", data=body * 3)
            self.assertEqual(too_large, b"413")
            self.assertEqual(len(self.curl(url + "/bytes/5000000")), 5_000_000)

    def test_events(self):
        with serving() as url:
            events = self.curl("-N", "-H", "Last-Event-ID: 3", url + "/events")
            self.assertEqual(events, b"event: count\nid: 4\ndata: event 4\ndata: of five\n\n"
                                     b"event: count\nid: 5\ndata: event 5\ndata: of five\n\n")

    def test_tls(self):
        with certificate() as (cert, key), serving("localhost:0", cert, key) as url:
            self.assertEqual(self.curl("--cacert", cert, url + "/hello"), b"hello\n")
            for version in ("1.2", "1.3"):
                words = ["--cacert", cert, "--tlsv" + version, "--tls-max", version]
                self.assertEqual(self.curl(*words, url + "/hello"), b"hello\n")
            code, _, _ = run("curl", "-sS", "--cacert", cert, "--tls-max", "1.1", url + "/hello")
            self.assertNotEqual(code, 0)


class Python(unittest.TestCase):
    def test_http_client(self):
        with serving() as url:
            connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=30)
            for size in (0, 1, 100_000):
                connection.request("POST", "/echo", b"y" * size)
                response = connection.getresponse()
                self.assertEqual((response.status, len(response.read())), (200, size))
            connection.request("POST", "/echo", iter([b"in ", b"chunks"]), encode_chunked=True,
                               headers={"Transfer-Encoding": "chunked"})
            self.assertEqual(connection.getresponse().read(), b"in chunks")
            connection.request("HEAD", "/hello")
            response = connection.getresponse()
            self.assertEqual((response.getheader("Content-Length"), response.read()), ("6", b""))
            connection.request("GET", "/headers?a=b", headers={"X-Umlaut": "\xfc"})
            text = connection.getresponse().read()
            self.assertIn(b"GET " + url.encode() + b"/headers?a=b\n", text)
            self.assertIn(b"X-Umlaut: \xfc\n", text)
            connection.close()

    def test_urllib(self):
        with serving() as url:
            self.assertEqual(urllib.request.urlopen(url + "/hello", timeout=30).read(), b"hello\n")
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(url + "/none", timeout=30)
            self.assertEqual(caught.exception.code, 404)

    def test_a_thousand_idle_connections_and_one_that_works(self):
        with serving("127.0.0.1:0") as url:
            port = urllib.parse.urlsplit(url).port
            idle = []
            for _ in range(1000):
                with contextlib.suppress(OSError):
                    idle.append(socket.create_connection(("127.0.0.1", port), timeout=30))
            self.assertEqual(urllib.request.urlopen(url + "/hello", timeout=30).read(), b"hello\n")
            for each in idle:
                each.close()


class Websockets(unittest.TestCase):
    def test_with_websockets(self):
        async def talk(url):
            async with websockets.connect(url, subprotocols=["other", "echo"]) as there:
                self.assertEqual(there.subprotocol, "echo")
                for message in ("", "hello", "\u00fc" * 1000, "x" * 100_000, b"", b"\xff" * 70_000):
                    await there.send(message)
                    self.assertEqual(await there.recv(), message)
                await there.send(["in ", "three ", "fragments"])
                self.assertEqual(await there.recv(), "in three fragments")
                await (await there.ping(b"payload"))
                await there.send("close")
                await there.wait_closed()
                self.assertEqual((there.close_code, there.close_reason), (4001, "as you like"))
            async with websockets.connect(url) as there:
                await there.send(b"x" * (2 << 20))  # more than is accepted
                with self.assertRaises(websockets.ConnectionClosedError):
                    await there.recv()
                self.assertEqual(there.close_code, 1009)
        with serving() as url:
            asyncio.run(asyncio.wait_for(talk("ws" + url[4:] + "/socket"), LIMIT))

    def test_client_with_websockets(self):
        async def echo(there):
            async for message in there:
                await there.send(message)

        async def serve():
            async with websockets.serve(echo, "127.0.0.1", 0, subprotocols=["echo"]) as server:
                port = server.sockets[0].getsockname()[1]
                large = "y" * 100_000
                lines = await asyncio.to_thread(client, "socket", "ws://127.0.0.1:%d/" % port, "a",
                                                large, "b")
                self.assertEqual(lines, ["a", large, "b", "1000 "])
        asyncio.run(asyncio.wait_for(serve(), LIMIT))


class Openssl(unittest.TestCase):
    def test_s_client(self):
        with certificate() as (cert, key), serving("localhost:0", cert, key) as url:
            at = urllib.parse.urlsplit(url).netloc
            request = b"GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            code, out, _ = run("openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile",
                               cert, "-alpn", "h2,http/1.1", "-connect", at, data=request)
            self.assertIn(b"hello\n", out)
            code, out, _ = run("openssl", "s_client", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0",
                               "-connect", at, data=b"")
            self.assertNotEqual(code, 0)

    def test_s_server(self):
        with certificate() as (cert, key):
            words = ["openssl", "s_server", "-accept", "localhost:0", "-www", "-cert", cert, "-key",
                     key]
            with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.PIPE, text=True) as there:
                line = there.stdout.readline()
                while not line.startswith("ACCEPT"):
                    line = there.stdout.readline()
                port = line.rsplit(":", 1)[1].strip()
                lines = client("GET", "https://localhost:%s/" % port, env={"AUTHORITIES": cert})
                self.assertTrue(lines[0].startswith("200 <HTML>"), lines[:3])
                there.kill()


class Servers(unittest.TestCase):
    """Our client with servers of others."""

    def serve(self, handler):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server, "http://127.0.0.1:%d" % server.server_address[1]

    def test_http_server(self):
        connections = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                connections.append(1)
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.send_response(200)
                if self.path == "/chunks":
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
                elif self.path == "/events":
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(b"data: a\n\nevent: n\nid: 7\ndata: b\n\n")
                else:
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(b"to the end")

            def log_message(self, *_):
                pass

        _, url = self.serve(Handler)
        self.assertEqual(client("POST", url + "/", "hello", "5"), ["200 hello"] * 5)
        self.assertEqual(len(connections), 1)
        self.assertEqual(client("GET", url + "/chunks"), ["200 abcdefg"])
        self.assertEqual(client("GET", url + "/end"), ["200 to the end"])
        self.assertEqual(client("events", url + "/events"), ["200", "  a", "n 7 b"])

    def test_a_server_that_responds_as_jade_does(self):
        seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                seen.append(self.client_address)
                self.rfile.read(int(self.headers["Content-Length"]))
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                                 b"Cache-Control: no-cache\r\nConnection: Keep-Alive\r\n\r\n"
                                 b"<html><body><h1>200 OK</h1></body></html>\r\n")

            def log_message(self, *_):
                pass

        _, url = self.serve(Handler)
        self.assertEqual(client("jade", url + "/acc", "5"), ["200 "] * 5)
        self.assertEqual(len(set(seen)), 1)


PARTS = {"curl": Curl, "python": Python, "websockets": Websockets, "openssl": Openssl,
         "servers": Servers}


def main():
    if PART in ("curl", "openssl") and not (shutil.which("openssl") and shutil.which(PART)):
        sys.exit(77)
    if PART == "websockets":
        try:
            global websockets
            import websockets
        except ImportError:
            system = "/usr/bin/python3"
            if os.path.realpath(sys.executable) == os.path.realpath(system) or run(
                    system, "-c", "import websockets")[0] != 0:
                sys.exit(77)
            os.execv(system, [system, *sys.argv])
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(PARTS[PART])
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)


main()
