"""Promise 8: everything has a limit."""
from sentences.support import (counts, DROP_NEWEST, DROP_OLDEST, FAIL, fails, KEEP_LATEST,
                               MILLISECONDS, nothing, reads, REDIRECT, same, sentence)


@sentence
def a_send_to_a_full_mailbox_waits_until_there_is_room(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True, messages=1)
    ann.send(to="bob", text=1)
    second = ann.begin_send(to="bob", text=2)
    third = ann.begin_send(to="bob", text=3)
    reads(bob, "1", "2", "3")
    second.wait()
    third.wait()


@sentence
def patience_ends_with_mailbox_full(society):
    ann = society.agent("ann")
    society.agent("bob", messages=1)
    ann.send(to="bob", text=1)
    fails("mailbox_full", ann.send, to="bob", text=2, patience=2 * MILLISECONDS)


@sentence
def a_send_to_ones_own_full_mailbox_fails(society):
    ann = society.agent("ann", messages=1)
    ann.send(to="ann", text=1)
    fails("mailbox_full", ann.send, to="ann", text=2)


@sentence
def fail_tells_the_sender_at_once(society):
    ann = society.agent("ann")
    society.agent("bob", messages=1, overflow=FAIL)
    ann.send(to="bob", text=1)
    fails("mailbox_full", ann.send, to="bob", text=2)


@sentence
def drop_oldest_makes_room_for_the_new(society):
    ann, bob = society.agent("ann"), society.agent("bob", messages=2, overflow=DROP_OLDEST)
    counts(ann, "bob", 4)
    reads(bob, "3", "4")


@sentence
def drop_newest_keeps_what_is_there(society):
    ann, bob = society.agent("ann"), society.agent("bob", messages=2, overflow=DROP_NEWEST)
    counts(ann, "bob", 4)
    reads(bob, "1", "2")
    nothing(bob)


@sentence
def keep_latest_replaces_the_senders_own(society):
    ann, bob = society.agent("ann"), society.agent("bob", messages=2, overflow=KEEP_LATEST)
    cid = society.agent("cid")
    ann.send(to="bob", text="a1")
    cid.send(to="bob", text="c1")
    ann.send(to="bob", text="a2")
    same(sorted(bob.receive().text for _ in range(2)), ["a2", "c1"], "what bob reads")


@sentence
def redirect_sends_what_does_not_fit_to_another_name(society):
    ann, cid = society.agent("ann"), society.agent("cid", far=True)
    society.agent("bob", messages=1, overflow=REDIRECT, redirect="cid")
    counts(ann, "bob", 3)
    reads(cid, "2", "3")


@sentence
def a_waiting_receive_is_served_although_the_mailbox_is_full(society):
    ann, bob = society.agent("ann"), society.agent("bob", messages=1)
    ann.send(to="bob", text="x")
    waits = bob.begin_receive(conversation=3)
    same(bob.try_receive(conversation=4).text, None, "what is there")  # so the receive has begun
    ann.send(to="bob", text="y", conversation=3)
    same(waits.wait().text, "y", "what bob reads")
    reads(bob, "x")
