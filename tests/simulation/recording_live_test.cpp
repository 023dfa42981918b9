// The messages that agents on threads received are delivered to them again, one by one, in virtual
// time.
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/recording/recorder.hpp"
#include "coracle/recording/replay_into.hpp"
#include "realizations/recording/tests/support/market.hpp"
#include "support/societies/expect.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::test {

namespace {

using recording::Performance;
using recording::Recorder;
using recording::Recording;
using recording::Role;

constexpr int rounds = 6;
// No reply comes too late, however busy the processors are: a late reply is not in the recording,
// and the replay delivers it in time.
constexpr Duration patience = 60s;

Recording record_live(unsigned workers, const std::function<void(Node&)>& society) {
  TemporaryFolder folder;
  const std::string file = folder / "live.db";
  Recorder recorder(file);
  {
    NodeOptions options;
    options.workers = workers;
    Node node(recorder.record(local::realization()), options);
    society(node);
    node.wait();
  }
  recorder.close();
  return Recording::load(file);
}

Recording record_market(unsigned workers) {
  return record_live(workers, [](Node& node) { open_market(node, rounds, nullptr, patience); });
}

template <class T, class... Args>
Role role(AgentSpec spec, Args... args) {
  return {std::move(spec), [=] { return std::make_unique<T>(args...); }};
}

std::vector<Role> everybody() {
  return {role<Buyer>("buyer", rounds, patience), role<Clerk>("clerk", nullptr),
          role<Seller>("red", 10), role<Seller>("blue", 20)};
}

// The only difference of the only role.
recording::Difference difference_in(const Recording& recording, const Role& changed) {
  const std::vector<Performance> played = replay_into(recording, {changed});
  if (!played.at(0).difference) fail("no difference was found");
  return *played[0].difference;
}

// Leaves its messages in its mailbox until it gets a request, then replies with their number.
class Hoarder final : public Agent {
 public:
  explicit Hoarder(bool honest = true) : honest_(honest) {}
  Task<> run() override {
    const auto is_request = that([](const MessageView& message) { return message.is_request(); });
    for (int i = 0; i < 3; ++i) {
      const Message request = co_await receive(is_request);
      const std::size_t there = pending() + (honest_ ? 0 : 1);
      const std::string answer = std::to_string(there);
      co_await reply(request, answer);
      if (honest_) (void)try_receive();
    }
    if (honest_) throw std::runtime_error("it burst");
  }

 private:
  const bool honest_;
};

class Visitor final : public Agent {
 public:
  Task<> run() override {
    const Conversation talk = new_conversation();
    for (int i = 0; i < 9; ++i) {
      co_await send("hoarder", "thing", talk);
      if (i % 3 == 2) co_await ask("hoarder", "how many?");
    }
  }
};

// Overhears the messages to the clerk.
class Listener final : public Agent {
 public:
  Task<> run() override {
    co_await overhear(Pattern().target("clerk"));
    for (std::string text; text != "done";) {
      const Message copy = co_await receive();
      text = copy.text();
      const std::string told = "heard " + text;
      co_await send("log", told);
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(recording_live)

BOOST_AUTO_TEST_CASE(agents_that_are_the_same_do_the_same) {
  for (int round = 0; round < 12; ++round) {
    const Recording recording = record_market(1 + static_cast<unsigned>(round) % 2);
    BOOST_TEST(recording.complete());
    BOOST_TEST(!recording.is_simulated());
    for (const Performance& played : replay_into(recording, everybody())) {
      BOOST_TEST(!played.difference.has_value(),
                 played.agent.str()
                     << ": " << played.difference.value_or(recording::Difference()).to_string());
      BOOST_TEST(played.given > 0u);
      BOOST_TEST(played.alike >= static_cast<unsigned>(rounds));
      BOOST_TEST(played.skipped == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_agent_that_says_something_else_is_quoted_beside_the_recording) {
  const Recording recording = record_market(2);
  const auto price = difference_in(recording, role<Seller>("red", 11));
  BOOST_TEST(price.recorded.ends_with("red -> buyer replies \"10\""), price.recorded);
  BOOST_TEST(price.replayed.ends_with("red -> buyer replies \"11\""), price.replayed);
}

BOOST_AUTO_TEST_CASE(an_agent_that_falls_silent_is_noticed) {
  const Recording recording = record_market(2);
  const auto silent = difference_in(recording, role<Buyer>("buyer", rounds - 1, patience));
  BOOST_TEST(silent.recorded.ends_with("buyer -> red asks \"price?\""), silent.recorded);
  BOOST_TEST(silent.replayed.ends_with("buyer -> clerk \"done\""), silent.replayed);
}

BOOST_AUTO_TEST_CASE(an_agent_that_does_more_is_noticed) {
  const Recording recording = record_market(1);
  const auto more = difference_in(recording, role<Buyer>("buyer", rounds + 1, patience));
  BOOST_TEST(more.recorded.ends_with("buyer -> clerk \"done\""), more.recorded);
}

BOOST_AUTO_TEST_CASE(what_waits_in_a_mailbox_waits_again_and_a_crash_is_the_same_crash) {
  const Recording recording = record_live(2, [](Node& node) {
    node.create<Hoarder>(AgentSpec("hoarder").on_worker(1));
    node.create<Visitor>("visitor");
  });
  for (const Performance& played :
       replay_into(recording, {role<Hoarder>("hoarder"), role<Visitor>("visitor")})) {
    BOOST_TEST(!played.difference.has_value(),
               played.difference.value_or(recording::Difference()).to_string());
  }
  const auto lied = difference_in(recording, role<Hoarder>("hoarder", false));
  BOOST_TEST(lied.recorded.find("replies \"3\"") != std::string::npos, lied.recorded);
  BOOST_TEST(lied.replayed.find("replies \"4\"") != std::string::npos, lied.replayed);
}

BOOST_AUTO_TEST_CASE(an_eavesdropper_overhears_the_same) {
  const Recording recording = record_live(1, [](Node& node) {
    node.create<Listener>("listener");
    open_market(node, 2, nullptr, patience);
  });
  const auto played = replay_into(recording, {role<Listener>("listener")});
  BOOST_TEST(!played[0].difference.has_value(),
             played[0].difference.value_or(recording::Difference()).to_string());
  BOOST_TEST(played[0].alike > 1u);
}

BOOST_AUTO_TEST_CASE(a_realization_is_recorded_by_its_name) {
  const std::pair<const char*, const char*> texts[] = {
      {"local:names=100,record=", ""},
      {"local:record=", ",names=100"},
      {"sim:seed=4,record=", ",turn=2us"},
      {"local:record=", ""},
      {"sim:record=", ""},
  };
  TemporaryFolder folder;
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    const auto [before, after] = texts[i];
    const std::string file = folder / std::to_string(i) + ".db";
    const std::string text = before + file + after;
    {
      Node node(open(text));
      open_market(node, 1, nullptr, patience);
      node.wait();
    }
    const Recording recording = Recording::load(file);
    BOOST_TEST(recording.complete());
    BOOST_TEST(recording.messages().size() >= 8u);
    BOOST_TEST(recording.is_simulated() == std::string_view(before).starts_with("sim:"));
    if (i == 2) BOOST_TEST((recording.world().seed == 4 && recording.world().turn == 2us));
    expect_error(error_from([&] { open(text); }), Errc::file_exists, "again");
  }
  expect_error(error_from([] { open("local:record="); }), Errc::bad_realization, "no file");
  expect_error(error_from([] { open("sim:record=,seed=1"); }), Errc::bad_realization, "no file");
}

BOOST_AUTO_TEST_CASE(a_name_that_nobody_had_is_refused) {
  const Recording recording = record_market(1);
  expect_error(error_from([&] { replay_into(recording, {role<Seller>("green", 1)}); }),
               Errc::no_such_agent, "nobody");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
