"""Scenes of single messages, and of many."""
import base64

from scenes.support import expect, require

PERFORMATIVES = (
    "accept-proposal agree cancel cfp confirm disconfirm failure inform inform-if inform-ref "
    "not-understood propose query-if query-ref refuse reject-proposal request request-when "
    "request-whenever subscribe proxy propagate").split()
FAR_AWAY = "20991114T221320123Z"
UTF_8 = {"payload-encoding": "UTF-8"}


def a_request_is_answered_by_an_inform(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    ann.tell("request", bob, content="ping", conversation_id="c1", reply_with="r1",
             language="fipa-sl", ontology="games", protocol="ping-pong")
    expect(ann.receive(), performative="inform", content="ping", sender=bob.aid["name"],
           conversation_id="c1", in_reply_to="r1", language="fipa-sl", ontology="games",
           protocol="ping-pong")


def every_field_arrives(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    other = {"name": "carl@elsewhere", "addresses": ["http://127.0.0.1:1/acc"]}
    fields = dict(content="((action x (say \"hi\")))", reply_with="r1", in_reply_to="q1",
                  reply_by=FAR_AWAY, encoding="none", language="fipa-sl0", ontology="my onto",
                  protocol="fipa-request", conversation_id="c 1", user={"colour": "dark blue"})
    ann.tell("request", bob, reply_to=[ann.aid, other], **fields)
    seen = expect(bob.receive(), performative="request", sender=ann.aid["name"], **fields)
    require(seen["sender"]["addresses"] == ann.aid["addresses"], f"the sender is {seen['sender']}")
    require([each["name"] for each in seen["reply-to"]] == [ann.aid["name"], other["name"]]
            and seen["reply-to"][1]["addresses"] == other["addresses"],
            f"the reply goes to {seen['reply-to']}")


def every_performative_arrives(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    for each in PERFORMATIVES:
        ann.tell(each, bob, content=each)
        expect(bob.receive(), performative=each, content=each)


def quotes_and_backslashes_arrive(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    for each in ('"', 'say "hi"', 'a\\b', 'a\\\\b', '\\"', '(x "y" \\n)',
                 "two\nlines\r\nand a\ttab", '#3"abc', "a) :sender (b",
                 '<a href="x">&amp;</a>'):
        ann.tell("inform", bob, content=each)
        expect(bob.receive(), content=each)


def values_that_are_no_words_arrive(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    for each in ("with blanks", "12", "-1.5", "@x", "-x", "#x", "(x)", "a:b", 'a"b', "1abc"):
        ann.tell("inform", bob, conversation_id=each, reply_with=each, language=each,
                 ontology=each, user={"key": each})
        expect(bob.receive(), conversation_id=each, reply_with=each, language=each,
               ontology=each, user={"key": each})


def a_message_without_content_arrives(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    ann.tell("inform", bob)
    expect(bob.receive(), performative="inform", content=None, bytes=None, language=None,
           conversation_id=None)


def unicode_arrives_in_utf_8(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    text = "Grüße, ☃ 水 😀"
    ann.tell("request", bob, content=text, ontology="ontologie générale", envelope=UTF_8,
             user={"key": "été à Paris"})
    expect(ann.receive(), content=text, ontology="ontologie générale")


def a_name_with_unicode_is_found(a, b):
    ann, zoe = a.agent("anñ the first"), b.agent("zoë the second", plays="echo")
    ann.tell("request", zoe, content="hi", envelope=UTF_8)
    expect(ann.receive(), content="hi", sender=zoe.aid["name"])


def unicode_without_an_encoding_follows_the_platform(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    ann.tell("inform", bob, content="Grüße")
    expect(bob.receive(), content="Grüße" if a.charset == "UTF-8" else "Gr??e")


def bytes_arrive(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    for content in (bytes(range(256)), b"\0", b"\r\n--\r\n", b"x" * 1000):
        text = base64.b64encode(content).decode()
        ann.tell("request", bob, bytes=text)
        expect(ann.receive(), bytes=text, content=None)


def a_mebibyte_arrives(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    content = "0123456789abcde\n" * 65535 + "0123456789abcdef"
    ann.tell("request", bob, content=content)
    expect(ann.receive(), content=content)


def each_of_several_receivers_gets_it_once(a, b):
    ann, near = a.make(["ann", "near"])
    bea, bob = b.make(["bea", "bob"])
    ann.tell("inform", bea, near, bob, content="all")
    ann.tell("inform", bea, near, bob, content="end")
    for each in (bea, near, bob):
        expect(each.receive(), content="all", sender=ann.aid["name"])
        expect(each.receive(), content="end")
        require(each.has_nothing(), f"{each.name} got a message twice")


def a_reply_goes_to_the_agent_of_reply_to(a, b):
    ann, other = a.make(["ann", "other"])
    bob = b.agent("bob", plays="echo")
    ann.tell("request", bob, content="for other", reply_to=[other.aid])
    expect(other.receive(), performative="inform", content="for other")


def messages_keep_their_order(a, b):
    ann, bob = a.agent("ann"), b.agent("bob")
    for number in range(100):
        ann.begin_send(message={"performative": "inform", "receivers": [bob.aid],
                                "content": str(number)})
    for number in range(100):
        expect(bob.receive(), content=str(number))


def two_hundred_agents_play_ping_pong(a, b):
    echoes = b.make([f"echo{number}" for number in range(200)], plays="echo")
    result = a.do("crowd", name="pinger", count=200, rounds=3,
                  targets=[each.aid for each in echoes])
    require(result == {"right": 600, "wrong": 0}, f"the replies are {result}")


def both_sides_play_ping_pong_at_once(a, b):
    sides = []
    for here, there in ((a, b), (b, a)):
        echoes = there.make([f"echo{number}" for number in range(20)], plays="echo")
        sides.append(here.begin("crowd", name="pinger", count=20, rounds=10,
                                targets=[each.aid for each in echoes]))
    for each in sides:
        result = each.result(60)
        require(result == {"right": 200, "wrong": 0}, f"the replies are {result}")


ALL = (a_request_is_answered_by_an_inform, every_field_arrives, every_performative_arrives,
       quotes_and_backslashes_arrive, values_that_are_no_words_arrive,
       a_message_without_content_arrives, unicode_arrives_in_utf_8, a_name_with_unicode_is_found,
       unicode_without_an_encoding_follows_the_platform, bytes_arrive, a_mebibyte_arrives,
       each_of_several_receivers_gets_it_once, a_reply_goes_to_the_agent_of_reply_to,
       messages_keep_their_order, two_hundred_agents_play_ping_pong,
       both_sides_play_ping_pong_at_once)
