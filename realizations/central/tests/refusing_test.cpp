// When the server does not keep a message, the sender receives the true reason.
#include "clearinghouse.hpp"
#include "coracle/support/error_texts.hpp"
#include "full_disk.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::central {

namespace {

constexpr const char* disk_is_full =
    "the message store has not accepted it: its disk is full; free some room there";
constexpr const char* no_messages_left =
    "the message store has not accepted it: its limit of messages for one name is reached; start "
    "the agent that they are for, or raise kept_for_name where it is started";
constexpr const char* no_bytes_left =
    "the message store has not accepted it: its limit of bytes is reached; start the agents that "
    "they are for, or raise kept_bytes where it is started";

// The reason why messages of an agent stay with its node; empty if none do.
std::string why_left(const StopReport& report) {
  for (const auto& left : report.undelivered) {
    if (!left.kept) return detail::why_not_kept(left.why);
  }
  return {};
}

using Sending = Task<Result<void>> (*)(Agent&, const char*, const std::string&);

Task<Result<void>> send_plain(Agent& me, const char* whom, const std::string& text) {
  co_return co_await me.send_result(Name(whom), text);
}

Task<Result<void>> send_post(Agent& me, const char* whom, const std::string& text) {
  try {
    co_await me.send(Post(Name(whom), Content(text)));
    co_return Result<void>();
  } catch (const Error& error) {
    co_return error;
  }
}

// Sends to an absent name until that fails for a reason that the server has given; returns the
// sentence.
std::string sentence_of(const Clearinghouse& house, Sending send = send_plain) {
  std::string sentence;
  NodeOptions impatient;
  impatient.patience = 300ms;
  (void)house.as(
      "ann",
      [&sentence, send](Agent& me) -> Task<> {
        const std::string text(500, 'x');
        // The node's waiting time may end before the server has answered.
        const auto is_over = [&sentence] {
          return !sentence.empty() && sentence.find("it has not confirmed") == std::string::npos;
        };
        for (int tries = 0; tries < 2000 && !is_over(); ++tries) {
          Task<Result<void>> sending = send(me, "bob", text);
          const Result<void> sent = co_await sending;
          if (!sent) sentence = sent.error().sentence();
        }
      },
      impatient);
  return sentence;
}

struct OnFillable {
  OnFillable() {
    house.options.disk = disk.opener();
    house.begin();
  }
  ~OnFillable() { house.server.reset(); }

  FillableDisk disk;
  Clearinghouse house{"data"};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(refusing)

BOOST_AUTO_TEST_CASE(a_node_that_stops_is_told_that_the_disk_is_full) {
  OnFillable on;
  BOOST_TEST(why_left(on.house.send("bob", {"1"})) == "");
  on.disk.fill();
  std::string why;
  for (int tries = 0; tries < 100 && why.empty(); ++tries)
    why = why_left(on.house.send("bob", {std::string(2000, 'x')}));
  BOOST_TEST(why == disk_is_full);
}

BOOST_AUTO_TEST_CASE(a_sender_that_goes_on_is_told_that_the_disk_is_full) {
  OnFillable on;
  on.house.durable = true;
  on.disk.fill();
  BOOST_TEST(sentence_of(on.house) == "cannot send to 'bob': " + std::string(disk_is_full));
}

BOOST_AUTO_TEST_CASE(a_sender_that_goes_on_is_told_of_the_limit_of_messages) {
  Clearinghouse house("data");
  house.durable = true;
  house.options.kept_for_name = 5;
  house.begin();
  BOOST_TEST(sentence_of(house) == "cannot send to 'bob': " + std::string(no_messages_left));
}

BOOST_AUTO_TEST_CASE(so_is_the_sender_of_a_post) {
  Clearinghouse house("data");
  house.durable = true;
  house.options.kept_for_name = 5;
  house.begin();
  BOOST_TEST(sentence_of(house, send_post) ==
             "cannot send to 'bob': " + std::string(no_messages_left));
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_is_told_of_the_limit_of_messages_and_of_bytes) {
  Clearinghouse house;
  house.options.kept_for_name = 2;
  house.options.kept_bytes = 9'600;
  house.begin();
  BOOST_TEST(why_left(house.send("bob", {"1", "2", "3"})) == no_messages_left);
  BOOST_TEST(why_left(house.send("carl", {std::string(8'000, 'x'), std::string(8'000, 'x')})) ==
             no_bytes_left);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
