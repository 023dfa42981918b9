"""A scripted society: the frames that the server of the live view would send, made from numbers
instead of agents. Nothing here asks for the time or for randomness, so that pictures repeat."""

EPOCH_MS = 1780000000000
YES = {"overhear": True, "inspect": True, "send": True, "operate": True}
NO = {"overhear": "the policy of this society lets ‘view’ overhear nobody",
      "inspect": "the policy gives ‘view’ no right to inspect",
      "send": "the policy gives ‘view’ no right to send",
      "operate": "no policy allows acts; start the society with one that does"}

INJECTIONS = [
    "<img src=x onerror=\"window.hacked=1\">",
    "<script>window.hacked=1</script>",
    "\"><svg/onload=window.hacked=1>",
    "'-window.hacked=1-'",
    "javascript:window.hacked=1",
    "${window.hacked=1}",
    "{{constructor.constructor('window.hacked=1')()}}",
    "</title><script>window.hacked=1</script>",
    "__proto__", "constructor", "toString", "%00%ff%c0", "../../../etc/passwd",
    "\u202egnp.exe\u202c and \u2066more\u2069", "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
    "zero\u200bwidth\u200dand\ufeffmarks", "a\u0000b", "line\nbreak\r\nand\ttab\u2028here",
    "&lt;b&gt;&#x3c;&amp;amp;", "x" * 5000, "/" * 300, "a/" * 300, "😀" * 300, "",
]

NAMES = ["shop/desk", "shop/orders", "shop/stock", "shop/prices", "plant/cutter", "plant/welder",
         "plant/painter", "monitor"]
ROLES = {"shop/desk": ["Client"], "shop/orders": ["Server", "Client"], "shop/stock": ["Server"],
         "plant/cutter": ["Bidder"], "plant/welder": ["Bidder"], "plant/painter": ["Bidder"]}
NODES = [
    {"lease": "11", "node": "front", "host": "alder", "age": 1.2, "names": 4},
    {"lease": "12", "node": "floor", "host": "birch", "age": 0.4, "names": 4, "certified": True}]


def hello(**change):
    frame = {"is": "hello", "version": 1, "source": "live", "society": "workshop",
             "realization": "distributed: 127.0.0.1", "me": "view", "epoch": EPOCH_MS, "now": 40.0,
             "rights": dict(YES), "held": 100000, "replay": True}
    frame.update(change)
    return frame


def society():
    agents = []
    for index, name in enumerate(NAMES):
        agent = {"name": name, "node": "11" if index < 4 else "12", "roles": ROLES.get(name, []),
                 "queue": [0, 3, 0, 41, 2, 0, 1, 0][index],
                 "room": [1024, 1024, 64, 44, 1024, 1024, 64, 0][index], "sent": 120 + 37 * index,
                 "cpu": [0.004, 0.312, 0.02, 0.75, 0, 0.051, 0.008, 0][index],
                 "received": 90 + 31 * index, "since": 0.5}
        agents.append(agent)
    agents[1]["waits"] = {"for": ["shop/stock"], "since": 22.5, "what": "the reply to reserve"}
    agents[2]["waits"] = {"for": ["shop/prices"], "since": 22.7, "what": "the reply to price"}
    agents[3]["waits"] = {"for": ["shop/orders"], "since": 23.0, "what": "the reply to open"}
    agents[0]["waits"] = {"for": ["shop/orders"], "since": 24.0, "what": "the reply to order"}
    agents[5]["errors"] = 2
    return {"is": "society", "all": True, "agents": agents, "nodes": NODES,
            "groups": [["plant", NAMES[4:7]], ["shop", NAMES[:4]]]}


STEPS = [
    ("shop/desk", "shop/orders", "request", "shop/order/v1", "order 3 chairs, oak"),
    ("shop/orders", "shop/stock", "request", "shop/reserve/v1", "reserve 12 m oak"),
    ("shop/stock", "shop/orders", "reply", "shop/reserved/v1", "reserved until 14:00"),
    ("shop/orders", "plant/cutter", "request", "coracle/caf/call/v1", "who cuts 12 pieces?"),
    ("shop/orders", "plant/welder", "request", "coracle/caf/call/v1", "who cuts 12 pieces?"),
    ("plant/cutter", "shop/orders", "reply", "coracle/caf/bid/v1", "for 14 crowns"),
    ("plant/welder", "shop/orders", "failure", "coracle/caf/refuse/v1", "I do not cut"),
    ("shop/orders", "plant/cutter", None, "coracle/caf/award/v1", "it is yours"),
    ("shop/prices", "monitor", None, "", "oak rises to 8.40"),
    ("shop/orders", "shop/desk", "reply", "shop/accepted/v1", "ready on Thursday"),
]
OUTCOMES = [None, "expired", "refused", "dropped", "undeliverable", "custodian_lost"]


def message(n, at=None, held_text=None):
    """Message `n` of the endless script."""
    step = (n - 1) % len(STEPS)
    base = n - step
    sender, target, kind, kind_of_content, text = STEPS[step]
    made = {"n": n, "at": n * 0.13 if at is None else at, "from": sender, "life": 1, "to": target,
            "conv": f"c{base}", "type": kind_of_content, "size": 40 + len(text),
            "text": held_text or text, "node": "11" if sender in NAMES[:4] else "12",
            "outcome": "consumed"}
    if kind:
        made["kind"] = kind
    answers = {2: 1, 5: 3, 6: 4, 9: 0}.get(step)
    if answers is not None:
        made["answers"] = base + answers
    if n % 23 == 0:
        outcome = OUTCOMES[n // 23 % len(OUTCOMES)]
        made.pop("outcome")
        if outcome:
            made["outcome"] = outcome
    elif n % 17 == 0:
        made["again"] = True
    return made


METRICS = [
    {"name": "messages per second", "unit": "1/s", "help": "messages accepted",
     "of": "node"},
    {"name": "queue", "unit": "messages", "help": "messages in an agent's mailbox", "of": "agent"},
    {"name": "memory", "unit": "MiB", "help": "memory of a node's messages", "of": "node"},
    {"name": "round trip", "unit": "µs", "help": "time that a link needs", "of": "link"},
    {"name": "compression", "unit": "ratio", "help": "bytes sent for each byte",
     "of": "link"}]


def series(at):
    wave = (at * 7) % 13 / 13
    values = [["messages per second", "front", 800 + 300 * wave],
              ["messages per second", "floor", 420 - 100 * wave],
              ["memory", "front", 18 + at / 10], ["memory", "floor", 12 + at / 30],
              ["round trip", "front – floor", 61 + 8 * wave],
              ["compression", "front – floor", 0.4]]
    values += [["queue", name, (index * 5 + at) % 40] for index, name in enumerate(NAMES)]
    return {"is": "series", "at": at, "values": values}


def steps(kind, key, start, *what):
    """Steps of one decision, a tenth of a second apart; each is (what, members)."""
    return [{"is": "decision", "kind": kind, "id": key, "at": start + number / 10,
             "n": 1000 + number, "what": word, **members}
            for number, (word, members) in enumerate(what)]


def decisions():
    pipes = [(pair, batch) for batch in range(1, 6)
             for pair in (("sand", "prime"), ("prime", "paint"))]
    made = steps("pipeline", "sand > prime", 30, *(
        ("batch", {"from": "sand", "to": "prime", "sent": 64 * batch, "fill": 12 * batch})
        for pair, batch in pipes if pair[0] == "sand"))
    made += steps("pipeline", "prime > paint", 30, *(
        ("acknowledged", {"from": "prime", "to": "paint", "sent": 60 * batch, "fill": 3})
        for pair, batch in pipes if pair[0] == "prime"))
    made += steps("layers", "layers", 37, *(
        (["signals", "suppresses", "signals", "inhibits"][step % 4],
         {"from": ["wander", "avoid", "sonar"][step % 3], "to": ["wheels", "wander"][step % 2]})
        for step in range(30)))
    nodes = [{"node": 1, "parent": 0, "move": "start", "cost": 0}]
    nodes += [{"node": index + 1, "parent": (index - 1) // 3 + 1, "move": f"move {index}",
               "cost": index * 7 % 11} for index in range(1, 13)]
    made += steps("game", "arbiter#4", 32,
                  ("draft", {"arbiter": "plant/arbiter", "round": 1, "nodes": nodes}),
                  ("critique", {"client": "plant/cutter", "judgements": [
                      {"node": 10, "score": 2, "feasible": False},
                      {"node": 9, "score": 8, "feasible": True}]}),
                  ("offer", {"moves": ["move 2", "move 8"], "cost": 8}),
                  ("outcome", {"agreed": True, "moves": ["move 2", "move 8"]}))
    clearings = [("clearing", {"good": good, "price": low + (high - low) * 0.82 ** step,
                               "excess": 3 * 0.7 ** step, "round": step})
                 for step in range(30) for good, high, low in (("oak", 14, 8.4), ("steel", 3, 5.2))]
    made += steps("market", "trade#1", 28,
                  ("call", {"market": "timber", "traders": ["shop/stock", "plant/cutter"],
                            "prices": [["oak", 15], ["steel", 2.5]]}), *clearings)
    council = {"council": "council", "subject": "Which wood do we buy?"}
    made += steps("council", "council#7", 35,
                  *(("agenda", {**council, "to": name, "round": 1, "alternatives": ["oak", "ash"]})
                    for name in NAMES[:6]),
                  *(("vote", {"council": "council", "from": name, "ballot": [wood],
                              "tally": [["oak", 2], ["ash", 2]]})
                    for name, wood in zip(NAMES[:4], ["oak", "ash", "oak", "ash"])),
                  ("decision", {**council, "decided": False, "tied": ["oak", "ash"]}))
    client = {"client": "shop/orders"}
    made += steps("contract", "shop/orders#12", 36,
                  *(("announced", {**client, "bidder": name, "task": "cut", "subject": "12 pieces"})
                    for name in NAMES[4:7]),
                  ("bid", {**client, "bidder": "plant/cutter", "amount": 14}),
                  ("decline", {**client, "bidder": "plant/welder", "why": "I do not cut"}),
                  ("bid", {**client, "bidder": "plant/painter", "amount": 31}),
                  ("award", {**client, "bidder": "plant/cutter"}),
                  ("rejection", {**client, "bidder": "plant/painter", "why": "too dear"}),
                  ("acceptance", {**client, "bidder": "plant/cutter"}))
    return made


PANELS = [{"id": "wood", "name": "Wood in stock", "view": "table"},
          {"id": "kiln", "name": "Heat of the kiln", "view": "series"},
          {"id": "who", "name": "Neighbours", "view": "graph"},
          {"id": "note", "name": "Note", "view": "text"},
          {"id": "own", "name": "Own drawing", "view": "script"}]
PANEL_DATA = {
    "wood": {"columns": ["wood", "metres"], "rows": [["oak", 12], ["ash", 31.5]]},
    "kiln": {"at": [30, 31, 32, 33], "lines": [["kiln", [400, 420, 431, 436]]]},
    "who": {"links": [["cutter", "welder", 3], ["welder", "painter", 1]]},
    "note": "The kiln is checked at noon.", "own": {"value": 42}}

INSPECTION = {
    "name": "shop/orders", "node": "front", "life": 1, "state": "waits for a reply",
    "mailbox": {"count": 3, "bytes": 410, "limit": 1000, "first": [
        {"from": "shop/desk", "type": "shop/order/v1", "text": "order 1 table", "size": 60,
         "at": 39}]},
    "requests": [{"to": "shop/stock", "since": 22.5, "what": "reserve"}],
    "supervisor": {"name": "shop/keeper", "restarts": 1, "limit": 5},
    "errors": [{"at": 12.5, "text": "the price list has no ash"}],
    "shown": {"open orders": 4, "last": {"wood": "oak", "pieces": [3, 4, 5]}}}
CHAIN = {"circle": True, "chain": [
    {"name": "shop/orders", "node": "front", "what": "the reply to reserve",
     "for": ["shop/stock"], "since": 22.5},
    {"name": "shop/stock", "node": "front", "what": "the reply to price",
     "for": ["shop/prices"], "since": 22.7},
    {"name": "shop/prices", "node": "front", "what": "the reply to open",
     "for": ["shop/orders"], "since": 23.0}]}


def whole(found):
    return {"message": found, "headers": {"priority": "high"}, "trace": "4bf92f3577b34da6",
            "custody": "kept by front until it was consumed",
            "stages": [{"at": found["at"], "what": "accepted"},
                       {"at": found["at"] + 0.0004, "what": "kept in the mailbox"},
                       {"at": found["at"] + 0.0021, "what": "handed out"},
                       {"at": found["at"] + 0.0023, "what": found.get("outcome", "under way")}],
            "tree": {"kind": "cbor", "text": found["text"], "value": {
                "wood": "oak", "pieces": 12, "urgent": False, "sizes": [40, 40, 55.5],
                "note": None}}}
