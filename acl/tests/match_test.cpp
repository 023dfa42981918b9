#include "coracle/acl/match.hpp"

#include "coracle/detail/message_record.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using coracle::Bytes;
using coracle::Content;
using coracle::Match;

// A message that no node has sent.
class Received final : public coracle::MessageView {
 public:
  explicit Received(Content content) : MessageView(&record_), content_(std::move(content)) {
    record_.content = content_.block();
  }
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;

 private:
  Content content_;
  coracle::detail::MessageRecord record_{};
};

bool fits(const Match& match, const Message& message) {
  const Content content = Content::of(message);
  const bool as_value = match.fits(Received(content));
  BOOST_TEST(match.fits(Received(content.encoded())) == as_value);
  return as_value;
}

// A match that fits `message` fits no message that differs from it by `change`.
template <class Change>
bool distinguishes(const Match& match, const Message& message, Change change) {
  Message other = message;
  change(other);
  return fits(match, message) && !fits(match, other);
}

BOOST_AUTO_TEST_SUITE(match)

BOOST_AUTO_TEST_CASE(each_match_looks_at_its_own_parameter) {
  Message all;
  all.performative = Performative::inform;
  all.language = all.encoding = all.ontology = all.protocol = "x";
  all.conversation_id = all.reply_with = all.in_reply_to = "x";
  all.content = "x";
  all.reply_by = date_time_of({});
  BOOST_TEST(distinguishes(of_performative(Performative::inform), all,
                           [](Message& m) { m.performative = Performative::agree; }));
  BOOST_TEST(distinguishes(of_language("x"), all, [](Message& m) { m.language = "y"; }));
  BOOST_TEST(distinguishes(of_encoding("x"), all, [](Message& m) { m.encoding = "y"; }));
  BOOST_TEST(distinguishes(of_ontology("x"), all, [](Message& m) { m.ontology = "y"; }));
  BOOST_TEST(distinguishes(of_protocol("x"), all, [](Message& m) { m.protocol = "y"; }));
  BOOST_TEST(distinguishes(of_conversation("x"), all, [](Message& m) { m.conversation_id = "y"; }));
  BOOST_TEST(distinguishes(with_reply_with("x"), all, [](Message& m) { m.reply_with = "y"; }));
  BOOST_TEST(distinguishes(replying_to("x"), all, [](Message& m) { m.in_reply_to = "y"; }));
  BOOST_TEST(distinguishes(with_content("x"), all, [](Message& m) { m.content = "y"; }));
  BOOST_TEST(distinguishes(with_reply_by(date_time_of({})), all,
                           [](Message& m) { m.reply_by->millisecond = 1; }));
}

BOOST_AUTO_TEST_CASE(names_fit_in_any_case_and_identifiers_do_not) {
  Message message;
  message.sender.name = "Ann@Lab";
  message.language = "FIPA-SL0";
  message.encoding = "UTF-8";
  message.ontology = "FIPA-Agent-Management";
  message.protocol = "FIPA-Request";
  message.conversation_id = message.reply_with = message.in_reply_to = "C1";
  message.content = "HI";
  message.user = {{"Colour", "Red"}};
  BOOST_TEST(fits(from_agent("ann@lab") && of_language("fipa-sl0") && of_encoding("utf-8") &&
                      of_ontology("fipa-agent-management") && of_protocol("fipa-request") &&
                      with_parameter("colour", "Red"),
                  message));
  BOOST_TEST(!fits(of_conversation("c1") || with_reply_with("c1") || replying_to("c1") ||
                       with_content("hi") || with_parameter("Colour", "red"),
                   message));
}

BOOST_AUTO_TEST_CASE(an_agent_fits_by_its_name_wherever_it_is_in_a_list) {
  Message message;
  message.receivers = {{.name = "bob@p"}, {.name = "Eve@p", .addresses = {"http://x"}}};
  message.reply_to = {{.name = "dan@p"}};
  BOOST_TEST(fits(to_agent("bob@p") && to_agent("eve@p") && answered_to("dan@p"), message));
  BOOST_TEST(!fits(to_agent("dan@p") || answered_to("bob@p") || from_agent("bob@p"), message));
}

BOOST_AUTO_TEST_CASE(an_empty_text_fits_messages_without_the_parameter) {
  Message message;
  BOOST_TEST(
      fits(of_protocol("") && of_conversation("") && from_agent("") && with_content(""), message));
  message.protocol = "x";
  BOOST_TEST(!fits(of_protocol(""), message));
}

BOOST_AUTO_TEST_CASE(bytes_are_other_content_than_text) {
  Message message;
  message.content = Bytes{std::byte{'x'}};
  BOOST_TEST(!fits(with_content("x"), message));
  BOOST_TEST(fits(with_content(Bytes{std::byte{'x'}}), message));
}

BOOST_AUTO_TEST_CASE(an_example_fits_what_has_all_that_the_example_has) {
  Message example;
  example.sender.name = "ann@p";
  example.receivers = {{.name = "bob@p"}};
  example.protocol = "fipa-request";
  example.conversation_id = "c1";
  example.user = {{"colour", "red"}};
  Message message = example;
  message.performative = Performative::agree;
  message.sender.addresses = {"http://x"};
  message.receivers.push_back({.name = "eve@p"});
  message.content = "hi";
  message.reply_by = date_time_of({});
  BOOST_TEST(fits(like(example), message));
  BOOST_TEST(fits(like({}), message));
  BOOST_TEST(distinguishes(like(example), message, [](Message& m) { m.sender.name = "x"; }));
  BOOST_TEST(distinguishes(like(example), message,
                           [](Message& m) { m.receivers.erase(m.receivers.begin()); }));
  BOOST_TEST(distinguishes(like(example), message, [](Message& m) { m.protocol.clear(); }));
  BOOST_TEST(distinguishes(like(example), message, [](Message& m) { m.conversation_id = "C1"; }));
  BOOST_TEST(distinguishes(like(example), message, [](Message& m) { m.user.clear(); }));
  BOOST_TEST(distinguishes(like(message), message, [](Message& m) { m.content = "ho"; }));
  BOOST_TEST(distinguishes(like(message), message, [](Message& m) { m.reply_by.reset(); }));
}

BOOST_AUTO_TEST_CASE(a_predicate_of_the_callers_own_sees_the_message) {
  Message message;
  message.content = "((price 7))";
  const auto about_prices =
      where([](const Message& m) { return text_of(m).find("price") != std::string_view::npos; });
  BOOST_TEST(fits(about_prices, message));
  BOOST_TEST(!fits(about_prices, {}));
  BOOST_TEST(!fits(!about_prices, message));
}

BOOST_AUTO_TEST_CASE(other_content_never_fits) {
  for (const Match& match : {any_message(), of_protocol(""), like({})}) {
    BOOST_TEST(!match.fits(Received(Content("hi"))));
    BOOST_TEST(!match.fits(Received(Content())));
    const std::byte broken[] = {std::byte{0x81}};
    BOOST_TEST(!match.fits(Received(Content::bytes(broken, "acl/message"))));
    BOOST_TEST(fits(match, {}));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
