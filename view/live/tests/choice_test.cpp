#include "model/choice.hpp"
#include "support/samples.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::view {

using test::said;

BOOST_AUTO_TEST_SUITE(choice)

BOOST_AUTO_TEST_CASE(a_choice_goes_by_names_types_conversation_and_text) {
  const Seen message = said("lab/ann", "shop/bob", "Two APPLES, please", 7);
  BOOST_TEST(Choice{}.fits(message));
  BOOST_TEST(Choice{.names = {"lab/*"}}.fits(message));
  BOOST_TEST(!Choice{.names = {"lab"}}.fits(message));
  BOOST_TEST(Choice{.types = {"text/**"}}.fits(message));
  BOOST_TEST(!Choice{.types = {"plan/*"}}.fits(message));
  BOOST_TEST(!Choice{.conversation = 8}.fits(message));
  BOOST_TEST(Choice{.text = "apples"}.fits(message));
  BOOST_TEST(!Choice{.text = "pears"}.fits(message));
}

BOOST_AUTO_TEST_CASE(a_preview_ends_between_two_characters) {
  BOOST_TEST(preview(said("a", "b", "\xc3\xa4\xc3\xb6\xc3\xbc"), 2) == "\xc3\xa4\xc3\xb6");
  BOOST_TEST(preview(said("a", "b", std::string(1000, 'x'))).size() == 200U);
}

BOOST_AUTO_TEST_CASE(a_batch_has_new_messages_and_folds_those_beyond_the_rate) {
  Messages messages;
  Cursor cursor(messages);
  for (int i = 0; i < 10; ++i) messages.add(said("ann", i % 2 ? "bob" : "cid", "hi"));
  const Batch first = cursor.take(messages, {}, 4);
  BOOST_TEST(first.messages.size() == 4U);
  BOOST_TEST(first.folded == 6U);
  BOOST_TEST(first.pairs.size() == 2U);
  BOOST_TEST(first.pairs[0].count + first.pairs[1].count == 6U);
  BOOST_TEST(cursor.take(messages, {}, 4).empty());
}

BOOST_AUTO_TEST_CASE(a_browser_that_is_slow_gets_what_went_meanwhile_as_folded) {
  Messages messages({.messages = 5});
  Cursor cursor(messages);
  for (int i = 0; i < 20; ++i) messages.add(said("ann", "bob", "hi"));
  const Batch batch = cursor.take(messages, {}, 100);
  BOOST_TEST(batch.messages.size() == 5U);
  BOOST_TEST(batch.folded == 15U);
}

BOOST_AUTO_TEST_CASE(stages_and_gaps_come_once) {
  Messages messages;
  Cursor cursor(messages);
  messages.add(said("ann", "bob", "hi"));
  cursor.take(messages, {}, 10);
  messages.note(1, {StageNews::What::taken, test::at(2)});
  messages.note(1, {StageNews::What::ended, test::at(3), Outcome::consumed, std::nullopt});
  messages.add(Gap{test::at(3), 4, "mailbox", {}});
  const Batch batch = cursor.take(messages, {}, 10);
  BOOST_TEST(batch.messages.empty());
  BOOST_TEST(batch.changed.size() == 1U);
  BOOST_TEST(batch.gaps.size() == 1U);
  BOOST_TEST(cursor.take(messages, {}, 10).empty());
}

BOOST_AUTO_TEST_CASE(a_cursor_goes_back_over_the_last_messages) {
  Messages messages;
  for (int i = 0; i < 10; ++i) messages.add(said("ann", "bob", std::to_string(i)));
  Cursor cursor(messages);
  cursor.move_back(messages, 3);
  BOOST_TEST(cursor.take(messages, {}, 100).messages.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
