"""Promise 9: each wait ends."""
from players import Broken, Refused
from sentences.support import (counts, fails, fails_later, MILLISECONDS, reads, same, SECONDS,
                               sentence, STOPPED)


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
    asks = ann.begin_ask(to="bob", text="?")
    question = bob.receive(keep=1)
    bob.keep_open(message=question.id)
    bob.free(message=question.id)
    bob.send(to="ann", text="later")
    reads(ann, "later")
    ann.cancel(what=asks.id)
    fails_later("cancelled", asks)


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
