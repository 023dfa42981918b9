#!/usr/bin/env python3
"""record.py PLAYER [--write]: records the bytes that JADE sends, for tests of codecs.

Without --write, compares what JADE sends with the files of recorded/, except for times, ports,
boundaries and lengths. Ends with 1 if there is a difference.
"""
import base64
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from harness import acl, wire  # noqa: E402
from harness.players import message, start  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent / "recorded"
FAR_AWAY = "20991114T221320123Z"
UTF_8 = {"payload-encoding": "UTF-8"}
DIGGER = {"services": [{"name": "s1", "type": "digger", "ownership": "own", "languages": ["l1"],
                        "ontologies": ["o1"], "protocols": ["fipa-request"],
                        "properties": {"depth": "3 m"}}],
          "protocols": ["fipa-request"], "ontologies": ["o1", "o2"], "languages": ["fipa-sl"],
          "lease-time": FAR_AWAY}
SHORT = {"services": [{"name": "s1", "type": "digger"}]}


class World:
    """A platform of JADE with an agent, and a platform that consists of plain sockets."""

    def __init__(self, player):
        [self.jade] = start((player, "p1"))
        self.ann = self.jade.agent("ann")
        self.server = wire.Server(behind=2)  # JADE writes a blank line behind each request
        self.client = wire.Client(self.jade.address)
        self.me = self.remote("bob")
        self.df = self.remote("df")

    def remote(self, name):
        return {"name": f"{name}@p2", "addresses": [self.server.address]}

    def send(self, performative="inform", *receivers, **fields):
        """The requests that JADE sends for a message of ann."""
        receivers = receivers or (self.me,)
        self.ann.tell(performative, *receivers, **fields)
        return [self.server.take().raw for _ in receivers]

    def post(self, receiver, performative, sender=None, **fields):
        """Sends a message to an agent of JADE, and returns the answer on the connection."""
        sender = sender or self.me
        payload = acl.write(performative, sender, [receiver], **fields).encode()
        envelope = wire.envelope(receiver, sender, len(payload))
        return self.client.post(wire.request(self.jade.address, envelope, payload))

    def serve(self, verb, content, performative="inform", **fields):
        """ann asks the DF of the sockets; the answer's content is made from that of the request."""
        answer = getattr(self.ann, f"begin_{verb}")(df=self.df, **fields)
        request = self.server.take()
        seen = acl.read(request.parts()[1].decode())
        self.post(acl.aid(seen["sender"]), performative, self.df,
                  in_reply_to=seen["reply-with"], conversation_id=seen["conversation-id"],
                  language=seen["language"], ontology=seen["ontology"], protocol=seen["protocol"],
                  content=content(seen["content"].strip()[1:-1].strip()))
        answer.result(wire.LIMIT)
        return [request.raw]

    def ask(self, whom, content, language="fipa-sl0", performative="request",
            protocol="fipa-request", answers=1):
        """The requests by which JADE's DF or AMS answers."""
        self.post(whom, performative, content=content, language=language, protocol=protocol,
                  ontology="FIPA-Agent-Management", conversation_id="c1", reply_with="r1")
        return [self.server.take().raw for _ in range(answers)]

    def ask_df(self, action, **more):
        return self.ask(self.jade.df, f"((action {acl.write_aid(self.jade.df)} ({action})))",
                        **more)

    def entry(self):
        return (f"(df-agent-description :name {acl.write_aid(self.me)} "
                ":services (set (service-description :name s1 :type digger)))")


def done(action):
    return f"((done {action}))"


def nothing(action):
    return f"((result {action} (sequence)))"


def all_fields(world):
    carl = {"name": "carl@p3", "addresses": ["http://127.0.0.1:7780/acc"]}
    return world.send("request", reply_to=[carl], content='((action x (say "hi")))',
                      reply_with="r1", in_reply_to="q 1", encoding="none", language="fipa-sl0",
                      ontology="my onto", reply_by=FAR_AWAY, protocol="fipa-request",
                      conversation_id="c1", user={"colour": "dark blue"},
                      envelope={"comments": "a comment"})


def agent_with_slots(world):
    carl = {"name": "carl@p3", "addresses": ["http://127.0.0.1:7780/acc"],
            "resolvers": [{"name": "ams@p3", "addresses": ["http://127.0.0.1:7780/acc"]}],
            "user": {"hat": "red cap"}}
    return world.send("inform", reply_to=[carl])


def several_receivers(world):
    """JADE sends to both at once, so either letter may come first."""
    letters = world.send("inform", world.me, world.remote("bea"), content="hi")
    first = b"<intended-receiver><agent-identifier><name>bob"
    return sorted(letters, key=lambda raw: first not in raw)


def contract_net(world):
    """The call, and then the acceptance of the bid that comes back."""
    result = world.ann.begin_call_for_proposals(message=message(
        "cfp", world.me, protocol="fipa-contract-net", content="dig", reply_by=FAR_AWAY))
    call = world.server.take()
    seen = acl.read(call.parts()[1].decode())
    bid = dict(in_reply_to=seen["reply-with"], conversation_id=seen["conversation-id"],
               protocol="fipa-contract-net")
    world.post(world.ann.aid, "propose", content="20", reply_with="b1", **bid)
    acceptance = world.server.take()
    seen = acl.read(acceptance.parts()[1].decode())
    world.post(world.ann.aid, "inform", content="dug", **{**bid, "in_reply_to": seen["reply-with"]})
    result.result(wire.LIMIT)
    return [call.raw, acceptance.raw]


def df_subscription(world):
    """The subscription, and its end."""
    id = world.ann.df_subscribe(df=world.df, entry=SHORT)["conversation-id"]
    begin = world.server.take().raw
    world.ann.cancel(conversation_id=id, publisher=world.df)
    return [begin, world.server.take().raw]


def df_of_jade(world):
    """Its answers: registered, registered already, found, modified, removed, not there, none."""
    any = "(search-constraints :max-results -1)"
    name = f"(df-agent-description :name {acl.write_aid(world.me)})"
    actions = (f"register {world.entry()}", f"register {world.entry()}",
               f"search (df-agent-description) {any}", f"modify {world.entry()}",
               f"deregister {name}", f"deregister {name}", f"search {name} {any}")
    return [raw for each in actions for raw in world.ask_df(each)]


def df_of_jade_refuses(world):
    """A service without a name, an unknown action, content that cannot be read."""
    unnamed = "(df-agent-description :services (set (service-description :type t)))"
    return [*world.ask_df(f"register {unnamed}"), *world.ask_df("jump (set a)"),
            *world.ask(world.jade.df, "((action"), *world.ask_df("register", language="german")]


def df_of_jade_notifies(world):
    """The notices of an entry and of its end; each comes before the answer to the change."""
    search = "(search (df-agent-description) (search-constraints :max-results -1))"
    world.ask(world.jade.df, "((iota ?x (result (action "
              f"{acl.write_aid(world.jade.df)} {search}) ?x)))", language="fipa-sl",
              performative="subscribe", protocol="fipa-subscribe", answers=0)
    name = f"(df-agent-description :name {acl.write_aid(world.me)})"
    return [world.ask_df(f"register {world.entry()}", answers=2)[0],
            world.ask_df(f"deregister {name}", answers=2)[0]]


def ams_of_jade(world):
    """Its agents, and its description."""
    ams = world.jade.ams
    search = "search (ams-agent-description) (search-constraints :max-results -1)"
    return [raw for each in (search, "get-description")
            for raw in world.ask(ams, f"((action {acl.write_aid(ams)} ({each})))")]


def failure_of_the_ams(world):
    nobody = {"name": "nobody@p1", "addresses": [world.jade.address]}
    world.post(nobody, "request", content="hi", conversation_id="c1", reply_with="r1")
    return [world.server.take().raw]


RECORDS = {
    "small": lambda world: world.send(content="hi"),
    "empty": lambda world: world.send(),
    "all-fields": all_fields,
    "agent-with-slots": agent_with_slots,
    "quotes": lambda world: world.send(content='say "hi" \\n (or) #3"abc', ontology='a"b'),
    "backslash-at-the-end": lambda world: world.send(content="a\\", conversation_id="x y"),
    "line-ends": lambda world: world.send(content="one\ntwo\r\nthree"),
    "bytes": lambda world: world.send(bytes=base64.b64encode(bytes(range(256))).decode()),
    "utf-8": lambda world: world.send(content="Grüße, ☃ 水 😀", ontology="à b", envelope=UTF_8),
    "no-encoding": lambda world: world.send(content="Grüße, ☃ 水 😀"),
    "name-in-latin-1": lambda world: world.send("inform", world.remote("zoë x"), envelope=UTF_8),
    "name-beyond-latin-1": lambda world: world.send("inform", world.remote("☃ x"), envelope=UTF_8),
    "several-receivers": several_receivers,
    "contract-net": contract_net,
    "df-register": lambda world: world.serve("df_register", done, entry=DIGGER),
    "df-modify": lambda world: world.serve("df_modify", done, entry=SHORT),
    "df-deregister": lambda world: world.serve("df_deregister", done),
    "df-search": lambda world: world.serve("df_search", nothing, entry=SHORT),
    "df-search-all": lambda world: world.serve("df_search", nothing,
                                               constraints={"max-results": -1, "max-depth": 2}),
    "df-subscribe": df_subscription,
    "df-answers": df_of_jade,
    "df-refusals": df_of_jade_refuses,
    "df-notices": df_of_jade_notifies,
    "ams-answers": ams_of_jade,
    "ams-failure": failure_of_the_ams,
    "http-ok": lambda world: [world.post(world.ann.aid, "inform")],
    "http-not-acceptable": lambda world: [
        wire.Client(world.jade.address).post(b"GET /acc HTTP/1.1\r\nHost: localhost\r\n\r\n")],
}

# What differs from run to run.
VARIABLE = (rb'boundary="[0-9a-f]{31}"', rb"--[0-9a-f]{31}", rb"127\.0\.0\.1:\d+",
            rb"\d{8}[TZ]\d{9}Z?", rb"\d{13,}(?:[-_]\d+)?", rb"Content-Length: \d+",
            rb"<payload-length>\d+")


def constant(raw):
    return re.sub(b"|".join(VARIABLE), b"*", raw)


def is_same(file, raw):
    recorded = constant(file.read_bytes()) if file.exists() else b""
    now = constant(raw)
    if recorded == now:
        return True
    same = len(os.path.commonprefix([recorded, now]))
    print(f"{file.name}: JADE sends now\n  ...{now[same - 40:same + 200]!r}...\nand sent before\n"
          f"  ...{recorded[same - 40:same + 200]!r}...")
    return False


def main():
    world = World(sys.argv[1])
    wrong = 0
    for name, record in RECORDS.items():
        raws = record(world)
        for number, raw in enumerate(raws, 1):
            file = FOLDER / (f"{name}.bin" if len(raws) == 1 else f"{name}-{number}.bin")
            if "--write" in sys.argv:
                file.write_bytes(raw)
            elif not is_same(file, raw):
                wrong += 1
    world.client.close()
    world.server.close()
    world.jade.quit()
    print(f"{len(RECORDS)} kinds of messages, {wrong} differ from recorded/")
    return wrong != 0


sys.exit(main())
