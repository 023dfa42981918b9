"""Promises 1 to 4: names, order, outcomes, and messages to absent agents."""
from players import Refused
from sentences.support import (CONSUMED, counts, DELIVERED, fails, MILLISECONDS, nothing, reads,
                               same, sentence, upto)


# --- 1: names ---

@sentence
def claiming_a_held_name_fails_with_name_taken(society):
    society.agent("ann")
    fails("name_taken", society.agent, name="ann", far=True)


@sentence
def a_name_is_free_again_when_its_agent_has_ended(society):
    society.agent("ann").close()
    bob = society.agent("bob")
    ann = None
    while ann is None:  # an agent leaves without waiting
        try:
            ann = society.agent("ann", far=True)
        except Refused as refused:
            same(refused.code, "name_taken", "the error")
    bob.send(to="ann", text="x")
    reads(ann, "x")


@sentence
def messages_reach_the_holder_that_took_over(society):
    society.agent("ann")
    bob = society.agent("bob", far=True)
    second = society.agent("ann", take_over=1)
    bob.send(to="ann", text="x")
    reads(second, "x")


@sentence
def an_invalid_name_is_refused_with_bad_name(society):
    fails("bad_name", society.agent, name="a//b")
    ann = society.agent("ann")
    fails("bad_name", ann.send, to="a//b", text="x")


# --- 2: order ---

@sentence
def messages_of_one_pair_are_read_in_the_order_of_their_sending(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    counts(ann, "bob", 50)
    reads(bob, *upto(50))


@sentence
def a_directed_read_takes_the_oldest_of_its_pair(society):
    ann, bob, cid = society.agent("ann"), society.agent("bob"), society.agent("cid", far=True)
    counts(ann, "cid", 3)
    bob.send(to="cid", text="x")
    reads(cid, "x", **{"from": "bob"})
    reads(cid, "1", "2", **{"from": "ann"})
    reads(cid, "3")


@sentence
def a_multicast_keeps_its_place_among_the_messages_of_its_sender(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    society.agent("cid")
    ann.send(to="bob", text=1)
    ann.send(many="cid bob", text=2)
    ann.send(to="bob", text=3)
    reads(bob, "1", "2", "3")


@sentence
def after_a_takeover_what_was_in_hand_comes_first_marked(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    counts(bob, "ann", 3)
    for text in "1", "2":
        same(ann.receive(keep=1).text, text, "what ann holds")
    again = society.agent("ann", take_over=1)
    for text, marked in ("1", "1"), ("2", "1"), ("3", "0"):
        message = again.receive()
        same((message.text, message.redelivered), (text, marked), "what the next holder reads")


# --- 3: outcomes ---

@sentence
def a_tracked_message_is_accepted_then_delivered_then_consumed(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    receipt = ann.track(to="bob", text="x").id
    same(ann.reached(receipt=receipt, stage=DELIVERED).number, "1", "delivered")
    early = ann.reached(receipt=receipt, stage=CONSUMED, longest=MILLISECONDS)
    same(early.number, "0", "consumed before it was read")
    reads(bob, "x")
    same(ann.reached(receipt=receipt, stage=CONSUMED).number, "1", "consumed")


@sentence
def a_receipt_waits_no_longer_than_its_deadline(society):
    ann = society.agent("ann")
    receipt = ann.track(to="nobody", text="x").id
    late = ann.reached(receipt=receipt, stage=DELIVERED, longest=2 * MILLISECONDS)
    same(late.number, "0", "delivered")


@sentence
def a_receipt_of_what_will_not_come_that_far_says_so(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    receipt = ann.track(to="bob", text="x", expires=2 * MILLISECONDS).id
    same(ann.reached(receipt=receipt, stage=CONSUMED).number, "0", "consumed")
    nothing(bob)


@sentence
def a_message_that_is_not_read_in_time_expires(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.send(to="bob", text="old", expires=MILLISECONDS)
    nothing(bob, **{"from": "nobody"})
    ann.send(to="bob", text="new")
    reads(bob, "new")


@sentence
def what_is_given_back_comes_again_marked_at_its_old_place(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    counts(ann, "bob", 3)
    first = bob.receive(keep=1)
    bob.give_back(message=first.id)
    for text, marked in ("1", "1"), ("2", "0"), ("3", "0"):
        message = bob.receive()
        same((message.text, message.redelivered), (text, marked), "what bob reads")


@sentence
def what_was_acknowledged_is_not_given_again(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    counts(ann, "bob", 2)
    held = bob.receive(keep=1)
    bob.acknowledge(message=held.id)
    again = society.agent("bob", far=True, take_over=1)
    reads(again, "2")
    nothing(again)


@sentence
def a_message_given_too_often_is_not_given_again(society):
    ann = society.agent("ann")
    ann.send(to="ann", text="x")
    for _ in range(6):
        ann.give_back(message=ann.receive(keep=1).id)
    nothing(ann)


# --- 4: absent agents ---

@sentence
def messages_wait_for_an_agent_that_comes_later(society):
    ann = society.agent("ann")
    counts(ann, "bob", 3)
    reads(society.agent("bob", far=True), "1", "2", "3")


@sentence
def what_an_agent_left_unread_waits_for_the_next_holder(society):
    ann, bob = society.agent("ann"), society.agent("bob")
    counts(ann, "bob", 2)
    reads(bob, "1")
    bob.close()
    again = society.agent("bob", take_over=1)
    reads(again, "2")


@sentence
def too_many_messages_for_an_absent_agent_are_refused(society):
    ann = society.agent("ann")
    counts(ann, "nobody", 1024)
    fails("absent_full", ann.send, to="nobody", text="x", patience=2 * MILLISECONDS)
