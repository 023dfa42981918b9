"""A node of a Central society in Python, as docs/wire.md describes it: enough to speak with others,
and to lie to them."""
import os
import socket
import struct

HELLO, RESUME, START, GOODBYE, PING, PONG, ACKNOWLEDGE = 1, 3, 4, 5, 6, 7, 8
CONTROL = 17
ATTACH, OPEN_LEASE, CLAIM = 1, 2, 5
ANSWER, EVENT = 1, 2
ARRIVED, ENDED = 0, 2
PIECE, TOGETHER = 0x20, 0x27
MESSAGE, MARKS, CLOSED, GREETING, EAR, EARS_TOLD, PROBE, KEEPER = 1, 2, 3, 4, 5, 7, 8, 13
CONSUMED, FORBIDDEN = 2, 14


def varint(number):
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(len(value)) + value


def spelled(value):
    return varint(1) + text(value)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def rest(self):
        return self.data[self.at:]

    def is_over(self):
        return self.at >= len(self.data)

    def take(self, size):
        if self.at + size > len(self.data):
            raise ValueError("it ends too early")
        self.at += size
        return self.data[self.at - size:self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self):
        return self.take(self.number()).decode()


class Link:
    """A session with the server, which is never resumed."""

    def __init__(self, place, node, society="default"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(place)
        self.coming = b""
        self.arrived = 0
        hello = b"CRCL" + bytes([1, 1])
        fields = ((1, society.encode()), (2, node.encode()), (3, os.urandom(8) + bytes(8)),
                  (4, varint(1)), (6, varint(1 << 20) * 3))
        for tag, value in fields:
            hello += struct.pack("<BH", tag, len(value)) + value
        self.say(HELLO, hello)
        peer = self.greeting_of(self.hear(HELLO))
        credit = varint(1 << 40) + varint(1 << 30)
        self.say(RESUME, peer[3] + peer[4] + (varint(0) + credit) * 3 + varint(0))
        self.hear(RESUME)
        self.hear(START)
        self.say(START, varint(1) * 3)

    @staticmethod
    def greeting_of(body):
        fields, at = {}, 6
        while at < len(body):
            tag, size = struct.unpack_from("<BH", body, at)
            fields[tag] = body[at + 3:at + 3 + size]
            at += 3 + size
        return fields

    def say(self, kind, body):
        self.socket.sendall(bytes([kind]) + len(body).to_bytes(3, "little") + body)

    def frame(self):
        while len(self.coming) < 4 or len(self.coming) < 4 + self.length():
            got = self.socket.recv(1 << 16)
            if not got:
                raise ConnectionError("the server has hung up")
            self.coming += got
        kind, body = self.coming[0], self.coming[4:4 + self.length()]
        self.coming = self.coming[4 + self.length():]
        return kind, body

    def length(self):
        return int.from_bytes(self.coming[1:4], "little")

    def hear(self, wanted):
        kind, body = self.frame()
        if kind == GOODBYE:
            raise ConnectionError("goodbye: " + body[1:].decode())
        if kind != wanted:
            raise ValueError(f"frame {kind} instead of {wanted}")
        return body

    def send(self, header, content=b""):
        self.say(CONTROL, varint(len(header)) + header + content)

    def receive(self):
        """The next message: its header and its content."""
        while True:
            kind, body = self.frame()
            if kind == PING:
                self.say(PONG, body)
            elif kind == GOODBYE:
                raise ConnectionError("goodbye: " + body[1:].decode())
            elif kind == CONTROL:
                self.arrived += 1
                self.say(ACKNOWLEDGE, bytes([0]) + varint(self.arrived))
                reader = Reader(body)
                header = reader.take(reader.number())
                return header, reader.rest()


class Node:
    """Takes part: has a lease and names, and hears who holds others."""

    def __init__(self, place, name):
        self.link = Link(place, name)
        self.requests, self.answers = 0, {}
        self.holders = {}  # of names: lease and life
        self.marks = []    # that were said to it: name, mark, first serial, count
        self.ask(ATTACH, varint(0), is_answered=False)
        node = varint(0) + text(name) + varint(0) + text("") + bytes([0])
        self.lease = self.ask(OPEN_LEASE, text("") + varint(10**10) + node)

    def ask(self, request, arguments, is_answered=True):
        self.requests += 1
        number = self.requests
        self.link.send(bytes([request]) + varint(number) + arguments)
        if not is_answered:
            return None
        self.until(lambda: number in self.answers)
        return self.answers[number]

    def claim(self, name):
        mailbox = varint(1024) + varint(1 << 20) + bytes([0]) + text("")
        return self.ask(CLAIM, text(name) + varint(self.lease) + varint(0) + mailbox + varint(0))

    def until(self, is_met):
        while not is_met():
            self.take(*self.link.receive())

    def take(self, header, content):
        reader = Reader(header)
        kind = reader.byte()
        if kind == ANSWER:
            number, is_good = reader.number(), reader.byte()
            value = reader.number()
            self.answers[number] = value if is_good else None
        elif kind == EVENT:
            what, name = reader.byte(), reader.text()
            life, lease = reader.number(), reader.number()
            if what == ARRIVED:
                self.holders[name] = (lease, life)
            elif what == ENDED:
                self.holders.pop(name, None)
        elif kind in (PIECE, TOGETHER):
            sender = reader.number()
            reader.number()
            if kind == PIECE:
                return self.on_frame(sender, reader.rest())
            each = Reader(content)
            while not each.is_over():
                size, head = each.number(), each.number()
                self.on_frame(sender, each.take(size)[:head])
        return None

    def on_frame(self, sender, frame):
        reader = Reader(frame)
        kind = reader.byte()
        if kind in (GREETING, EAR):
            self.say(sender, bytes([EARS_TOLD]) + varint(reader.number()) + bytes([0]))
        elif kind == MARKS:
            while not reader.is_over():
                number = reader.number()
                name = reader.text() if number < 2 else number
                self.marks.append((name, reader.byte(), reader.number(), reader.number()))

    def say(self, lease, frame, content=b""):
        self.link.send(bytes([PIECE]) + varint(self.lease) + varint(lease) + frame, content)

    def send(self, source, target, words, serial=1, flags=0):
        lease, life = self.holders[target]
        head = bytes([MESSAGE]) + spelled(target) + varint(serial) + varint(life + 1)
        head += bytes([1]) + spelled(source) + varint(flags) + varint(serial) + varint(0)
        head += bytes([1])  # text
        self.say(lease, head, words.encode())
