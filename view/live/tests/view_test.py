#!/usr/bin/env python3
"""view_test.py CORACLE SERVICE [EXAMPLES [SOCIETY]]: `coracle view` in a society that a SERVICE
(central or directory) serves, as a browser sees it: the door, the headers, the feed. SOCIETY is the
program of view/page/tests/live."""
import base64
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

CORACLE, SERVICE = sys.argv[1:3]
EXAMPLES = sys.argv[3] if len(sys.argv) > 3 else ""
SOCIETY = sys.argv[4] if len(sys.argv) > 4 else ""
LIMIT = 60  # seconds for one step
HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[31m\u202e\"'\\"


def started(*words, env=None):
    return subprocess.Popen([CORACLE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env={**os.environ, **(env or {})})


def ended(process):
    process.send_signal(signal.SIGTERM)
    out, error = process.communicate(timeout=LIMIT)
    return process.returncode, out, error


class Socket:
    """A WebSocket, as a browser opens it."""

    def __init__(self, port, headers):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        lines = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
                 "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "coracle.view.1",
                 **headers}
        self.connection.sendall(("GET /feed HTTP/1.1\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n").encode())
        self.file = self.connection.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.head = {}
        while (line := self.file.readline().strip()):
            name, _, value = line.decode().partition(": ")
            self.head[name.lower()] = value
        self.number = 0
        self.frames = []

    def receive(self):
        """The next frame of text; None at the end."""
        while True:
            first = self.file.read(2)
            if len(first) < 2 or first[0] & 15 == 8:
                return None
            size = first[1] & 127
            if size >= 126:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            payload = self.file.read(size)
            if first[0] & 15 == 1:
                return json.loads(payload)

    def next(self, is_wanted):
        """The next frame for which that is so; the others are kept in frames."""
        while (frame := self.receive()) is not None:
            self.frames.append(frame)
            if is_wanted(frame):
                return frame
        raise AssertionError("the feed ended")

    def seen(self, is_wanted):
        """Waits for a frame for which that is so, unless one has come already."""
        if not any(is_wanted(frame) for frame in self.frames):
            self.next(is_wanted)

    def send(self, frame):
        payload = json.dumps(frame).encode()
        size = (bytes([128 | len(payload)]) if len(payload) < 126
                else bytes([254]) + len(payload).to_bytes(2, "big"))
        self.connection.sendall(b"\x81" + size + bytes(4) + payload)  # the mask is zero

    def ask(self, what, **members):
        self.number += 1
        self.send({"do": what, "id": self.number, **members})
        return self.next(lambda each: each["is"] == "reply" and each["id"] == self.number)

    def messages(self, is_wanted):
        """The first message for which that is so."""
        found = []

        def has(frame):
            found.extend(each for each in frame.get("messages", []) if is_wanted(each))
            return bool(found)
        self.next(has)
        return found[0]

    def close(self):
        self.file.close()
        self.connection.close()


class View:
    """A running `coracle view`."""

    def __init__(self, *words):
        self.process = started("view", *words)
        line = self.process.stdout.readline()
        match = re.fullmatch(r"the view is at (http://127\.0\.0\.1:(\d+)/\?token=(\w+))\n", line)
        if not match:
            raise AssertionError((line, self.process.communicate(timeout=LIMIT)))
        self.port, self.token = int(match.group(2)), match.group(3)
        self.feeds = []

    def get(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=names)
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        return response.status, dict(response.getheaders()), body

    def enter(self):
        status, headers, _ = self.get("/?token=" + self.token)
        if status != 303:
            raise AssertionError(status)
        return headers["Set-Cookie"].split(";")[0]

    def feed(self, cookie, **headers):
        self.feeds.append(Socket(self.port, {
            "Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}", **headers}))
        return self.feeds[-1]


@contextlib.contextmanager
def viewing(*words):
    view = View(*words)
    try:
        yield view
    finally:
        for feed in view.feeds:
            feed.close()
        code, _, error = ended(view.process)
        if code != 0:
            raise AssertionError((code, error))


@contextlib.contextmanager
def society(*words):
    """The text of a realization whose service runs."""
    with tempfile.TemporaryDirectory() as folder:
        place = folder + "/service"
        service = started(SERVICE, "--listen", "unix://" + place, *words)
        try:
            if not service.stdout.readline():
                raise AssertionError(service.communicate(timeout=LIMIT))
            yield (f"central+unix://{place}" if SERVICE == "central"
                   else f"distributed:directory=unix://{place},folder={folder}")
        finally:
            ended(service)


@contextlib.contextmanager
def listening(where, name):
    bob = started("listen", "--realization", where, "--as", name)
    try:
        yield bob
    finally:
        ended(bob)


def tell(where, text, to="lab/bob"):
    words = ["send", "--realization", where, "--as", "ann", "--to", to, text]
    done = subprocess.run([CORACLE, *words], capture_output=True, timeout=LIMIT, text=True)
    if done.returncode not in (0, 3):
        raise AssertionError(done.stderr)


class Doors(unittest.TestCase):
    def test_a_browser_needs_the_token_which_is_valid_once(self):
        with society() as where, viewing("--realization", where) as view:
            self.assertEqual(view.get("/")[0], 403)
            self.assertEqual(view.get("/app.js")[0], 403)
            self.assertEqual(view.get("/metrics")[0], 403)
            status, headers, _ = view.get("/?token=" + view.token)
            self.assertEqual(status, 303)
            self.assertIn("HttpOnly; SameSite=Strict", headers["Set-Cookie"])
            cookie = headers["Set-Cookie"].split(";")[0]
            self.assertEqual(view.get("/?token=" + view.token)[0], 403)
            status, headers, body = view.get("/", Cookie=cookie)
            self.assertEqual(status, 200)
            self.assertIn("app.js", body)
            policy = headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'; script-src 'self'", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")

    def test_pages_of_others_have_no_access(self):
        with society() as where, viewing("--realization", where) as view:
            cookie = view.enter()
            self.assertEqual(view.feed("no=1").status, 403)
            self.assertEqual(view.feed(cookie, Origin="https://evil.example").status, 403)
            self.assertEqual(view.feed(cookie, Host="evil.example").status, 403)
            self.assertEqual(view.get("/", Cookie=cookie, Host="evil.example")[0], 403)
            self.assertEqual(view.get("/login", "POST", "key=x", Cookie=cookie)[0], 404)

    def test_with_tls_people_log_in_by_a_key(self):
        with tempfile.TemporaryDirectory() as folder, society() as where:
            cert, key = folder + "/cert.pem", folder + "/key.pem"
            subprocess.run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
                check=True, timeout=LIMIT, capture_output=True)
            os.chmod(key, 0o600)
            with open(folder + "/secret", "w", encoding="utf-8") as file:
                file.write("the key & more\n")
            process = started("view", "--realization", where, "--certificate", cert, "--key", key,
                              "--login", folder + "/secret")
            try:
                port = int(re.search(r"https://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])
                trust = ssl.create_default_context(cafile=cert)

                def get(path, method="GET", body=None, **headers):
                    connection = http.client.HTTPSConnection(
                        "127.0.0.1", port, timeout=LIMIT, context=trust)
                    connection.request(method, path, body=body, headers=headers)
                    response = connection.getresponse()
                    answer = response.status, dict(response.getheaders()), response.read().decode()
                    connection.close()
                    return answer

                self.assertIn('action="/login"', get("/")[2])
                self.assertEqual(get("/app.js")[2], get("/")[2])
                self.assertEqual(get("/login", "POST", "key=wrong")[0], 403)
                evil = {"Origin": "https://evil.example"}
                right = urllib.parse.urlencode({"key": "the key & more"})
                self.assertEqual(get("/login", "POST", right, **evil)[0], 403)
                status, headers, _ = get("/login", "POST", right)
                self.assertEqual(status, 303)
                self.assertTrue(headers["Set-Cookie"].endswith("; Secure"))
                cookie = headers["Set-Cookie"].split(";")[0]
                self.assertIn("app.js", get("/", Cookie=cookie)[2])
            finally:
                self.assertEqual(ended(process)[0], 0)

    def test_a_signal_gives_another_address(self):
        with society() as where, viewing("--realization", where) as view:
            first = view.enter()
            view.process.send_signal(signal.SIGUSR1)
            line = view.process.stdout.readline()
            view.token = line.strip().rpartition("=")[2]
            self.assertNotEqual(view.enter(), first)


class Feeds(unittest.TestCase):
    def test_the_feed_of_a_society(self):
        with society() as where, listening(where, "lab/bob"), \
                viewing("--realization", where) as view:
            cookie = view.enter()
            feed = view.feed(cookie)
            self.assertEqual(feed.status, 101)
            self.assertEqual(feed.head["sec-websocket-protocol"], "coracle.view.1")
            hello = feed.next(lambda each: each["is"] == "hello" and
                              each["rights"]["overhear"] is True)
            self.assertEqual(hello["version"], 1)
            self.assertEqual(hello["source"], "live")
            self.assertEqual(hello["me"], "coracle/view-1")
            self.assertIs(hello["rights"]["inspect"], True)
            self.assertIs(hello["rights"]["operate"], True)
            people = feed.next(lambda each: any(
                agent["name"] == "lab/bob" for agent in each.get("agents", [])))
            self.assertEqual(people["is"], "society")
            feed.next(lambda each: each.get("nodes"))

            tell(where, "hello")
            message = feed.messages(lambda each: each.get("text") == "hello")
            self.assertEqual((message["from"], message["to"]), ("ann", "lab/bob"))
            whole = feed.ask("message", n=message["n"])["ok"]
            self.assertEqual(whole["tree"], {"kind": "text", "text": "hello"})
            self.assertEqual(whole["stages"][0]["what"], "sent")
            tell(where, HOSTILE)
            hostile = feed.messages(lambda each: "onerror" in each.get("text", ""))
            self.assertEqual(hostile["text"], HOSTILE)

            self.assertIs(feed.ask("select", names=["nobody"])["ok"], True)
            tell(where, "unseen")
            self.assertIs(feed.ask("select", text="SEEN AGAIN")["ok"], True)
            tell(where, "is seen again")
            self.assertEqual(feed.messages(lambda each: True)["text"], "is seen again")
            history = feed.ask("history", count=10, names=["lab/*"])["ok"]
            self.assertEqual([each["text"] for each in history["messages"]],
                             ["hello", HOSTILE, "unseen", "is seen again"])
            self.assertFalse(history["more"])
            self.assertIn("not kept", feed.ask("message", n=10**6)["error"])
            self.assertIn("no request", feed.ask("dance")["error"])
            self.assertIs(feed.ask("select", conversation=str(2**64 - 1))["ok"], True)
            self.assertIn("a number", feed.ask("select", conversation="7x")["error"])
            self.assertIn("recording", feed.ask("play")["error"])

            series = feed.next(lambda each: each["is"] == "series")
            self.assertTrue(any(value[0] == "messages_per_second" for value in series["values"]))
            status, headers, text = view.get("/metrics", Cookie=cookie)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith("text/plain; version=0.0.4"))
            self.assertIn("coracle_view_messages_total 4\n", text)
            feed.close()

    def test_an_operator_sends_and_everybody_sees_the_act(self):
        with society() as where, listening(where, "lab/bob") as bob, \
                viewing("--realization", where) as view:
            cookie = view.enter()
            first, second = view.feed(cookie), view.feed(cookie)
            first.next(lambda each: each["is"] == "hello" and each["rights"]["send"] is True)
            second.next(lambda each: each["is"] == "society")
            self.assertEqual(first.ask("send", to="lab/bob", text="hi")["ok"], "delivered")
            self.assertEqual(bob.stdout.readline(), "coracle/view-1: hi\n")
            acts = second.next(lambda each: each["is"] == "acts")["acts"]
            self.assertEqual((acts[0]["what"], acts[0]["to"]), ("send", "lab/bob"))
            self.assertIn("error", first.ask("send", to="//", text="hi"))
            self.assertIn("error", first.ask("send", to="lab/bob"))
            first.send([1])
            self.assertIsNone(first.receive())

    def test_without_a_browser_it_overhears_nothing(self):
        with society() as where, listening(where, "lab/bob"), \
                viewing("--realization", where) as view:
            cookie = view.enter()
            feed = view.feed(cookie)
            feed.next(lambda each: each["is"] == "hello" and each["rights"]["overhear"] is True)
            tell(where, "one")
            feed.messages(lambda each: each["text"] == "one")
            feed.close()
            while "coracle_view_browsers 1" in view.get("/metrics", Cookie=cookie)[2]:
                pass
            again = view.feed(cookie)
            tell(where, "three")
            again.messages(lambda each: each["text"] == "three")


@contextlib.contextmanager
def acting(role, where):
    """A process of the society that a test looks at."""
    process = subprocess.Popen([SOCIETY, role], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "CORACLE_REALIZATION": where})
    try:
        if process.stdout.readline() != "ready\n":
            raise AssertionError(role)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)


def agent_in(feed, name, is_wanted):
    """The row of that agent, once it is so."""
    return feed.next(lambda each: any(
        agent["name"] == name and is_wanted(agent) for agent in each.get("agents", [])))


@unittest.skipUnless(SOCIETY, "needs the society of the page's test")
class Agents(unittest.TestCase):
    def test_requests_have_replies_and_messages_outcomes(self):
        with society() as where, acting("guarded", where), \
                viewing("--realization", where) as view:
            feed = view.feed(view.enter())
            reply = feed.messages(lambda each: each.get("kind") == "reply" and "answers" in each)
            self.assertEqual((reply["from"], reply["to"]), ("yard/dog", "yard/boy"))
            self.assertIsInstance(reply["conv"], str)
            request = feed.ask("message", n=reply["answers"])["ok"]["message"]
            self.assertEqual((request["kind"], request["conv"]), ("request", reply["conv"]))
            feed.seen(lambda each: any(
                message.get("outcome") == "consumed"
                for message in each.get("messages", []) + each.get("stages", [])))
            known = feed.ask("select", conversation=reply["conv"])
            self.assertIs(known["ok"], True)
            history = feed.ask("history", conversation=reply["conv"])["ok"]["messages"]
            self.assertEqual([each["kind"] for each in history], ["request", "reply"])
            looked = feed.ask("agent", name="yard/dog")["ok"]
            self.assertEqual(looked["supervisor"]["name"], "yard/guard")

    def test_a_circle_of_waits_is_seen_in_the_rows_and_explained(self):
        with society() as where, acting("stuck", where), viewing("--realization", where) as view:
            feed = view.feed(view.enter())
            rows = {}

            def is_circle(frame):
                rows.update({each["name"]: each["waits"]["for"]
                             for each in frame.get("agents", []) if "waits" in each})
                return (rows.get("stuck/hen"), rows.get("stuck/egg")) == (
                    ["stuck/egg"], ["stuck/hen"])
            feed.next(is_circle)
            why = feed.ask("why", name="stuck/cook")["ok"]
            self.assertIs(why["circle"], True)
            self.assertEqual([each["name"] for each in why["chain"]],
                             ["stuck/cook", "stuck/egg", "stuck/hen"])
            self.assertIn("a circle", why["sentence"])

    def test_an_operator_ends_and_restarts_where_the_policy_allows_it(self):
        with tempfile.NamedTemporaryFile("w", suffix=".policy") as policy:
            policy.write("allow * register **\nallow ** send **\nallow ** overhear **\n"
                         "deny * operate yard/boy\nallow * operate yard/**\n")
            policy.flush()
            with society("--policy", policy.name) as where, acting("guarded", where), \
                    viewing("--realization", where) as view:
                feed = view.feed(view.enter())
                agent_in(feed, "yard/dog", lambda agent: True)
                life = feed.ask("agent", name="yard/dog")["ok"]["life"]
                self.assertIs(feed.ask("restart", name="yard/dog")["ok"], True)
                while feed.ask("agent", name="yard/dog")["ok"].get("life", 0) <= life:
                    pass
                self.assertIn("right operate", feed.ask("end", name="yard/boy")["error"])
                feed.seen(lambda each: each["is"] == "hello" and
                          "right operate" in str(each["rights"]["operate"]))
                self.assertIs(feed.ask("end", name="yard/guard")["ok"], True)
                feed.seen(lambda each: "yard/guard" in each.get("gone", []))
                acts = [act for frame in feed.frames if frame["is"] == "acts"
                        for act in frame["acts"]]
                self.assertIn(("restart", "yard/dog"), [(act["what"], act["to"]) for act in acts])

    def test_an_operator_holds_messages_and_lets_them_go(self):
        with tempfile.NamedTemporaryFile("w", suffix=".policy") as policy:
            policy.write("allow * register **\nallow ** send **\nallow ** overhear **\n"
                         "deny * operate yard/boy\nallow * operate yard/**\n")
            policy.flush()
            with society("--policy", policy.name) as where, acting("guarded", where), \
                    viewing("--realization", where) as view:
                feed = view.feed(view.enter())
                agent_in(feed, "yard/dog", lambda agent: True)
                self.assertIn("no messages by that pattern",
                              feed.ask("scramble", pattern="yard/*", on=True)["error"])
                self.assertIn("right operate", feed.ask("hold", pattern="yard/boy")["error"])
                hold = feed.ask("hold", pattern="yard/dog")["ok"]["hold"]
                self.assertIs(feed.ask("scramble", pattern="yard/dog", on=True)["ok"], True)
                for text in ("sit", "stay"):
                    self.assertIn("ok", feed.ask("send", to="yard/dog", text=text))
                feed.seen(lambda frame: frame["is"] == "held" and any(
                    {"sit", "stay"} <= {message["text"] for message in each["waiting"]}
                    for each in frame["holds"]))
                self.assertIs(feed.ask("release", hold=hold, count=1)["ok"], True)
                self.assertIs(feed.ask("release", hold=hold, count=0)["ok"], True)
                feed.seen(lambda frame: frame["is"] == "held" and frame["holds"] == [])
                self.assertIn("no such hold", feed.ask("release", hold=hold, count=1)["error"])
                self.assertIn("record_marked=FILE",
                              feed.ask("record", name="yard/dog")["error"])

    def test_without_a_policy_acts_are_refused_in_a_sentence(self):
        with society() as where, acting("guarded", where), \
                viewing("--realization", where) as view:
            feed = view.feed(view.enter())
            agent_in(feed, "yard/dog", lambda agent: True)
            self.assertIn("right operate", feed.ask("end", name="yard/dog")["error"])


class Faults(unittest.TestCase):
    def test_a_society_that_is_not_there_yet_is_waited_for(self):
        if SERVICE != "central":
            return
        with tempfile.TemporaryDirectory() as folder:
            where = f"central+unix://{folder}/service"
            with viewing("--realization", where) as view:
                cookie = view.enter()
                feed = view.feed(cookie)
                feed.next(lambda each: "not there yet" in str(each["rights"]["overhear"]))
                service = started(SERVICE, "--listen", f"unix://{folder}/service")
                try:
                    feed.next(lambda each: each["is"] == "hello" and
                              each["rights"]["overhear"] is True)
                finally:
                    feed.close()
                    ended(service)

    def test_a_policy_that_forbids_is_told(self):
        with tempfile.NamedTemporaryFile("w", suffix=".policy") as policy:
            policy.write("allow * register **\nallow ** send **\n")
            policy.flush()
            with society("--policy", policy.name) as where, \
                    viewing("--realization", where) as view:
                feed = view.feed(view.enter())
                hello = feed.next(lambda each: each["is"] == "hello" and
                                  "policy" in str(each["rights"]["overhear"]))
                self.assertTrue(hello)
                feed.next(lambda each: each["is"] == "society")
                feed.close()

    def test_a_port_in_use_and_a_place_beyond_this_host_are_refused_in_a_sentence(self):
        with society() as where, viewing("--realization", where) as view:
            for listen in (f"127.0.0.1:{view.port}", "0.0.0.0:0"):
                other = started("view", "--realization", where, "--listen", listen)
                out, error = other.communicate(timeout=LIMIT)
                self.assertEqual((other.returncode, out), (1, ""))
                self.assertEqual(error.count("\n"), 1)

    def test_a_damaged_recording_is_refused_in_a_sentence(self):
        with tempfile.NamedTemporaryFile("w", suffix=".db") as file:
            file.write("no recording")
            file.flush()
            other = started("view", "--recording", file.name)
            out, error = other.communicate(timeout=LIMIT)
            self.assertEqual((other.returncode, out), (1, ""))
            self.assertEqual(error.count("\n"), 1)


@contextlib.contextmanager
def recorded(example, where="sim:seed=42,", words=()):
    """A view of the recording of a run of an example, with further options."""
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/run.db"
        subprocess.run([f"{EXAMPLES}/{example}"], check=True, timeout=LIMIT, capture_output=True,
                       env={**os.environ, "CORACLE_REALIZATION": where + "record=" + file})
        with viewing("--recording", file, *words) as view:
            yield view


@unittest.skipUnless(EXAMPLES, "needs the folder of the examples")
class Recordings(unittest.TestCase):
    def test_a_recording_is_played(self):
        with recorded("03_multicast_and_groups") as view:
            feed = view.feed(view.enter())
            hello = feed.next(lambda each: each["is"] == "hello")
            self.assertEqual(hello["source"], "recording")
            self.assertGreater(hello["length"], 0)
            self.assertIs(feed.ask("seek", at=hello["length"])["ok"], True)
            batch = feed.next(lambda each: each["is"] == "batch")
            self.assertIs(batch["all"], True)
            whole = batch["messages"]
            self.assertTrue(any(each.get("outcome") == "consumed" for each in whole))
            self.assertIs(feed.ask("seek", n=whole[0]["n"])["ok"], True)
            batch = feed.next(lambda each: each["is"] == "batch")
            self.assertEqual(len(batch["messages"]), 1)
            self.assertIs(feed.ask("step", by=1)["ok"], True)
            batch = feed.next(lambda each: each["is"] == "batch")
            self.assertEqual(len(batch["messages"]), 2)
            self.assertIs(feed.ask("play", speed=1000)["ok"], True)
            feed.next(lambda each: each["is"] == "player" and each.get("ended"))
            self.assertIn("past", feed.ask("send", to="x", text="y")["error"])
            self.assertIn("--program", hello["replay"])
            self.assertIn("--program", feed.ask("replay", n=1, change="drop")["error"])
            feed.close()

    def test_a_recording_is_replayed_with_one_message_changed(self):
        example = f"{EXAMPLES}/03_multicast_and_groups"
        with recorded("03_multicast_and_groups", words=("--program", example)) as view:
            feed = view.feed(view.enter())
            self.assertIs(feed.next(lambda each: each["is"] == "hello")["replay"], True)
            same = feed.ask("replay", n=2, change="text", text="I am here")["ok"]
            self.assertEqual((same["differs"], same["lines"]), (0, []))
            self.assertNotIn("note", same)
            # The queen waits for the message for ever, and the program ends by an exception.
            lost = feed.ask("replay", n=2, change="drop")["ok"]
            self.assertIn("the simulation is stuck", lost["note"])
            change = next(line for line in lost["lines"] if line["before"]["n"] == 2)
            self.assertEqual((change["before"]["outcome"], change["after"]["outcome"]),
                             ("consumed", "dropped"))
            self.assertFalse(change["same"])
            self.assertIn({"same": False, "before": lost["lines"][-1]["before"]}, lost["lines"])
            self.assertIn("no message", feed.ask("replay", n=99999, change="drop")["error"])
            self.assertIn("drops", feed.ask("replay", n=2, change="burn")["error"])
            late = feed.ask("replay", n=2, change="delay", seconds=1)["ok"]
            self.assertGreater(late["differs"], 0)
            self.assertNotIn("note", late)
            feed.close()

    def test_a_recording_of_several_hosts_is_replayed(self):
        example = f"{EXAMPLES}/55_two_hosts"
        with recorded("55_two_hosts", "sim:nodes=2,", ("--program", example)) as view:
            feed = view.feed(view.enter())
            self.assertIs(feed.next(lambda each: each["is"] == "hello")["replay"], True)
            same = feed.ask("replay", n=1, change="text", text="Heron")["ok"]
            self.assertEqual((same["differs"], same["lines"]), (0, []))
            lost = feed.ask("replay", n=1, change="drop")["ok"]
            change = next(line for line in lost["lines"] if line["before"]["n"] == 1)
            self.assertEqual(change["after"]["outcome"], "dropped")
            feed.close()

    def test_a_page_says_why_a_recording_cannot_be_replayed(self):
        for where, program, why in (("local:", "/bin/true", "only recordings of the simulator"),
                                    ("sim:", "/bin/true", "has replayed nothing"),
                                    ("sim:", "/nowhere/x", "cannot start")):
            with recorded("01_hello", where, ("--program", program)) as view:
                feed = view.feed(view.enter())
                self.assertIn(why, feed.ask("replay", n=1, change="drop")["error"])
                feed.close()

    def test_the_decisions_of_real_runs_are_recognized(self):
        runs = {"22_log_pipeline": "pipeline", "28_lunch": "council", "30_meetings": "contract",
                "31_hanoi": "game", "32_market": "market"}
        last = {"pipeline": "done", "council": "decision", "contract": "settled",
                "game": "outcome", "market": "result"}
        for example, kind in runs.items():
            with self.subTest(example), recorded(example, "local:") as view:
                feed = view.feed(view.enter())
                length = feed.next(lambda each: each["is"] == "hello")["length"]
                self.assertIs(feed.ask("seek", at=length)["ok"], True)
                step = feed.next(lambda each: each["is"] == "decision" and
                                 each["what"] == last[kind])
                self.assertEqual(step["kind"], kind)
                self.assertTrue(step["id"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
