"""Scenes of interaction protocols: the initiator is on a, the participants are on b."""
from harness.players import message
from scenes.support import deadline, expect, kinds, require

LONG = 60  # seconds; no scene waits so long


def request(agent, *receivers, protocol="fipa-request", **fields):
    fields = {"content": "do it", "reply_by": deadline(LONG), **fields}
    return agent.request(message=message("request", *receivers, protocol=protocol,
                                         **fields))["replies"]


def call(agent, *bidders, reply_by=None, accepts=True):
    return agent.call_for_proposals(accepts=accepts, message=message(
        "cfp", *bidders, protocol="fipa-contract-net", content="dig a hole",
        reply_by=reply_by or deadline(LONG)))["replies"]


def a_request_is_agreed_to_and_done(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", agrees=True, result="inform",
                                       content="done")
    replies = request(ann, bob, language="fipa-sl", ontology="work")
    expect(bob.receive(), performative="request", content="do it")
    require(kinds(replies) == ["agree", "inform"], f"the replies are {kinds(replies)}")
    expect(replies[1], content="done", sender=bob.aid["name"], protocol="fipa-request",
           language="fipa-sl", ontology="work")


def a_request_may_be_done_without_an_agree(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", result="inform", content="done")
    replies = request(ann, bob)
    require(kinds(replies) == ["inform"], f"the replies are {kinds(replies)}")


def a_request_may_be_refused(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", result="refuse", content="(busy)")
    replies = request(ann, bob)
    require(kinds(replies) == ["refuse"], f"the replies are {kinds(replies)}")
    expect(replies[0], content="(busy)")


def a_request_may_not_be_understood(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", result="not-understood",
                                       content="(eh)")
    require(kinds(request(ann, bob)) == ["not-understood"], "it was understood")


def a_request_may_fail(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", agrees=True, result="failure",
                                       content="(broken)")
    replies = request(ann, bob)
    require(kinds(replies) == ["agree", "failure"], f"the replies are {kinds(replies)}")
    expect(replies[1], content="(broken)")


def a_request_goes_to_several(a, b):
    ann = a.agent("ann")
    workers = b.make(["bea", "bob", "bud"], plays="responder", agrees=True, result="inform",
                     content="done")
    replies = request(ann, *workers)
    done = sorted(each["sender"]["name"] for each in replies if each["performative"] == "inform")
    require(done == [each.aid["name"] for each in workers], f"done by {done}")


def a_query_is_answered(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="responder", protocol="fipa-query",
                                       result="inform", content="((= x 42))")
    replies = ann.request(message=message("query-ref", bob, protocol="fipa-query",
                                          content="((all ?x (p ?x)))"))["replies"]
    require(kinds(replies) == ["inform"], f"the replies are {kinds(replies)}")
    expect(replies[0], content="((= x 42))")


def the_lowest_bid_is_accepted(a, b):
    ann = a.agent("ann")
    cheap = b.agent("cheap", plays="bidder", price="20", content="dug")
    dear = b.agent("dear", plays="bidder", price="30", content="dug")
    idle = b.agent("idle", plays="bidder")
    replies = call(ann, dear, cheap, idle)
    require(sorted(kinds(replies[:3])) == ["propose", "propose", "refuse"] and
            kinds(replies[3:]) == ["inform"], f"the replies are {kinds(replies)}")
    expect(replies[3], content="dug", sender=cheap.aid["name"], protocol="fipa-contract-net")
    expect(cheap.receive(), performative="accept-proposal")
    expect(dear.receive(), performative="reject-proposal")


def bidders_of_both_platforms_compete(a, b):
    ann = a.agent("ann")
    near = a.agent("near", plays="bidder", price="5", content="near")
    far = b.agent("far", plays="bidder", price="4", content="far")
    expect(call(ann, near, far)[-1], performative="inform", content="far", sender=far.aid["name"])
    expect(near.receive(), performative="reject-proposal")


def all_bids_may_be_rejected(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="bidder", price="20")
    require(kinds(call(ann, bob, accepts=False)) == ["propose"], "there is more than a proposal")
    expect(bob.receive(), performative="reject-proposal")


def an_accepted_bidder_may_fail(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="bidder", price="20", result="failure",
                                       content="(rock)")
    replies = call(ann, bob)
    require(kinds(replies) == ["propose", "failure"], f"the replies are {kinds(replies)}")
    expect(replies[1], content="(rock)")


def a_silent_bidder_is_not_waited_for(a, b):
    ann, mute = a.agent("ann"), b.agent("mute", plays="bidder", silent=True)
    bob = b.agent("bob", plays="bidder", price="20", content="dug")
    replies = call(ann, mute, bob, reply_by=deadline(2))
    require(kinds(replies) == ["propose", "inform"], f"the replies are {kinds(replies)}")
    expect(mute.receive(), performative="cfp")


def an_absent_bidder_counts_as_failed(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="bidder", price="20", content="dug")
    nobody = {"name": f"nobody@{b.name}", "addresses": [b.address]}
    replies = call(ann, nobody, bob)
    require(sorted(kinds(replies[:2])) == ["failure", "propose"] and
            kinds(replies[2:]) == ["inform"], f"the replies are {kinds(replies)}")


def a_subscriber_gets_all_notices_until_it_cancels(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="publisher")
    id = ann.subscribe(message=message("subscribe", bob, protocol="fipa-subscribe",
                                       content="weather"))["conversation-id"]
    expect(bob.receive(), performative="subscribe", content="weather")
    expect(ann.receive(), performative="agree", conversation_id=id)
    for each in ("sun", "rain", "snow"):
        require(bob.publish(content=each) == {"subscribers": 1}, "there is not one subscriber")
    for each in ("sun", "rain", "snow"):
        expect(ann.receive(), performative="inform", content=each, conversation_id=id,
               protocol="fipa-subscribe", sender=bob.aid["name"])
    ann.cancel(conversation_id=id, publisher=bob.aid)
    expect(bob.receive(), performative="cancel", conversation_id=id)
    require(bob.publish(content="hail") == {"subscribers": 0}, "there is still a subscriber")


def several_subscribers_get_the_same_notice(a, b):
    bob = b.agent("bob", plays="publisher")
    subscribers = a.make(["ann", "amy", "abe"])
    for each in subscribers:
        each.subscribe(message=message("subscribe", bob, protocol="fipa-subscribe"))
        expect(each.receive(), performative="agree")
    require(bob.publish(content="sun") == {"subscribers": 3}, "there are not three subscribers")
    for each in subscribers:
        expect(each.receive(), performative="inform", content="sun")


def a_subscription_may_be_refused(a, b):
    ann, bob = a.agent("ann"), b.agent("bob", plays="publisher", refusal="(full)")
    ann.subscribe(message=message("subscribe", bob, protocol="fipa-subscribe"))
    expect(ann.receive(), performative="refuse", content="(full)")
    require(bob.publish(content="sun") == {"subscribers": 0}, "there is a subscriber")


ALL = (a_request_is_agreed_to_and_done, a_request_may_be_done_without_an_agree,
       a_request_may_be_refused, a_request_may_not_be_understood, a_request_may_fail,
       a_request_goes_to_several, a_query_is_answered, the_lowest_bid_is_accepted,
       bidders_of_both_platforms_compete, all_bids_may_be_rejected, an_accepted_bidder_may_fail,
       a_silent_bidder_is_not_waited_for, an_absent_bidder_counts_as_failed,
       a_subscriber_gets_all_notices_until_it_cancels, several_subscribers_get_the_same_notice,
       a_subscription_may_be_refused)
