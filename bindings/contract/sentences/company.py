"""Promises 6 and 7, and the directory: groups, eavesdropping, and finding each other."""
from sentences.support import becomes, counts, fails, nothing, reads, same, sentence, upto


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
def beyond_the_rate_there_are_no_copies_but_a_gap(society):
    ann, eve = society.agent("ann"), society.agent("eve", far=True)
    tap = eve.overhear(source="ann", rate=1).number
    counts(ann, "bob", 20)
    gap = eve.receive(tap=tap)
    while gap.gap == "0":
        gap = eve.receive(tap=tap)
    same(gap.gap_reason, "rate", "the reason of the gap")


@sentence
def an_eavesdropper_learns_what_becomes_of_a_message(society):
    ann, bob, eve = society.agent("ann"), society.agent("bob", far=True), society.agent("eve")
    tap = eve.overhear(source="ann", outcomes=1).number
    ann.send(to="bob", text="x")
    reads(bob, "x")
    copy = eve.receive(tap=tap)
    same((copy.text, copy.notice, copy.receiver), ("x", None, None), "the copy")
    notice = eve.receive(tap=tap)
    while notice.notice != "ended":
        notice = eve.receive(tap=tap)
    same((notice.outcome, notice.drop_reason, notice.receiver), ("consumed", None, "bob"), "end")
    same((notice.source, notice.target, notice.gap), ("ann", "bob", "0"), "its message")


@sentence
def an_eavesdropper_learns_why_a_message_was_dropped(society):
    ann, eve = society.agent("ann"), society.agent("eve")
    society.agent("box", far=True, messages=1, overflow=2)
    tap = eve.overhear(target="box", outcomes=1).number
    counts(ann, "box", 2)
    notice = eve.receive(tap=tap)
    while notice.notice != "ended":
        notice = eve.receive(tap=tap)
    same((notice.outcome, notice.drop_reason), ("dropped", "oldest"), "the end")


@sentence
def a_copy_tells_the_kind_of_its_message(society):
    ann, bob, eve = society.agent("ann"), society.agent("bob"), society.agent("eve", far=True)
    tap = eve.overhear(source="ann|bob").number
    asks = ann.begin_ask(to="bob", text="?")
    bob.reply(message=bob.receive(keep=1).id, text="!")
    asks.wait()
    ann.send(to="bob", text="bye")
    same([eve.receive(tap=tap).kind for _ in range(3)], ["request", "reply", "plain"], "the kinds")


@sentence
def a_read_of_what_is_addressed_leaves_the_copies(society):
    ann, eve = society.agent("ann"), society.agent("eve")
    eve.overhear(source="ann")
    ann.send(to="bob", text="heard")
    ann.send(to="eve", text="sent")
    reads(eve, "sent", addressed=1)
    reads(eve, "heard")


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
