"""The contract as agents of any language see it: each function is a sentence of docs/promises.md.

A sentence is played in a fresh society. An agent with far=True lives on another node where there is
one. Operations end as in C; those that begin_... starts are waited for later.
"""
from players import Broken, Refused

ALL = []
MILLISECONDS = 1_000_000
SECONDS = 1_000_000_000
ACCEPTED, STORED, DELIVERED, CONSUMED = range(4)
WAIT, FAIL, DROP_OLDEST, DROP_NEWEST, KEEP_LATEST, REDIRECT = range(6)
STOPPED, FENCED = 0, 4


def sentence(function):
    ALL.append(function)
    return function


def same(found, wanted, what):
    if found != wanted:
        raise Broken(f"{what} is {found!r}, should be {wanted!r}")


def fails(code, operation, **fields):
    try:
        answer = operation(**fields)
    except Refused as refused:
        return same(refused.code, code, "the error")
    raise Broken(f"it succeeded with {answer.fields}, should fail with {code}")


def fails_later(code, begun):
    fails(code, begun.wait)


def reads(agent, *texts, **match):
    for text in texts:
        same(agent.receive(**match).text, text, f"what {agent.name} reads")


def nothing(agent, **match):
    same(agent.receive(longest=5 * MILLISECONDS, **match).text, None, f"what {agent.name} reads")


def becomes(look, wanted, what):
    """For what other nodes hear of soon."""
    for _ in range(10_000):
        if look() == wanted:
            return
    same(look(), wanted, what)


def counts(agent, to, number):
    for each in range(1, number + 1):
        agent.send(to=to, text=each)


def upto(number):
    return [str(each) for each in range(1, number + 1)]


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


# --- 5: reading ---

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


# --- 6: groups ---

@sentence
def every_member_of_a_group_gets_it_once(society):
    ann, bob, cid = society.agent("ann"), society.agent("bob"), society.agent("cid", far=True)
    for agent in bob, cid:
        agent.join(group="choir")
    ann.send(group="choir", text="la")
    for agent in bob, cid:
        reads(agent, "la")
        nothing(agent)
    nothing(ann)


@sentence
def each_target_of_a_list_gets_it_once_however_often_it_is_named(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.send(many="bob ann bob", text="x")
    for agent in ann, bob:
        reads(agent, "x")
        nothing(agent)


@sentence
def members_are_told_to_which_group_it_was_sent(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    bob.join(group="choir")
    ann.send(group="choir", text="la")
    same(bob.receive().target, "choir", "its target")


@sentence
def a_message_to_an_empty_group_reaches_nobody_and_succeeds(society):
    ann = society.agent("ann")
    ann.send(group="nobody", text="x")
    nothing(ann)


@sentence
def one_that_left_gets_nothing_more(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    bob.join(group="choir")
    bob.leave(group="choir")
    same(ann.members(group="choir").names, "", "the members")
    ann.send(group="choir", text="x")
    nothing(bob)


@sentence
def a_second_join_does_nothing(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    bob.join(group="choir")
    bob.join(group="choir")
    ann.send(group="choir", text="x")
    reads(bob, "x")
    nothing(bob)


@sentence
def the_members_of_a_group_can_be_listed(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.join(group="choir")
    bob.join(group="choir")
    same(sorted(ann.members(group="choir").names.split()), ["ann", "bob"], "the members")


@sentence
def a_membership_ends_with_its_agent(society):
    ann, bob = society.agent("ann"), society.agent("bob")
    bob.join(group="choir")
    bob.close()
    becomes(lambda: ann.members(group="choir").names, "", "the members")


@sentence
def who_joins_gets_nothing_from_before(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    ann.join(group="choir")
    ann.send(group="choir", text="x")
    bob.join(group="choir")
    ann.send(group="choir", text="y")
    reads(bob, "y")


# --- 7: eavesdropping ---

@sentence
def an_eavesdropper_gets_a_copy_and_the_target_its_message(society):
    ann, bob, eve = society.agent("ann"), society.agent("bob", far=True), society.agent("eve")
    tap = eve.overhear(source="ann").number
    ann.send(to="bob", text="x")
    reads(bob, "x")
    copy = eve.receive(tap=tap)
    same((copy.text, copy.source, copy.target), ("x", "ann", "bob"), "the copy")


@sentence
def everything_sent_after_overhear_returned_is_heard_in_order(society):
    ann, eve = society.agent("ann"), society.agent("eve", far=True)
    tap = eve.overhear(target="bob").number
    counts(ann, "bob", 50)
    reads(eve, *upto(50), tap=tap)


@sentence
def patterns_look_at_source_target_and_text(society):
    ann, bob, eve = society.agent("ann"), society.agent("bob"), society.agent("eve", far=True)
    tap = eve.overhear(source="a.*", target="eve|cid", text="fi[rt]e").number
    ann.send(to="cid", text="nothing")
    bob.send(to="cid", text="fire")
    ann.send(to="bob", text="fire")
    ann.send(to="cid", text="it is on fire here")
    reads(eve, "it is on fire here", tap=tap)
    nothing(eve, tap=tap)


@sentence
def a_pattern_that_cannot_be_compiled_is_refused_with_bad_pattern(society):
    fails("bad_pattern", society.agent("ann").overhear, source="a(")


@sentence
def a_message_is_heard_whether_or_not_its_target_is_there(society):
    ann, eve = society.agent("ann"), society.agent("eve", far=True)
    tap = eve.overhear(target="nobody").number
    ann.send(to="nobody", text="x")
    reads(eve, "x", tap=tap)


@sentence
def multicasts_and_replies_are_heard_too(society):
    ann, bob, eve = society.agent("ann"), society.agent("bob"), society.agent("eve", far=True)
    tap = eve.overhear(source="ann|bob").number
    ann.send(many="bob cid", text="to both")
    reads(bob, "to both")
    asks = ann.begin_ask(to="bob", text="?")
    bob.reply(message=bob.receive(keep=1).id, text="!")
    same(asks.wait().text, "!", "the reply")
    reads(eve, "to both", "?", "!", tap=tap)


@sentence
def one_that_stops_listening_keeps_what_it_has_heard(society):
    ann, eve = society.agent("ann"), society.agent("eve")
    tap = eve.overhear(source="ann").number
    ann.send(to="bob", text=1)
    eve.stop_overhearing(tap=tap)
    ann.send(to="bob", text=2)
    reads(eve, "1", tap=tap)
    nothing(eve, tap=tap)


@sentence
def one_that_listens_slowly_is_told_how_many_it_missed(society):
    ann, eve = society.agent("ann"), society.agent("eve")
    tap = eve.overhear(source="ann", limit=4).number
    counts(ann, "bob", 10)
    reads(eve, "1", "2", "3", "4", tap=tap)
    same(eve.receive(tap=tap).gap, "6", "the gap")


@sentence
def a_read_of_what_is_addressed_leaves_the_copies(society):
    ann, eve = society.agent("ann"), society.agent("eve")
    eve.overhear(source="ann")
    ann.send(to="bob", text="heard")
    ann.send(to="eve", text="sent")
    reads(eve, "sent", addressed=1)
    reads(eve, "heard")


# --- 8: bounds ---

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


# --- 9: requests and endings ---

@sentence
def a_request_ends_with_its_reply(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = ann.begin_ask(to="bob", text="?")
    question = bob.receive(keep=1)
    same(question.request, "1", "it is a request")
    bob.reply(message=question.id, text="!")
    same(asks.wait().text, "!", "the reply")


@sentence
def a_request_can_be_refused_with_a_reason(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = ann.begin_ask(to="bob", text="?")
    bob.refuse(message=bob.receive(keep=1).id, text="not today")
    try:
        asks.wait()
    except Refused as refused:
        same(refused.code, "refused", "the error")
        same("not today" in str(refused), True, "the reason is told")
        return
    raise Broken("the request succeeded")


@sentence
def a_request_ends_at_its_deadline(society):
    ann = society.agent("ann")
    society.agent("bob", far=True)
    fails("expired", ann.ask, to="bob", text="?", longest=5 * MILLISECONDS)


@sentence
def a_request_that_is_dropped_unanswered_ends_at_once(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = ann.begin_ask(to="bob", text="?")
    bob.receive()
    fails_later("unanswered", asks)


@sentence
def a_request_that_is_kept_open_waits_for_its_reply(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = ann.begin_ask(to="bob", text="?", longest=5 * MILLISECONDS)
    question = bob.receive(keep=1)
    bob.keep_open(message=question.id)
    bob.free(message=question.id)
    fails_later("expired", asks)


@sentence
def a_request_ends_when_the_agent_that_took_it_stops(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = ann.begin_ask(to="bob", text="?")
    question = bob.receive(keep=1)
    bob.keep_open(message=question.id)
    bob.free(message=question.id)
    bob.close()
    fails_later("peer_down", asks)


@sentence
def many_requests_at_once_get_each_its_own_reply(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    asks = [ann.begin_ask(to="bob", text=each) for each in range(20)]
    questions = [bob.receive(keep=1) for _ in asks]
    for question in reversed(questions):
        bob.reply(message=question.id, text="=" + question.text)
    same([each.wait().text for each in asks], [f"={each}" for each in range(20)], "the replies")


@sentence
def a_watcher_is_told_that_an_agent_stopped(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    watch = ann.begin_watch(name="bob")
    same(ann.try_receive().text, None, "what is there")  # so the watch has begun
    bob.close()
    try:
        same(watch.wait().number, str(STOPPED), "the reason")
    except Refused as refused:
        same(refused.code, "no_such_agent", "it had ended before")


@sentence
def watching_nobody_fails_with_no_such_agent(society):
    fails("no_such_agent", society.agent("ann").watch, name="nobody")


@sentence
def an_agent_whose_name_was_taken_over_is_told_so(society):
    ann = society.agent("ann")
    waits = ann.begin_receive()
    same(ann.try_receive(conversation=1).text, None, "what is there")  # so the receive has begun
    society.agent("ann", take_over=1)
    fails_later("fenced", waits)


@sentence
def a_stop_tells_what_nobody_read(society):
    ann = society.agent("ann")
    counts(ann, "ann", 3)
    report = society.stop(longest=0)
    same((report.clean, report.undelivered != "0" or report.kept != "0"), ("0", True), "the report")


@sentence
def reading_on_a_node_that_stops_fails_with_stopped(society):
    ann = society.agent("ann")
    waits = ann.begin_receive()
    society.stop(longest=SECONDS)
    fails_later("stopped", waits)


@sentence
def a_node_that_has_stopped_takes_no_more_agents(society):
    society.agent("ann")
    society.stop(longest=SECONDS)
    fails("stopped", society.agent, name="bob")


# --- the directory ---

@sentence
def agents_are_found_by_their_properties(society):
    society.agent("lab/sonar", far=True, integer__range=5, string__kind="sonar")
    society.agent("lab/arm", string__kind="arm")
    ann = society.agent("ann")
    same(ann.search(string__kind="sonar", integer__range=5).names, "lab/sonar", "the sonars")
    same(ann.search(prefix="lab").names.split(), ["lab/arm", "lab/sonar"], "who is in the lab")


@sentence
def a_later_description_replaces_the_earlier_one(society):
    ann, bob = society.agent("ann", string__kind="arm"), society.agent("bob", far=True)
    ann.describe(string__kind="leg")
    becomes(lambda: bob.search(string__kind="leg").names, "ann", "the legs")
    same(bob.search(string__kind="arm").names, "", "the arms")


@sentence
def conversations_get_numbers_of_their_own(society):
    ann, bob = society.agent("ann"), society.agent("bob", far=True)
    numbers = [agent.conversation().number for agent in (ann, bob, ann, bob)]
    same(len(set(numbers) - {"0"}), 4, "how many differ")
