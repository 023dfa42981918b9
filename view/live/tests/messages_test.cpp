#include "model/messages.hpp"
#include "support/samples.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace coracle::view {

using formats::Kind;
using test::said;

BOOST_AUTO_TEST_SUITE(messages)

BOOST_AUTO_TEST_CASE(numbers_rise_and_find_their_messages) {
  Messages messages;
  BOOST_TEST(messages.add(said("ann", "bob", "one")) == 1U);
  BOOST_TEST(messages.add(said("ann", "bob", "two")) == 2U);
  Seen later = said("ann", "bob", "ten");
  later.n = 10;
  BOOST_TEST(messages.add(later) == 10U);
  BOOST_TEST(messages.find(2)->content == "two");
  BOOST_TEST(messages.find(10)->content == "ten");
  BOOST_TEST(messages.find(5) == nullptr);
  BOOST_TEST(messages.place_of(3) == 2U);
}

BOOST_AUTO_TEST_CASE(a_message_back_to_the_opener_of_a_conversation_answers_it) {
  Messages messages;
  const Number asked = messages.add(said("ann", "bob", "?", 7));
  messages.add(said("ann", "bob", "more", 7));
  const Number answered = messages.add(said("bob", "ann", "!", 7));
  BOOST_TEST(messages.find(answered)->answers == asked);
  BOOST_TEST(messages.find(2)->answers == 0U);
}

BOOST_AUTO_TEST_CASE(the_oldest_messages_make_room) {
  Messages messages({.messages = 3});
  for (int i = 0; i < 5; ++i) messages.add(said("ann", "bob", std::to_string(i), 9));
  BOOST_TEST(messages.all().size() == 3U);
  BOOST_TEST(messages.all().front().content == "2");
  BOOST_TEST(messages.find(1) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_long_content_is_cut_and_its_size_is_known) {
  Messages messages({.content = 10});
  const Number n = messages.add(said("ann", "bob", std::string(100, 'x')));
  BOOST_TEST(messages.find(n)->content.size() == 10U);
  BOOST_TEST(messages.find(n)->size == 100U);
  BOOST_TEST(messages.find(n)->is_cut);
}

BOOST_AUTO_TEST_CASE(a_stage_finds_its_message_by_sender_life_and_sequence) {
  Messages messages;
  Seen seen = said("ann", "bob", "hello");
  seen.life.counter = 2, seen.sequence = 5;
  const Number n = messages.add(seen);
  const StageNews ended{StageNews::What::ended, test::at(2), Outcome::expired, std::nullopt};
  BOOST_TEST(messages.note(Name("ann"), seen.life, 5, ended) == n);
  BOOST_TEST(messages.note(Name("ann"), Incarnation(), 5, ended) == 0U);
  BOOST_CHECK(*messages.find(n)->outcome == Outcome::expired);
  BOOST_TEST(messages.news().size() == 1U);
}

BOOST_AUTO_TEST_CASE(memory_stays_within_its_limits_whatever_comes) {
  rc::check("the limits hold, and every kept message is found", [] {
    const MessageLimits limits{.messages = 20, .bytes = 20'000, .content = 300, .gaps = 4};
    Messages messages(limits);
    const auto steps =
        *rc::gen::container<std::vector<std::uint16_t>>(200, rc::gen::arbitrary<std::uint16_t>());
    for (const std::uint16_t step : steps) {
      Seen seen = said("a" + std::to_string(step % 5), "b" + std::to_string(step % 3),
                       std::string(step % 997, 'x'), step % 11);
      seen.n = step % 4 == 0 ? step : 0;
      seen.sequence = step % 17;
      seen.headers.assign(step % 7, {std::string(step % 83, 'h'), "v"});
      messages.add(std::move(seen));
      messages.note(step, {StageNews::What::kept, test::at(3)});
      messages.add(Gap{test::at(1), step, "mailbox", {}});
      RC_ASSERT(messages.all().size() <= limits.messages);
      RC_ASSERT(messages.bytes() <= limits.bytes);
      RC_ASSERT(messages.gaps().size() <= limits.gaps);
      RC_ASSERT(messages.news().size() <= 2 * limits.messages);
      std::size_t cost = 0;
      for (const Seen& each : messages.all()) {
        RC_ASSERT(messages.find(each.n) == &each);
        cost += cost_of(each);
      }
      RC_ASSERT(cost == messages.bytes());
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
