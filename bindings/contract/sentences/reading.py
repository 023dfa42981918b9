"""Promise 5: an agent chooses what it reads."""
from sentences.support import (counts, fails_later, MILLISECONDS, nothing, reads, same, SECONDS,
                               sentence, upto)


@sentence
def receive_takes_the_oldest_message(society):
    ann, bob, cid = society.agent("ann"), society.agent("bob"), society.agent("cid")
    for agent in ann, bob, ann:
        agent.send(to="cid", text=agent.name)
    reads(cid, "ann", "bob", "ann")


@sentence
def a_deadline_that_passes_is_nothing_rather_than_an_error(society):
    ann = society.agent("ann")
    same(ann.receive(longest=2 * MILLISECONDS).fields, {"number": "0"}, "what came")


@sentence
def a_message_that_comes_in_time_ends_the_wait(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    waits = bob.begin_receive(longest=50 * SECONDS)
    ann.send(to="bob", text="x")
    same(waits.wait().text, "x", "what bob reads")


@sentence
def a_conversation_and_a_type_can_be_asked_for(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.send(to="bob", text=1, conversation=7)
    ann.send(to="bob", text=2, type="plan/v1")
    ann.send(to="bob", text=3)
    reads(bob, "2", type="plan/v1")
    reads(bob, "1", conversation=7)
    reads(bob, "3")


@sentence
def conditions_of_a_match_all_hold(society):
    ann, bob, cid = society.agent("ann"), society.agent("bob"), society.agent("cid", far=True)
    ann.send(to="cid", text=1, conversation=7)
    bob.send(to="cid", text=2, conversation=8)
    bob.send(to="cid", text=3, conversation=7)
    reads(cid, "3", conversation=7, **{"from": "bob"})
    nothing(cid, conversation=8, **{"from": "ann"})


@sentence
def a_message_goes_to_the_longest_waiting_receive_that_fits(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    first, second = bob.begin_receive(conversation=1), bob.begin_receive()
    third = bob.begin_receive(conversation=2)
    same(bob.try_receive().text, None, "what is there")  # so the three have begun
    ann.send(to="bob", text="b", conversation=2)
    ann.send(to="bob", text="c", conversation=2)
    ann.send(to="bob", text="a", conversation=1)
    same([each.wait().text for each in (first, second, third)], ["a", "b", "c"], "what they got")


@sentence
def try_receive_never_waits(society):
    ann = society.agent("ann")
    same(ann.try_receive().text, None, "what is there")
    ann.send(to="ann", text="x")
    same(ann.try_receive().text, "x", "what is there")


@sentence
def a_message_tells_who_sent_it_and_everything_said_about_it(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.send(to="bob", text="x y", type="t/1", conversation=9, reply_to="cid", header__colour="red",
             header__size="large one")
    message = bob.receive()
    found = [message.fields.get(key) for key in ("source", "target", "type", "text", "conversation",
                                                  "reply_to", "header.colour", "header.size")]
    same(found, ["ann", "bob", "t/1", "x y", "9", "cid", "red", "large one"], "what it says")


@sentence
def many_waiting_messages_do_not_hide_one_that_is_asked_for(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    counts(ann, "bob", 300)
    ann.send(to="bob", text="x", conversation=5)
    reads(bob, "x", conversation=5)
    reads(bob, *upto(300))


@sentence
def many_are_read_at_once_in_order(society):
    ann, bob = society.agent("ann"), society.agent("bob")
    counts(ann, "bob", 10)
    same(bob.receive_many(most=6).texts, " ".join(upto(6)), "the first six")
    same(bob.receive_many(most=100).texts, "7 8 9 10", "the rest")


@sentence
def a_receive_that_was_called_off_takes_nothing(society):
    ann, bob = society.agent("ann"), society.agent("bob")
    waits = bob.begin_receive()
    same(bob.try_receive(conversation=1).text, None, "what is there")  # so the receive has begun
    bob.cancel(what=waits.id)
    fails_later("cancelled", waits)
    ann.send(to="bob", text="x")
    reads(bob, "x")
