"""Scenes in which a platform is not there, or ends in the middle."""
import socket

from harness.players import LIMIT, message
from scenes.support import deadline, expect, kinds, require


def ping(ann, bob, text):
    ann.tell("request", bob, content=text, reply_with=text, conversation_id=text)


def reply_to(ann, text):
    """The reply to this message. A platform that is killed may have answered a message, but not the
    request of HTTP in which it came; then a failure follows the reply, and is passed over here."""
    while True:
        seen = ann.receive()
        if seen.get("in-reply-to") == text:
            return seen


def must_fail(a, ann, text):
    seen = expect(reply_to(ann, text), performative="failure", sender=a.ams["name"],
                  conversation_id=text)
    require("MTS-error" in seen["content"], f"the content is {seen['content']}")


def a_message_without_an_address_comes_back(a, b):
    ann = a.agent("ann")
    ping(ann, {"name": "bob@nowhere"}, "lost")
    must_fail(a, ann, "lost")


def a_message_to_a_closed_port_comes_back(a, b):
    ann = a.agent("ann")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    ping(ann, {"name": "bob@nowhere", "addresses": [f"http://127.0.0.1:{port}/acc"]}, "lost")
    must_fail(a, ann, "lost")


def the_second_address_is_tried(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    ping(ann, {"name": bob.aid["name"],
               "addresses": [f"http://127.0.0.1:{port}/acc", b.address]}, "hi")
    expect(ann.receive(), performative="inform", content="hi")


def a_platform_that_comes_back_is_reached_again(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="echo")
    ping(ann, bob, "before")
    expect(ann.receive(), performative="inform", content="before")
    b.kill()
    ping(ann, bob, "between")
    must_fail(a, ann, "between")
    b.restart()
    bob = b.agent("bob", plays="echo")
    ping(ann, bob, "after")
    expect(reply_to(ann, "after"), performative="inform", content="after")


def a_contract_net_survives_the_end_of_a_platform(a, b):
    ann, near = a.agent("ann"), a.agent("near", plays="bidder", price="9", content="near")
    mute = b.agent("mute", plays="bidder", silent=True)
    call = ann.begin_call_for_proposals(message=message(
        "cfp", mute, near, protocol="fipa-contract-net", reply_by=deadline(4)))
    expect(mute.receive(), performative="cfp")
    # When a later message arrives, the platform has told the other one that it has the call.
    ann.tell("inform", mute, content="later")
    expect(mute.receive(), content="later")
    b.kill()
    replies = kinds(call.result(LIMIT)["replies"])
    if "failure" in replies:  # as above
        replies.remove("failure")
    require(replies == ["propose", "inform"], f"the replies are {replies}")
    b.restart()


ALL = (a_message_without_an_address_comes_back, a_message_to_a_closed_port_comes_back,
       the_second_address_is_tried, a_platform_that_comes_back_is_reached_again,
       a_contract_net_survives_the_end_of_a_platform)
