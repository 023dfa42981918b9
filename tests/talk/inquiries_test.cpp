// Inquiries, on every realization: several agents reply to one broadcast, and the sender decides
// which replies are enough.
#include "coracle/broadcast.hpp"
#include "rpc_ground.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

namespace coracle::rpc::test {

namespace {

// The reaction of `manner` to a request with its text; each sends "ready" to main first.
//   "knows": replies with its name          "waits": with its name, after "go" from main
//   "rejects", "fails": does that           "ends": ends over it          "nothing": an empty reply
Body handler_of(std::string manner) {
  return [manner](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.handle(Pattern().format("who knows %s"));
    co_await me.send("main", "ready");
    for (;;) {
      Heard heard = co_await interests.next();
      expect(heard.asks() && !heard.again(), "it is asked, for the first time");
      if (manner == "waits") (void)co_await me.receive(says("go"));
      if (manner == "rejects") co_await heard.reject("not today");
      if (manner == "fails") co_await heard.fail("out of paper");
      if (manner == "ends") throw Crash("with an inquiry in hand");
      if (manner == "nothing") co_await heard.reply(Content());
      if (manner == "knows" || manner == "waits") {
        const std::string name = me.name().str();
        co_await heard.reply(name);
      }
    }
  };
}

// Starts an agent for each manner, with the manner as its name; they are ready on return.
Task<> start_all(Agent& me, std::string manners) {
  std::istringstream words(manners);
  std::string manner;
  int count = 0;
  while (words >> manner) {
    const std::string name = manner + "/" + std::to_string(count++);
    co_await start(me, name, handler_of(manner));
  }
  for (int i = 0; i < count; ++i) (void)co_await me.receive(says("ready"));
}

// The replies with their senders.
std::string summary(const Replies& replies) {
  std::set<std::string> lines;
  for (const Reply& each : replies.all) {
    lines.insert(each.by.str() + ": " + std::string(each.answer.value().text()) + ";");
  }
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

Task<Replies> inquire(Agent& me, Collect rule, Deadline deadline = 10s) {
  return send_inquiry(me, "who knows it", rule, deadline);
}

void all_who_handle_it_reply(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_all(me, "knows knows knows");
    co_await start(me, "observer", [](Agent& observer) -> Task<> {
      Interests interests(observer);
      co_await interests.observe(Pattern().text("it$"));
      co_await observer.send("main", "ready");
      const Heard heard = co_await interests.next();
      expect(heard.is_request() && !heard.asks(), "it only sees it");
      co_await observer.send("main", "seen");
    });
    (void)co_await me.receive(says("ready"));
    const Tap tap = co_await me.overhear(Pattern().target_is(whoever()));
    const Replies replies = co_await inquire(me, Collect::all());
    expect(replies.enough, "all have replied");
    expect_equal(replies.asked, 3U, "asked");
    expect_equal(replies.observers, 1U, "observers");
    expect_equal(summary(replies),
                 std::string("knows/0: knows/0;knows/1: knows/1;knows/2: knows/2;"), "replies");
    (void)co_await me.receive(says("seen"));
    const Message copy = co_await me.receive(overheard_by(tap));
    expect_equal(copy.text(), "who knows it", "eavesdroppers hear it");
    expect_equal(me.pending(overheard_by(tap)), 0U, "once");
  });
}

// Returns whether an agent that does not wait has not replied in time.
bool is_hurried(const Replies& replies) {
  return std::any_of(replies.all.begin(), replies.all.end(), [](const Reply& each) {
    return each.by != Name("waits/3") && !each.answer &&
           each.answer.error().errc() == Errc::expired;
  });
}

void whoever_does_not_reply_is_there_with_the_reason(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_all(me, "knows rejects fails waits");
    Replies replies;
    Duration within = 50ms;
    do {
      if (!co_await me.node().directory().look_up("ends")) {
        co_await start(me, "ends", handler_of("ends"));
        (void)co_await me.receive(says("ready"));
      }
      replies = co_await inquire(me, Collect::until_deadline(), within);
      within *= 8;
    } while (is_hurried(replies));
    expect(replies.enough, "whatever has come is enough");
    expect_equal(replies.all.size(), 5U, "each of them once");
    for (const Reply& each : replies.all) {
      const std::string who = each.by.str();
      const auto error = each.answer ? std::nullopt : std::optional(each.answer.error());
      if (who == "knows/0") expect_equal(each.answer.value().text(), who, "its reply");
      if (who == "rejects/1") expect_error(error, Errc::refused, "not today");
      if (who == "fails/2") expect_error(error, Errc::refused, "out of paper");
      if (who == "ends") expect_error(error, Errc::agent_failed, "ends");
      if (who == "waits/3") expect_error(error, Errc::expired, "waits/3");
    }
    const Replies all = co_await inquire(me, Collect::all(), 50ms);
    expect(!all.enough, "not all have replied");
    expect_equal(all.asked, 4U, "one has ended");
  });
}

void the_first_replies_can_be_enough(Place& place) {
  const StopReport report = place.run([](Agent& me) -> Task<> {
    co_await start_all(me, "waits nothing knows rejects");
    const Replies first = co_await inquire(me, Collect::first_non_empty());
    expect(first.enough, "one knows");
    expect_equal(first.all.back().answer.value().text(), "knows/2", "that one");
    co_await me.send("waits/0", "go");  // its reply to that is late
    const Replies two = co_await inquire(me, Collect::at_least(2));
    expect(two.enough, "an empty reply counts as one of so many");
    co_await me.send("waits/0", "go");
    const Replies many = co_await inquire(me, Collect::at_least(5));
    expect(!many.enough && many.asked == 0, "nobody is asked what cannot be enough");
    const Replies four = co_await inquire(me, Collect::at_least(4), 50ms);
    expect(!four.enough, "one rejects it");
  });
  const auto dropped = report.ledger.dropped[static_cast<std::size_t>(DropReason::late_reply)];
  expect(dropped >= 1, "late replies are counted");
}

void when_nobody_handles_it_nobody_replies(Place& place) {
  place.run([](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.handle(Pattern());
    const Tap tap = co_await me.overhear(Pattern().target_is(whoever()));
    const Replies all = co_await inquire(me, Collect::all());
    expect(all.enough && all.all.empty() && all.asked == 0, "the sender itself is not asked");
    const Message copy = co_await me.receive(overheard_by(tap));
    expect_equal(copy.text(), "who knows it", "eavesdroppers hear what nobody handles");
    const Replies first = co_await inquire(me, Collect::first());
    expect(!first.enough, "there is no first");
  });
}

// The participant that closes the circle gets the error: the agent that asks back, or the inquiry.
void a_circle_through_one_of_those_who_are_asked_is_found(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_all(me, "knows");
    co_await start(me, "asks/back", [](Agent& other) -> Task<> {
      Interests interests(other);
      co_await interests.handle(Pattern().format("who knows %s"));
      co_await other.send("main", "ready");
      Heard heard = co_await interests.next();
      const Result<Message> answer = co_await other.ask_result("main", "do you?");
      if (!answer) expect_error(answer, Errc::deadlock, "main");
      co_await heard.reject("you wait for me");
    });
    (void)co_await me.receive(says("ready"));
    const Replies replies = co_await inquire(me, Collect::all(), 20s);
    expect_equal(replies.all.size(), 2U, "both are heard");
    for (const Reply& each : replies.all) {
      if (each.by == Name("knows/0"))
        expect_equal(each.answer.value().text(), "knows/0", "its reply");
      if (each.by != Name("asks/back")) continue;
      const Errc errc = each.answer.error().errc();
      expect(errc == Errc::deadlock || errc == Errc::refused, each.answer.error().sentence());
      if (errc == Errc::refused) continue;
      const Message question = co_await me.receive(says("do you?"));
      co_await me.reply(question, "no");
    }
  });
}

const bool registered_inquiries = on_every_ground(
    "inquiries", {GROUND_CASE(all_who_handle_it_reply),
                  GROUND_CASE(whoever_does_not_reply_is_there_with_the_reason),
                  GROUND_CASE(the_first_replies_can_be_enough),
                  GROUND_CASE(when_nobody_handles_it_nobody_replies),
                  GROUND_CASE(a_circle_through_one_of_those_who_are_asked_is_found)});

}  // namespace

}  // namespace coracle::rpc::test
