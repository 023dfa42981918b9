"""A client and a server of FIPA's message transport over HTTP, on plain sockets.

They keep each byte, so that tests can look at it.
"""
import queue
import re
import socket
import threading

LIMIT = 30  # seconds
BOUNDARY = "0123456789abcdef0123456789abcde"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n"


def envelope(receiver, sender, length, **more):
    """An envelope in XML. `more` goes behind the representation: payload_encoding="UTF-8"."""
    rest = "".join(f"<{key.replace('_', '-')}>{value}</{key.replace('_', '-')}>"
                   for key, value in more.items())
    return ('<?xml version="1.0"?>\n<envelope><params index="1">'
            f"<to>{agent(receiver)}</to><from>{agent(sender)}</from>"
            "<acl-representation>fipa.acl.rep.string.std</acl-representation>"
            f"<payload-length>{length}</payload-length>{rest}"
            "<date>20231114T221320123</date>"
            f"<intended-receiver>{agent(receiver)}</intended-receiver></params></envelope>")


def agent(aid):
    urls = "".join(f"<url>{each}</url>" for each in aid["addresses"])
    return (f'<agent-identifier><name>{aid["name"]}</name><addresses>{urls}</addresses>'
            "</agent-identifier>")


def request(address, envelope_text, payload, boundary=BOUNDARY):
    """The bytes of a request to this address, as JADE writes them."""
    host = address.split("/")[2]
    body = (f"This is not part of the MIME multipart encoded message.\r\n--{boundary}\r\n"
            f"Content-Type: application/xml\r\n\r\n{envelope_text}\r\n--{boundary}\r\n"
            "Content-Type: application/text\r\n\r\n").encode()
    body += payload + f"\r\n--{boundary}--\r\n".encode()
    head = (f"POST {address} HTTP/1.1\r\nCache-Control: no-cache\r\nMime-Version: 1.0\r\n"
            f'Host: {host}\r\nContent-Type: multipart/mixed ; boundary="{boundary}"\r\n'
            f"Content-Length: {len(body)}\r\nConnection: Keep-Alive\r\n\r\n")
    return head.encode() + body


class Request:
    """A request as it came, and its parts."""

    def __init__(self, raw):
        self.raw = raw
        head, _, self.body = raw.partition(b"\r\n\r\n")
        self.first_line, *lines = head.decode("latin-1").split("\r\n")
        self.headers = dict(line.split(": ", 1) for line in lines)

    def parts(self):
        """The envelope as text, the payload as bytes."""
        boundary = re.search(r'boundary="([^"]*)"', self.headers["Content-Type"])[1].encode()
        _, first, second, _ = self.body.split(b"--" + boundary)
        return (first.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n").decode(),
                second.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n"))


class Client:
    """One connection to a platform."""

    def __init__(self, address):
        host, port = address.split("/")[2].split(":")
        self._socket = socket.create_connection((host, int(port)), LIMIT)
        self._stream = self._socket.makefile("rb")

    def send(self, raw):
        self._socket.sendall(raw)

    def answer(self):
        """The next answer as it came; empty if the platform closed the connection."""
        raw = b""
        while not raw.endswith(b"\r\n\r\n"):
            line = self._stream.readline()
            if not line:
                return raw
            raw += line
        length = re.search(rb"Content-Length: (\d+)\r\n", raw)
        if length:
            return raw + self._stream.read(int(length[1]))
        return raw + self._stream.readline()  # JADE: no length, one line of HTML

    def post(self, raw):
        self.send(raw)
        return self.answer()

    def close(self):
        self._stream.close()
        self._socket.close()


class Server:
    """A platform's place: it takes requests, answers each by `reply`, and keeps them. `behind` is
    the number of bytes that the client sends behind each request; they are kept, too."""

    def __init__(self, reply=OK, behind=0):
        self.reply, self._behind = reply, behind
        self._requests = queue.SimpleQueue()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/acc"
        self._connections = []
        threading.Thread(target=self._accept, daemon=True).start()

    def take(self):
        """The next request."""
        return self._requests.get(timeout=LIMIT)

    def connections(self):
        """The number of connections that came."""
        return len(self._connections)

    def close(self):
        for each in [self._listener, *self._connections]:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the other side has closed it
            each.close()

    def _accept(self):
        try:
            while True:
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        except OSError:
            pass  # closed

    def _serve(self, connection):
        try:
            with connection.makefile("rb") as stream:
                while request := read_request(stream):
                    request.raw += stream.read(self._behind)
                    self._requests.put(request)
                    connection.sendall(self.reply)
        except OSError:
            pass  # closed


def read_request(stream):
    """The next request of a stream, or None at its end. Blank lines before it are skipped: JADE
    writes one behind each request."""
    raw = b"\r\n"
    while raw == b"\r\n":
        raw = stream.readline()
    while not raw.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        raw += line
    length = re.search(rb"Content-Length: (\d+)\r\n", raw)
    return Request(raw + stream.read(int(length[1]) if length else 0))
