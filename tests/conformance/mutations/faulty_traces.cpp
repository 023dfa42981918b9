#include "faults.hpp"

#include <algorithm>
#include <stdexcept>

namespace coracle::conformance {

namespace {

using Kind = Event::Kind;

Event line(Kind kind, MessageId id = 0, std::string name = {}) {
  Event event;
  event.kind = kind;
  event.id = id;
  event.name = std::move(name);
  return event;
}

Event sending(MessageId id, std::string to) {
  Event event = line(Kind::sending, id);
  event.targets = {std::move(to)};
  return event;
}

Event marked(MessageId id, std::string source) {
  Event event = line(Kind::received, id, std::move(source));
  event.redelivered = true;
  return event;
}

Event of_tap(Kind kind, MessageId id = 0, std::uint64_t count = 0) {
  Event event = line(kind, id, kind == Kind::heard ? "ann" : "");
  event.tap = 9;
  event.count = count;
  event.hearing.source = "ann";
  return event;
}

Event with(Event event, bool Event::*what) {
  event.*what = true;
  return event;
}

Event answering(Event event, MessageId request) {
  event.answers = request;
  return event;
}

Event asked(MessageId request, MessageId reply) {
  Event event = line(Kind::asked, request);
  event.reply = reply;
  return event;
}

// Ann waits until Eve's tap is open. She sends 1, 2 and 3 to Bob, 5 to Cid, and 6 to the choir. She
// then sends the request 4 to Bob, who replies with 50.
Log ann() {
  return {"ann",
          End::stopped,
          {line(Kind::received, 90, "eve"), line(Kind::acknowledged, 90), sending(1, "bob"),
           line(Kind::sent, 1), with(sending(2, "bob"), &Event::tracked), line(Kind::sent, 2),
           sending(3, "bob"), line(Kind::sent, 3), with(sending(4, "bob"), &Event::request),
           asked(4, 50), line(Kind::acknowledged, 50), sending(5, "cid"), line(Kind::sent, 5),
           with(with(sending(6, "choir"), &Event::to_group), &Event::tracked),
           line(Kind::sent, 6), line(Kind::received, 80, "cid"), line(Kind::acknowledged, 80),
           line(Kind::outcome, 2, "bob"), line(Kind::outcome, 6, "eve"), line(Kind::drained)}};
}

}  // namespace

Trace good_trace() {
  Trace trace;
  trace.logs = {
      ann(),
      {"bob",  // crashes while it holds 2
       End::crashed,
       {line(Kind::received, 1, "ann"), line(Kind::acknowledged, 1),
        line(Kind::received, 2, "ann")}},
      {"bob",
       End::stopped,
       {marked(2, "ann"), line(Kind::acknowledged, 2), line(Kind::received, 3, "ann"),
        line(Kind::acknowledged, 3), line(Kind::received, 4, "ann"),
        answering(sending(50, "ann"), 4), line(Kind::sent, 50), line(Kind::acknowledged, 4),
        line(Kind::drained)}},
      {"eve",  // overhears 1, misses 2 and 3, overhears the rest
       End::stopped,
       {line(Kind::joining, 0, "choir"), line(Kind::joined, 0, "choir"), of_tap(Kind::tap_opening),
        of_tap(Kind::tap_opened), sending(90, "ann"), line(Kind::sent, 90), of_tap(Kind::heard, 1),
        of_tap(Kind::gap, 0, 2), of_tap(Kind::heard, 4), of_tap(Kind::heard, 5),
        of_tap(Kind::heard, 6), line(Kind::received, 6, "ann"), line(Kind::acknowledged, 6),
        line(Kind::drained)}},
      {"cid", End::fenced, {line(Kind::received, 5, "ann")}},
      {"cid",
       End::stopped,
       {marked(5, "ann"), line(Kind::acknowledged, 5), sending(80, "ann"), line(Kind::sent, 80),
        line(Kind::drained)}},
  };
  for (const char* name : {"ann", "bob", "cid", "eve"}) trace.boxes[name] = MailboxOptions();
  trace.ledger.sent = trace.ledger.consumed = 9;
  trace.ledger.copies_made = 6;
  trace.ledger.copies_consumed = 4;
  trace.ledger.copies_missed = 2;
  return trace;
}

namespace {

Event& find(Trace& trace, std::size_t life, Kind kind, MessageId id) {
  for (Event& event : trace.logs[life].events)
    if (event.kind == kind && event.id == id) return event;
  throw std::logic_error("the good trace has no such line");
}

void erase(Trace& trace, std::size_t life, Kind kind, MessageId id) {
  auto& events = trace.logs[life].events;
  const Event* const found = &find(trace, life, kind, id);
  events.erase(events.begin() + (found - events.data()));
}

void append(Trace& trace, std::size_t life, Event event) {
  trace.logs[life].events.push_back(std::move(event));
}

void insert_behind(Trace& trace, std::size_t life, Kind kind, MessageId id, Event event) {
  auto& events = trace.logs[life].events;
  const auto place = &find(trace, life, kind, id) - events.data() + 1;
  events.insert(events.begin() + place, std::move(event));
}

std::vector<FaultyEdit> edits_of_reads() {
  return {
      {"two_messages_of_a_pair_change_places", 2, "which is older",
       [](Trace& t) {
         std::swap(find(t, 2, Kind::received, 3), find(t, 2, Kind::received, 4));
         std::swap(find(t, 2, Kind::acknowledged, 3), find(t, 2, Kind::acknowledged, 4));
       }},
      {"an_unmarked_duplicate_after_a_crash", 3, "twice without a mark",
       [](Trace& t) { find(t, 2, Kind::received, 2).redelivered = false; }},
      {"a_duplicate_in_one_life", 3, "twice without a mark",
       [](Trace& t) {
         insert_behind(t, 2, Kind::acknowledged, 3, line(Kind::received, 3, "ann"));
       }},
      {"a_redelivery_of_what_was_acknowledged", 3, "again after it had been acknowledged",
       [](Trace& t) { insert_behind(t, 2, Kind::acknowledged, 2, marked(1, "ann")); }},
      {"a_redelivery_without_a_cause", 3, "at its first time",
       [](Trace& t) { find(t, 3, Kind::received, 6).redelivered = true; }},
      {"a_message_in_the_wrong_hands", 6, "which was not for it",
       [](Trace& t) { find(t, 5, Kind::received, 5).id = 3; }},
      {"a_message_that_nobody_sent", 3, "never sent",
       [](Trace& t) {
         insert_behind(t, 2, Kind::acknowledged, 3, line(Kind::received, 77, "ann"));
       }},
      {"a_message_under_a_false_name", 6, "under the name of",
       [](Trace& t) { find(t, 2, Kind::received, 3).name = "eve"; }},
      {"a_read_that_got_what_it_did_not_want", 5, "does not fit",
       [](Trace& t) { find(t, 2, Kind::received, 3).wanted.parity = 0; }},
  };
}

std::vector<FaultyEdit> edits_of_outcomes() {
  return {
      {"a_message_lost_without_an_outcome", 3, "was lost",
       [](Trace& t) {
         erase(t, 2, Kind::received, 3);
         erase(t, 2, Kind::acknowledged, 3);
         --t.ledger.consumed;
         --t.ledger.sent;
       }},
      {"an_outcome_that_is_not_true", 3, "but bob consumed it",
       [](Trace& t) {
         t.logs.erase(t.logs.begin() + 1);
         find(t, 1, Kind::received, 2).redelivered = false;
         find(t, 0, Kind::outcome, 2).outcome = Outcome::expired;
       }},
      {"a_second_outcome", 3, "ended a second time",
       [](Trace& t) { append(t, 0, line(Kind::outcome, 2, "bob")); }},
      {"a_ledger_that_is_off_by_one", 3, "does not balance", [](Trace& t) { ++t.ledger.sent; }},
      {"a_ledger_that_forgets_a_message", 3, "were sent",
       [](Trace& t) {
         --t.ledger.sent;
         --t.ledger.consumed;
       }},
      {"a_dead_letter_that_was_consumed", 9, "which was consumed",
       [](Trace& t) { append(t, 2, line(Kind::dead_letter, 80, "ann")); }},
      {"a_request_that_ends_twice", 9, "ended a second time",
       [](Trace& t) { insert_behind(t, 0, Kind::acknowledged, 50, asked(4, 50)); }},
      {"a_request_that_never_ends", 9, "never ended",
       [](Trace& t) { erase(t, 0, Kind::asked, 4); }},
      {"a_reply_to_another_request", 9, "answers another one",
       [](Trace& t) { find(t, 2, Kind::sending, 50).answers = 3; }},
      {"a_fenced_agent_that_still_acts", 1, "after it had been fenced",
       [](Trace& t) {
         append(t, 5, sending(81, "cid"));
         append(t, 5, line(Kind::sent, 81));
         append(t, 4, line(Kind::received, 81, "cid"));
         append(t, 4, line(Kind::acknowledged, 81));
       }},
  };
}

std::vector<FaultyEdit> edits_of_hearing() {
  return {
      {"a_copy_that_is_missing", 7, "not heard", [](Trace& t) { erase(t, 3, Kind::heard, 5); }},
      {"a_gap_marker_that_is_forgotten", 7, "not heard",
       [](Trace& t) { erase(t, 3, Kind::gap, 0); }},
      {"a_gap_marker_that_says_too_little", 7, "not heard",
       [](Trace& t) { find(t, 3, Kind::gap, 0).count = 1; }},
      {"a_gap_marker_that_says_too_much", 7, "were sent",
       [](Trace& t) { find(t, 3, Kind::gap, 0).count = 3; }},
      {"a_copy_that_comes_twice", 7, "twice",
       [](Trace& t) { insert_behind(t, 3, Kind::heard, 5, of_tap(Kind::heard, 5)); }},
      {"copies_that_change_places", 7, "after a later one",
       [](Trace& t) { std::swap(find(t, 3, Kind::heard, 4), find(t, 3, Kind::heard, 5)); }},
      {"a_copy_that_does_not_fit_the_pattern", 7, "does not fit",
       [](Trace& t) {
         Event copy = of_tap(Kind::heard, 80);
         insert_behind(t, 3, Kind::heard, 6, copy);
       }},
      {"a_member_that_is_left_out", 6, "did not get",
       [](Trace& t) { find(t, 0, Kind::outcome, 6).name = "bob"; }},
  };
}

std::vector<FaultyEdit> edits_of_liveness() {
  return {
      {"a_message_that_never_arrives", 3, "still under way",
       [](Trace& t) { t.liveness.under_way = 1; }},
      {"an_agent_that_does_not_end", 9, "bob had not ended",
       [](Trace& t) { t.liveness.still_alive = {"bob"}; }},
      {"an_end_that_takes_too_long", 9, "are allowed",
       [](Trace& t) { t.liveness.took = t.liveness.allowed + Duration(1); }},
  };
}

}  // namespace

std::vector<FaultyEdit> faulty_edits() {
  std::vector<FaultyEdit> all = edits_of_reads();
  for (const auto part : {&edits_of_outcomes, &edits_of_hearing, &edits_of_liveness})
    for (FaultyEdit& edit : part()) all.push_back(std::move(edit));
  return all;
}

}  // namespace coracle::conformance
