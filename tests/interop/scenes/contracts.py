"""Scenes of contracts of caf with agents of FIPA: the clients and bidders of caf are on a, which
offers "contracts"; the participants and initiators of FIPA are on b."""
from scenes.protocols import call
from scenes.support import expect, kinds, require


def names_of(*agents):
    return [each.aid for each in agents]


def a_client_gives_its_contract_to_the_best_foreign_participant(a, b):
    cheap = b.agent("cheap", plays="bidder", price="20", content="dug")
    dear = b.agent("dear", plays="bidder", price="30", content="dug")
    idle = b.agent("idle", plays="bidder")
    boss = a.agent("boss", plays="client", participants=names_of(dear, cheap, idle))
    done = boss.contract(subject="dig a hole")
    require(done == {"ended": "fulfilled", "bidder": cheap.aid["name"], "price": 20,
                     "result": "dug"}, f"the contract is {done}")
    expect(cheap.receive(), performative="accept-proposal")
    expect(dear.receive(), performative="reject-proposal")
    require(cheap.has_nothing("message"), "it was accepted twice")


def a_client_may_contract_again_with_the_same_participants(a, b):
    bob = b.agent("bob", plays="bidder", price="20", content="dug")
    boss = a.agent("boss", plays="client", participants=names_of(bob))
    for _ in range(3):
        require(boss.contract(subject="dig a hole")["ended"] == "fulfilled", "it was not done")
        expect(bob.receive(), performative="accept-proposal")


def a_client_does_not_wait_for_a_silent_participant(a, b):
    mute = b.agent("mute", plays="bidder", silent=True)
    bob = b.agent("bob", plays="bidder", price="20", content="dug")
    boss = a.agent("boss", plays="client", participants=names_of(mute, bob))
    done = boss.contract(subject="dig a hole", seconds=4)
    require(done.get("bidder") == bob.aid["name"], f"the contract is {done}")
    late = mute.receive()
    expect(late, performative="cfp", content="dig a hole")
    answer = {"protocol": "fipa-contract-net", "conversation_id": late["conversation-id"],
              "in_reply_to": late["reply-with"], "reply_with": "late-1"}
    mute.tell("propose", late["sender"], content="1", **answer)
    expect(mute.receive(), performative="reject-proposal", in_reply_to="late-1")


def a_client_has_no_bid_of_an_absent_participant(a, b):
    nobody = {"name": f"nobody@{b.name}", "addresses": [b.address]}
    boss = a.agent("boss", plays="client", participants=[nobody])
    require(boss.contract(subject="dig a hole") == {"ended": "no bids"}, "there is a bid")


def a_foreign_participant_may_fail(a, b):
    bob = b.agent("bob", plays="bidder", price="20", result="failure", content="(rock)")
    boss = a.agent("boss", plays="client", participants=names_of(bob))
    require(boss.contract(subject="dig a hole") == {"ended": "failed"}, "it is done")


def bidders_work_for_a_foreign_initiator(a, b):
    team = a.agent("team", plays="contractor", prices=[9, 5, 7], content="dug")
    rival = a.agent("rival", plays="contractor", prices=[6], content="not so well")
    ann = b.agent("ann")
    replies = call(ann, team, rival)
    require(kinds(replies) == ["propose", "propose", "inform"], f"the replies are {replies}")
    prices = {each["sender"]["name"]: each["content"] for each in replies[:2]}
    require(prices == {team.aid["name"]: "5", rival.aid["name"]: "6"}, f"the prices are {prices}")
    expect(replies[2], content="dug", sender=team.aid["name"], protocol="fipa-contract-net")


def a_foreign_initiator_may_reject_all_bids(a, b):
    team = a.agent("team", plays="contractor", prices=[9, 5])
    require(kinds(call(b.agent("ann"), team, accepts=False)) == ["propose"], "there is more")


def a_bidder_may_fail_for_a_foreign_initiator(a, b):
    team = a.agent("team", plays="contractor", prices=[5], result="failure", content="(rock)")
    replies = call(b.agent("ann"), team)
    require(kinds(replies) == ["propose", "failure"], f"the replies are {kinds(replies)}")
    expect(replies[1], content="(rock)")


def without_bids_a_foreign_initiator_is_refused(a, b):
    replies = call(b.agent("ann"), a.agent("team", plays="contractor"))
    require(kinds(replies) == ["refuse"], f"the replies are {kinds(replies)}")


ALL = (a_client_gives_its_contract_to_the_best_foreign_participant,
       a_client_may_contract_again_with_the_same_participants,
       a_client_does_not_wait_for_a_silent_participant,
       a_client_has_no_bid_of_an_absent_participant, a_foreign_participant_may_fail,
       bidders_work_for_a_foreign_initiator, a_foreign_initiator_may_reject_all_bids,
       a_bidder_may_fail_for_a_foreign_initiator, without_bids_a_foreign_initiator_is_refused)
for each in ALL:
    each.needs = {"contracts"}
