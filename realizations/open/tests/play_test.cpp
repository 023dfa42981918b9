// Tests of societies of several hosts that are opened by name.
#include "coracle/realizations/play.hpp"

#include "coracle/errors.hpp"
#include "coracle/node.hpp"
#include "coracle/recording/recording.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace coracle {
namespace {

class Echo final : public Agent {
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      co_await reply(message, "again: " + std::string(message.text()));
    }
  }
};

class Ann final : public Agent {
 public:
  explicit Ann(std::vector<std::string>* answers) : answers_(*answers) {}

 private:
  Task<> run() override {
    for (const char* word : {"one", "two", "three"}) {
      try {
        const Message answer = co_await ask("echo", word, std::chrono::seconds(1));
        answers_.emplace_back(answer.text());
      } catch (const Error& error) {
        if (error.errc() == Errc::stopped) throw;
        answers_.emplace_back(error.what());
      }
    }
  }

  std::vector<std::string>& answers_;
};

// Two hosts: an agent of the second one answers.
struct Talk {
  std::vector<std::string> answers;

  void operator()(sim::World& world) {
    answers.clear();
    Node first(world.realization()), second(world.realization());
    second.create<Echo>("echo");
    first.create<Ann>("ann", &answers);
    first.wait();
  }
};

const std::vector<std::string> all = {"again: one", "again: two", "again: three"};

recording::MessageId number_of(const std::string& file, const std::string& text) {
  const auto kept = recording::Recording::load(file);
  for (const auto& each : kept.messages())
    if (each.content == text) return each.id;
  return 0;
}

BOOST_AUTO_TEST_SUITE(play)

BOOST_AUTO_TEST_CASE(a_society_of_two_hosts_is_recorded_and_replayed_by_name) {
  const test::TemporaryFolder folder;
  Talk talk;
  coracle::play(std::ref(talk), "sim:nodes=2,seed=5,record=" + (folder / "run.db"));
  BOOST_TEST(talk.answers == all, boost::test_tools::per_element());
  const std::string replay = "sim:replay=" + (folder / "run.db");
  coracle::play(std::ref(talk), replay + ",record=" + (folder / "again.db"));
  BOOST_TEST(talk.answers == all, boost::test_tools::per_element());
  const auto first = recording::Recording::load(folder / "run.db");
  const auto again = recording::Recording::load(folder / "again.db");
  BOOST_TEST(again.world().nodes == 2U);
  BOOST_TEST((again.messages() == first.messages()));
  BOOST_TEST((again.events() == first.events()));
}

BOOST_AUTO_TEST_CASE(a_message_between_two_hosts_is_lost_in_a_replay) {
  const test::TemporaryFolder folder;
  Talk talk;
  coracle::play(std::ref(talk), "sim:nodes=2,seed=5,record=" + (folder / "run.db"));
  const auto two = number_of(folder / "run.db", "two");
  BOOST_REQUIRE(two != 0U);
  coracle::play(std::ref(talk), "sim:replay=" + (folder / "run.db") + ",drop=" +
                                    std::to_string(two) + ",record=" + (folder / "lost.db"));
  BOOST_REQUIRE(talk.answers.size() == 3U);
  BOOST_TEST(talk.answers[0] == all[0]);
  BOOST_TEST(talk.answers[1] != all[1]);
  BOOST_TEST(recording::Recording::load(folder / "lost.db").complete());
}

BOOST_AUTO_TEST_CASE(what_a_society_throws_goes_to_the_caller) {
  const test::TemporaryFolder folder;
  const auto fails = [](sim::World&) { throw std::logic_error("no market today"); };
  const auto is_it = [](const std::exception& error) {
    return std::string(error.what()).find("no market today") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(coracle::play(fails, "sim:nodes=2"), std::logic_error, is_it);
  BOOST_CHECK_EXCEPTION(coracle::play(fails, "sim:record=" + (folder / "run.db")), std::logic_error,
                        is_it);
  BOOST_CHECK_EXCEPTION(coracle::play(fails, "sim:replay=" + (folder / "run.db")), Error, is_it);
}

BOOST_AUTO_TEST_CASE(another_realization_and_unknown_settings_are_refused) {
  const auto nothing = [](sim::World&) {};
  const auto names = [](const char* word) {
    return [word](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             std::string(error.what()).find(word) != std::string::npos;
    };
  };
  BOOST_CHECK_EXCEPTION(coracle::play(nothing, "local:"), Error, names("sim:"));
  BOOST_CHECK_EXCEPTION(coracle::play(nothing, "sim"), Error, names("colon"));
  BOOST_CHECK_EXCEPTION(coracle::play(nothing, "sim:spin=0"), Error, names("spin"));
  BOOST_CHECK_EXCEPTION(coracle::play(nothing, "sim:replay=none.db,seed=1"), Error, names("seed"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
