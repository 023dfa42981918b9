#!/usr/bin/env python3
"""wire_test.py PLAYER: the client and the server of harness/wire.py, with JADE and without it."""
import sys
import unittest

sys.dont_write_bytecode = True
from harness import acl, wire  # noqa: E402
from harness.players import start  # noqa: E402


class Alone(unittest.TestCase):
    def setUp(self):
        self.server = wire.Server()
        self.addCleanup(self.server.close)
        self.bob = {"name": "bob@p2", "addresses": [self.server.address]}
        self.ann = {"name": "ann@p1", "addresses": ["http://127.0.0.1:1/acc"]}

    def post(self, client, payload, **more):
        envelope = wire.envelope(self.bob, self.ann, len(payload), **more)
        answer = client.post(wire.request(self.server.address, envelope, payload))
        self.assertEqual(answer, wire.OK)
        return envelope

    def test_the_server_gets_each_byte_of_the_client(self):
        client = wire.Client(self.server.address)
        self.addCleanup(client.close)
        for payload in (b"(INFORM\n)", bytes(range(256)), b""):
            envelope = self.post(client, payload, payload_encoding="UTF-8")
            request = self.server.take()
            self.assertEqual(request.first_line, f"POST {self.server.address} HTTP/1.1")
            self.assertEqual(request.parts(), (envelope, payload))

    def test_acl_can_be_read_as_it_was_written(self):
        text = acl.write("request", self.ann, [self.bob], content='say "hi" (or not)',
                         reply_with="r 1")
        seen = acl.read(text)
        self.assertEqual(seen["performative"], "request")
        self.assertEqual(seen["content"], 'say "hi" (or not)')
        self.assertEqual(seen["reply-with"], "r 1")
        self.assertEqual(acl.aid(seen["sender"]), self.ann)
        self.assertEqual(acl.aid(seen["receiver"][1]), self.bob)


class WithJade(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        [cls.jade] = start((PLAYER, "p1"))
        cls.addClassCleanup(cls.jade.quit)

    def setUp(self):
        self.addCleanup(self.jade.clear)
        self.agent = self.jade.agent("agent")
        self.client = wire.Client(self.jade.address)
        self.addCleanup(self.client.close)

    def platform(self, *reply):
        server = wire.Server(*reply)
        self.addCleanup(server.close)
        return server, {"name": "bob@p2", "addresses": [server.address]}

    def request(self, receiver, sender, performative="inform", **fields):
        payload = acl.write(performative, sender, [receiver], **fields).encode()
        envelope = wire.envelope(receiver, sender, len(payload))
        return wire.request(self.jade.address, envelope, payload)

    def test_requests_on_one_connection_are_answered_and_delivered(self):
        bob = {"name": "bob@p2", "addresses": ["http://127.0.0.1:1/acc"]}
        for content in ("one", "two", 'say "three"'):
            answer = self.client.post(self.request(self.agent.aid, bob, content=content))
            self.assertTrue(answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer)
            self.assertIn(b"\r\nConnection: Keep-Alive\r\n", answer)
            seen = self.agent.receive()
            self.assertEqual(seen["content"], content)
            self.assertEqual(seen["sender"], bob)

    def test_an_agent_and_a_socket_play_ping_pong(self):
        server, bob = self.platform()
        echo = self.jade.agent("echo", plays="echo")
        self.client.post(self.request(echo.aid, bob, "request", content="ping", reply_with="r1"))
        request = server.take()
        self.assertEqual(request.headers["Connection"], "Keep-Alive")
        envelope, payload = request.parts()
        self.assertIn(f"<to>{wire.agent(bob)}</to><from>{wire.agent(echo.aid)}</from>", envelope)
        self.assertIn(f"<payload-length>{len(payload)}</payload-length>", envelope)
        seen = acl.read(payload.decode())
        self.assertEqual((seen["performative"], seen["content"], seen["in-reply-to"]),
                         ("inform", "ping", "r1"))

    def test_a_request_that_is_no_post_is_not_acceptable(self):
        answer = self.client.post(b"GET /acc HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 406 Not Acceptable\r\n"), answer)

    def test_a_broken_envelope_closes_the_connection(self):
        raw = self.request(self.agent.aid, self.agent.aid).replace(b"</envelope>", b"")
        self.assertEqual(self.client.post(raw), b"")

    def test_an_answer_that_is_not_200_makes_the_message_fail(self):
        server, bob = self.platform(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
        self.agent.tell("inform", bob, content="hi", reply_with="r1")
        self.assertEqual(acl.read(server.take().parts()[1].decode())["content"], "hi")
        seen = self.agent.receive()
        self.assertEqual((seen["performative"], seen["in-reply-to"], seen["sender"]["name"]),
                         ("failure", "r1", "ams@p1"))

    def test_one_connection_carries_many_messages_of_jade(self):
        server, bob = self.platform()
        for number in range(50):
            self.agent.tell("inform", bob, content=str(number))
        for number in range(50):
            payload = server.take().parts()[1]
            self.assertEqual(acl.read(payload.decode())["content"], str(number))
        self.assertEqual(server.connections(), 1)


PLAYER = sys.argv.pop(1)
unittest.main()
