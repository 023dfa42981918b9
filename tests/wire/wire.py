"""wire.py: a node of a Central society, written from docs/wire.md and docs/wire-core.md alone.

until() reads what has come, and answers all that a member must answer. A Node grants credit without
end and counts none; it resumes no session, makes no copies, and takes no frames in pieces.
"""
import collections
import os
import select
import socket
import time

# Kinds of frames of the session.
HELLO, RESUME, START, GOODBYE, PING, PONG, ACKNOWLEDGE, SESSION_MESSAGE = 1, 3, 4, 5, 6, 7, 8, 16
# Kinds of requests to the directory, of its announcements, and of its events.
ATTACH, OPEN_LEASE, RENEW, REGISTER, SEEN = 1, 2, 3, 5, 11
ANSWERED, EVENT, ALL_ANNOUNCED = 1, 2, 4
ARRIVED, CHANGED, ENDED, JOINED, LEFT, LEASE_ENDED = range(6)
NAME_TAKEN = 2  # an error of an answer
TEXT_VALUE = 4  # of a property
# Kinds of frames through the clearinghouse, and of frames of the core in them.
RELAYED, READ, HOW_MUCH, BATCH = 0x20, 0x21, 0x22, 0x27
MESSAGE, DELIVERY_REPORT, CLOSED, GREETING, TAP, ANSWER, PROBE = 1, 2, 3, 4, 5, 7, 8
SLOT_REQUEST, SLOT_WITHDRAWAL, SLOT_ANSWER, MAILBOX, STORE_STATE = 9, 10, 11, 12, 13
REFUSED_REQUEST, DENIED, LOOK, LAST_MESSAGES = 24, 25, 26, 29
ANSWERS = {GREETING: ANSWER, TAP: ANSWER, LAST_MESSAGES: ANSWER, REFUSED_REQUEST: DENIED,
           LOOK: DENIED}
NAMED = CLOSED, PROBE, SLOT_WITHDRAWAL, SLOT_ANSWER, MAILBOX
CONSUMED, RETURNED, REFUSED_BY_POLICY, NO_REPLY = 2, 6, 14, 19  # outcomes of messages
SOCIETY, TERM = "default", 10  # seconds


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def text(value):
    return varint(len(value.encode())) + value.encode()


def spelled(name):
    """A numbered name that is spelled for once."""
    return varint(1) + text(name)


class Fields:
    """The fields of a frame, which are read one after another."""

    def __init__(self, data):
        self.data = data  # what is not read yet

    def bytes(self, count):
        assert count <= len(self.data), "a frame ends too early"
        read, self.data = self.data[:count], self.data[count:]
        return read

    def u8(self):
        return self.bytes(1)[0]

    def varint(self):
        byte = self.u8()
        return byte if byte < 128 else byte - 128 + (self.varint() << 7)

    def text(self):
        return self.bytes(self.varint()).decode()

    def numbered(self, names):
        number = self.varint()
        name = self.text() if number < 2 else names[number - 2]
        names += [name] * (number == 0)  # The name gets the next number.
        return name


class Node:
    def __init__(self, path, name, largest=1 << 18):
        self.holders, self.answers, self.reports, self.received = {}, {}, [], []
        self.arrived = self.requests = self.changes = self.complete = self.lease = self.renewed = 0
        # The serials that were sent and that have come, and the bytes of each lease since READ.
        self.sent, self.came, self.unread = (collections.Counter() for _ in range(3))
        self.names = collections.defaultdict(list)  # the names that each lease has numbered
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.greet(name, largest)
        self.request(ATTACH, varint(0))
        self.lease = self.ask(OPEN_LEASE, text("") + varint(TERM * 10**9) + varint(0) + text(name) +
                              varint(0) + text("") + bytes([0]))
        self.until(lambda: self.complete)

    def greet(self, name, largest):
        fields = {1: SOCIETY.encode(), 2: name.encode(), 3: os.urandom(8) + bytes(8), 4: varint(1),
                  6: varint(largest)}
        self.frame(HELLO, b"CRCL\1\1" + b"".join(
            bytes([tag, len(value), 0]) + value for tag, value in fields.items()))
        hello, fields = Fields(self.expect(HELLO)[6:]), {}
        while hello.data:
            tag = hello.u8()
            fields[tag] = hello.bytes(int.from_bytes(hello.bytes(2), "little"))
        self.frame(RESUME, fields[3] + fields[4] + varint(0) + varint(1 << 40) + varint(1 << 30))
        self.expect(RESUME)
        self.frame(START, varint(1))
        self.expect(START)

    def frame(self, kind, body):
        self.connection.sendall(bytes([kind]) + len(body).to_bytes(3, "little") + body)

    def next_frame(self, seconds):
        """The next frame, or nothing if none has come by then."""
        if not select.select([self.connection], [], [], seconds)[0]:
            return None, b""
        head = self.connection.recv(4, socket.MSG_WAITALL)
        assert len(head) == 4, "the connection has ended"
        body = self.connection.recv(int.from_bytes(head[1:], "little"), socket.MSG_WAITALL)
        assert head[0] != GOODBYE, f"goodbye {body[0]}: {body[1:].decode()}"
        return head[0], body

    def expect(self, kind):
        got, body = self.next_frame(5)
        assert got == kind, f"{got} came in place of {kind}"
        return body

    def until(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "what the node waits for has not come"
            if self.lease and time.monotonic() > self.renewed + TERM / 2:
                self.renewed = time.monotonic()
                self.request(RENEW, varint(self.lease))
            kind, body = self.next_frame(0.1)
            if kind == PING:
                self.frame(PONG, body)
            if kind == SESSION_MESSAGE:
                self.on_message(Fields(body))

    def on_message(self, body):
        self.arrived += 1
        self.frame(ACKNOWLEDGE, varint(self.arrived))
        fields = Fields(body.bytes(body.varint()))
        kind = fields.u8()
        if RELAYED <= kind <= BATCH:
            self.on_relayed(kind, fields, body.data)
        self.complete |= kind == ALL_ANNOUNCED
        if kind == EVENT:
            self.on_event(fields)
        if kind == ANSWERED:
            self.answers[fields.varint()] = fields

    def message(self, header, content=b""):
        self.frame(SESSION_MESSAGE, varint(len(header)) + header + content)

    def request(self, kind, arguments):
        self.requests += 1
        self.message(bytes([kind]) + varint(self.requests) + arguments)
        return self.requests

    def ask(self, kind, arguments):
        """The value of the answer, or nothing if another agent holds the name."""
        number = self.request(kind, arguments)
        self.until(lambda: number in self.answers)
        answer = self.answers.pop(number)
        good, value = answer.u8(), answer.varint()
        assert good or value == NAME_TAKEN, answer.text()
        return value if good else None

    def register(self, name, properties=()):
        described = varint(len(properties))
        for key, value in properties:
            described += text(key) + bytes([TEXT_VALUE]) + text(value)
        return self.ask(REGISTER, text(name) + varint(self.lease) + described + varint(1024) +
                        varint(1 << 20) + bytes([0]) + text("") + varint(0))

    def on_event(self, event):
        kind, name, incarnation, lease = event.u8(), event.text(), event.varint(), event.varint()
        if kind in (ARRIVED, CHANGED):
            self.holders[name] = lease, incarnation
        if kind == ENDED and self.holders.get(name, (0, 0))[1] == incarnation:
            del self.holders[name]
        assert kind != LEASE_ENDED or lease != self.lease, "the lease of this node has ended"
        if kind in (JOINED, LEFT) and self.complete:
            self.changes += 1
            self.request(SEEN, varint(self.changes))

    def relay(self, lease, frame, content=b"", kind=RELAYED):
        self.message(bytes([kind]) + varint(self.lease) + varint(lease) + frame, content)

    def send(self, source, target, words):
        lease, incarnation = self.holders[target]
        self.sent[target, incarnation] += 1
        serial = varint(self.sent[target, incarnation])  # also the sequence
        # The message has a source, no flags, a sequence, no conversation, and the type text/plain.
        self.relay(lease, bytes([MESSAGE]) + spelled(target) + serial + varint(incarnation + 1) +
                   bytes([1]) + spelled(source) + bytes([0]) + serial + bytes([0, 1]),
                   words.encode())

    def on_relayed(self, kind, fields, content):
        lease, _ = fields.varint(), fields.varint()
        self.unread[lease] += len(fields.data + content) if kind in (RELAYED, BATCH) else 0
        if kind == HOW_MUCH or self.unread[lease] > 1 << 17:
            self.relay(lease, varint(self.unread.pop(lease, 0)), kind=READ)
        if kind == RELAYED:
            self.on_core(lease, fields, content)
        batch = Fields(content if kind == BATCH else b"")
        while batch.data:
            size, head_size = batch.varint(), batch.varint()
            self.on_core(lease, Fields(batch.bytes(head_size)), batch.bytes(size - head_size))

    def on_core(self, lease, head, content):
        kind, names = head.u8(), self.names[lease]
        while kind == DELIVERY_REPORT and head.data:
            self.reports += [(head.numbered(names), head.u8(), head.varint(), head.varint())]
        if kind in ANSWERS and (token := head.varint()):
            self.relay(lease, bytes([ANSWERS[kind]]) + varint(token))
        if kind in (MESSAGE, SLOT_REQUEST):
            self.on_agents_message(lease, kind, head, content)
        if kind in NAMED:  # The names are read because they may get numbers.
            head.numbered(names)
        if kind == PROBE:
            head.varint(), head.numbered(names)

    def on_agents_message(self, lease, kind, fields, content):
        names, once = self.names[lease], fields.data[0] == 1
        target, serial = fields.numbered(names), fields.varint()
        _, bits = fields.varint(), fields.u8()  # The incarnation tells nothing: names stay here.
        source, _ = (fields.numbered(names) if bits & bit else "" for bit in (1, 8))
        held, request = self.holders.get(target, (0,))[0] == self.lease, fields.varint() & 1
        if kind == SLOT_REQUEST:  # There is always room.
            slot = bytes([SLOT_ANSWER]) + spelled(target) + varint(serial) + bytes([held or 2])
            return self.relay(lease, slot)
        if not once:
            self.came[lease, target] = serial = (self.came[lease, target] + serial) % 2**64
        outcome = REFUSED_BY_POLICY if bits & 16 else NO_REPLY if request else CONSUMED
        self.received += [(source, target, content)] * (held and not bits & 16)
        if serial:
            self.relay(lease, bytes([DELIVERY_REPORT]) + spelled(target) +
                       bytes([outcome if held else RETURNED]) + varint(serial) + varint(1))
