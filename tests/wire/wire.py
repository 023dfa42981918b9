"""A client of a Central society, written from docs/wire.md and docs/wire-core.md alone.

It does the least that a client does; it reads no message in pieces, and ignores its credit.
"""
import os
import socket

# Frames of the session.
HELLO, RESUME, START, GOODBYE, PING, PONG, ACKNOWLEDGE, MESSAGE = 1, 3, 4, 5, 6, 7, 8, 16
# Requests to the directory, its announcements, and the kinds of events.
ATTACH, OPEN_LEASE, REGISTER, SEEN, FOLLOW_ALL, ALL_FOLLOWED = 1, 2, 5, 0x0b, 0x15, 0x16
REPLIED, EVENT, ALL_ANNOUNCED = 1, 2, 4
ARRIVED, CHANGED, ENDED, JOINED, LEFT = range(5)
# Relayed frames, and frames of the core.
RELAYED, READ, HOW_MUCH, BATCH = 0x20, 0x21, 0x22, 0x27
CONTENT, REPORT, CLOSED, GREETING, TAP, ANSWER, PROBE, SLOT_REQUEST = 1, 2, 3, 4, 5, 7, 8, 9
SLOT_WITHDRAWAL, SLOT_ANSWER, MAILBOX, STORE_STATE = 0x0a, 0x0b, 0x0c, 0x0d
REFUSED_REQUEST, DENIED, LOOK, LAST_MESSAGES = 0x18, 0x19, 0x1a, 0x1d
ANSWERS = {GREETING: ANSWER, TAP: ANSWER, LAST_MESSAGES: ANSWER, LOOK: DENIED,
           REFUSED_REQUEST: DENIED}
# Outcomes of messages.
CONSUMED, UNDELIVERABLE, REFUSED_BY_POLICY, WITHOUT_REPLY = 2, 5, 14, 19


def varint(number):
    if number < 0x80:
        return bytes([number])
    return bytes([number & 0x7f | 0x80]) + varint(number >> 7)


def text(string):
    return varint(len(string.encode())) + string.encode()


def spelled(name):
    return varint(1) + text(name)  # a numbered name, for this once


class Reader:
    def __init__(self, data):
        self.rest = bytes(data)

    def take(self, count):
        assert count <= len(self.rest), "a frame ends early"
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def fixed(self, count=1):
        return int.from_bytes(self.take(count), "little")

    def varint(self):
        number = shift = 0
        while (byte := self.fixed()) & 0x80:
            number |= (byte & 0x7f) << shift
            shift += 7
        return number | byte << shift

    def text(self):
        return self.take(self.varint()).decode()


class Session:
    """The messages to and from a server, on one connection that is never resumed."""

    def __init__(self, place, node, largest):
        self.arrived = 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(place)
        self.bytes = self.socket.makefile("rb")
        fields = ((1, b"default"), (2, node.encode()), (3, os.urandom(8) + bytes(8)),
                  (4, varint(1)), (6, varint(largest)))
        self.write(HELLO, b"CRCL\1\1" + b"".join(
            bytes([tag]) + len(value).to_bytes(2, "little") + value for tag, value in fields))
        (kind, body), theirs = self.read(), {}
        hello = Reader(body)
        assert kind == HELLO and hello.take(4) == b"CRCL" and hello.fixed() <= 1 <= hello.fixed()
        while hello.rest:
            tag = hello.fixed()
            theirs[tag] = hello.take(hello.fixed(2))
        self.write(RESUME, theirs[3] + theirs[4] + varint(0) + varint(1 << 40) + varint(1 << 30))
        assert self.read()[0] == RESUME
        self.write(START, varint(1))
        assert self.read()[0] == START

    def write(self, kind, body):
        self.socket.sendall(bytes([kind]) + len(body).to_bytes(3, "little") + body)

    def read(self):
        head = Reader(self.bytes.read(4))
        kind, size = head.fixed(), head.fixed(3)
        body = Reader(self.bytes.read(size)).take(size)
        if kind == GOODBYE:
            raise ConnectionError(f"goodbye, for the reason {body[0]}: {body[1:].decode()}")
        return kind, body

    def send(self, header, content=b""):
        self.write(MESSAGE, varint(len(header)) + header + content)

    def receive(self):
        """The header and the content of the next message."""
        while True:
            kind, body = self.read()
            if kind == PING:
                self.write(PONG, body)
            elif kind == MESSAGE:
                self.arrived += 1
                self.write(ACKNOWLEDGE, varint(self.arrived))
                message = Reader(body)
                return message.take(message.varint()), message.rest


class Node:
    def __init__(self, place, name, largest=262144):
        self.session = Session(place, name, largest)
        self.asked = self.sent = 0
        self.changes = None  # of groups since all was announced
        self.answers, self.holders = {}, {}
        self.names, self.serials = {}, {}  # of other leases
        self.reports, self.inbox = [], []
        self.request(ATTACH, varint(0))
        self.request(FOLLOW_ALL, text(""))
        self.request(ALL_FOLLOWED, b"")
        node = varint(0) + text(name) + varint(0) + text("") + bytes([0])
        self.lease = self.ask(OPEN_LEASE, text("") + varint(10 * 10**9) + node)

    def request(self, kind, arguments):
        self.asked += 1
        self.session.send(bytes([kind]) + varint(self.asked) + arguments)
        return self.asked

    def ask(self, kind, arguments):
        """The value of the answer; None if it is an error."""
        number = self.request(kind, arguments)
        self.until(lambda: number in self.answers)
        return self.answers[number]

    def register(self, name, properties=()):
        """The incarnation in which this node holds the name from now on, or None."""
        described = b"".join(text(key) + bytes([4]) + text(value) for key, value in properties)
        mailbox = varint(1024) + varint(1 << 20) + bytes([0]) + text("")
        return self.ask(REGISTER, text(name) + varint(self.lease) + varint(len(properties)) +
                        described + mailbox + varint(0))

    def relay(self, lease, frame, content=b"", kind=RELAYED):
        self.session.send(bytes([kind]) + varint(self.lease) + varint(lease) + frame, content)

    def send(self, source, target, content):
        lease, incarnation = self.holders[target]
        self.sent += 1
        self.relay(lease, bytes([CONTENT]) + spelled(target) + varint(self.sent) +
                   varint(incarnation + 1) + bytes([1]) + spelled(source) + varint(0) +
                   varint(self.sent) + varint(0) + bytes([1]), content.encode())

    def until(self, is_so):
        while not is_so():
            self.read(*self.session.receive())

    def read(self, header, content):
        frame = Reader(header)
        kind = frame.fixed()
        if kind == REPLIED:
            number, is_good = frame.varint(), frame.fixed()
            self.answers[number] = frame.varint() if is_good else None
        elif kind == EVENT:
            self.read_event(frame)
        elif kind == ALL_ANNOUNCED:
            self.changes = 0
        elif kind in (RELAYED, BATCH, HOW_MUCH):
            lease, _ = frame.varint(), frame.varint()
            self.relay(lease, varint(len(frame.rest) + len(content)), kind=READ)
            if kind == RELAYED:
                self.read_core(lease, Reader(frame.rest), content)
            batch = Reader(content if kind == BATCH else b"")
            while batch.rest:
                size, head_size = batch.varint(), batch.varint()
                self.read_core(lease, Reader(batch.take(head_size)), batch.take(size - head_size))

    def read_event(self, event):
        kind, name, incarnation, lease = event.fixed(), event.text(), event.varint(), event.varint()
        if kind in (ARRIVED, CHANGED):
            self.holders[name] = lease, incarnation
        elif kind == ENDED and self.holders.get(name, (0, 0))[1] == incarnation:
            del self.holders[name]
        elif kind in (JOINED, LEFT) and self.changes is not None:
            self.changes += 1
            self.request(SEEN, varint(self.changes))

    def name(self, lease, frame):
        """A numbered name, and whether its numbers are given in full."""
        number, names = frame.varint(), self.names.setdefault(lease, [])
        if number == 1:
            return frame.text(), True
        if number == 0:
            names.append(frame.text())
        return names[number - 2 if number else -1], False

    def read_core(self, lease, frame, content):
        kind = frame.fixed()
        if kind in (CONTENT, SLOT_REQUEST):
            self.read_message(lease, kind, frame, content)
        elif kind == REPORT:
            while frame.rest:
                self.reports.append((self.name(lease, frame)[0], frame.fixed(), frame.varint(),
                                     frame.varint()))
        elif kind in (CLOSED, SLOT_WITHDRAWAL, SLOT_ANSWER, MAILBOX):
            self.name(lease, frame)
        elif kind == PROBE:
            self.name(lease, frame), frame.varint(), self.name(lease, frame)
        elif kind in ANSWERS and (token := frame.varint()):
            self.relay(lease, bytes([ANSWERS[kind]]) + varint(token))

    def read_message(self, lease, kind, frame, content):
        target, is_full = self.name(lease, frame)
        serial, _, bits = frame.varint(), frame.varint(), frame.fixed()
        source = self.name(lease, frame)[0] if bits & 1 else ""
        if bits & 8:
            self.name(lease, frame)
        outcome = WITHOUT_REPLY if frame.varint() & 1 else CONSUMED
        if kind == SLOT_REQUEST:
            self.relay(lease, bytes([SLOT_ANSWER]) + spelled(target) + varint(serial) + b"\1")
            return
        if not is_full:
            serial = (self.serials.get((lease, target), 0) + serial) % 2**64
            self.serials[lease, target] = serial
        if bits & 16:
            outcome = REFUSED_BY_POLICY
        elif self.holders.get(target, (0, 0))[0] != self.lease:
            outcome = UNDELIVERABLE
        else:
            self.inbox.append((source, content.decode()))
        if serial:
            self.relay(lease, bytes([REPORT]) + spelled(target) + bytes([outcome]) +
                       varint(serial) + varint(1))
