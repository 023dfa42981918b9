#include "coracle/acl/message.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using coracle::Bytes;

Message question() {
  Message message;
  message.performative = Performative::query_ref;
  message.sender = {.name = "ann@lab", .addresses = {"http://127.0.0.1:7778/acc"}};
  message.receivers = {{.name = "bob@shop"}, {.name = "eve@shop", .user = {{"floor", "2"}}}};
  message.content = "((iota ?x (price ?x)))";
  message.language = "fipa-sl";
  message.encoding = "utf-8";
  message.ontology = "prices";
  message.protocol = "fipa-query";
  message.conversation_id = "c1";
  message.reply_with = "r1";
  message.in_reply_to = "r0";
  message.reply_by = date_time_from("20231114T221320123Z");
  message.user = {{"colour", "red"}};
  return message;
}

coracle::Content through_bytes(const Message& message) {
  return coracle::Content::of(message).encoded();
}

BOOST_AUTO_TEST_SUITE(message)

BOOST_AUTO_TEST_CASE(each_performative_has_the_name_and_the_number_of_its_table) {
  const std::pair<int, std::string_view> table[] = {{0, "accept-proposal"},
                                                    {1, "agree"},
                                                    {2, "cancel"},
                                                    {3, "cfp"},
                                                    {4, "confirm"},
                                                    {5, "disconfirm"},
                                                    {6, "failure"},
                                                    {7, "inform"},
                                                    {8, "inform-if"},
                                                    {9, "inform-ref"},
                                                    {10, "not-understood"},
                                                    {11, "propose"},
                                                    {12, "query-if"},
                                                    {13, "query-ref"},
                                                    {14, "refuse"},
                                                    {15, "reject-proposal"},
                                                    {16, "request"},
                                                    {17, "request-when"},
                                                    {18, "request-whenever"},
                                                    {19, "subscribe"},
                                                    {20, "proxy"},
                                                    {21, "propagate"}};
  BOOST_TEST(std::size(table) == performatives);
  for (const auto& [number, name] : table) {
    BOOST_TEST(to_text(Performative(number)) == name);
    BOOST_TEST((performative_of(name) == Performative(number)), name);
  }
  BOOST_TEST((performative_of("Accept-PROPOSAL") == Performative::accept_proposal));
}

BOOST_AUTO_TEST_CASE(other_names_and_numbers_are_no_performatives) {
  for (const auto* name : {"", "informs", "accept proposal", "accept_proposal", "inform "}) {
    BOOST_TEST(!performative_of(name), name);
  }
  BOOST_TEST(to_text(Performative(22)) == "not-understood");
  BOOST_TEST(to_text(Performative(255)) == "not-understood");
}

BOOST_AUTO_TEST_CASE(agents_are_the_same_by_their_names_in_any_case) {
  BOOST_TEST(is_same_agent({.name = "Ann@Lab", .addresses = {"x"}}, {.name = "ann@lab"}));
  BOOST_TEST(!is_same_agent({.name = "ann@lab"}, {.name = "ann@lab2"}));
  BOOST_TEST(!is_same_agent({.name = "\xc3\x84"}, {.name = "\xc3\xa4"}));  // only ASCII letters
  BOOST_TEST((AgentId{.name = "Ann@Lab"} != AgentId{.name = "ann@lab"}));
}

BOOST_AUTO_TEST_CASE(a_name_has_a_local_part_and_a_platform) {
  BOOST_TEST(local_part("ann@lab") == "ann");
  BOOST_TEST(platform_part("ann@lab") == "lab");
  BOOST_TEST(local_part("a@b@c") == "a@b");
  BOOST_TEST(platform_part("a@b@c") == "c");
  BOOST_TEST(local_part("ann") == "ann");
  BOOST_TEST(platform_part("ann") == "");
  BOOST_TEST(local_part("@lab") == "");
  BOOST_TEST(platform_part("ann@") == "");
}

BOOST_AUTO_TEST_CASE(a_message_travels_as_content_of_our_agents) {
  Message sent = question();
  sent.reply_to = {{.name = "dan@lab", .resolvers = {{.name = "df@lab", .resolvers = {{"x"}}}}}};
  BOOST_TEST((through_bytes(sent).as<Message>() == sent));
  sent.content = Bytes{std::byte{0}, std::byte{255}};
  BOOST_TEST((through_bytes(sent).as<Message>() == sent));
  BOOST_TEST((through_bytes({}).as<Message>() == Message()));
}

BOOST_AUTO_TEST_CASE(a_message_with_a_number_that_is_no_performative_is_not_decoded) {
  Message sent;
  sent.performative = Performative(22);
  const auto content = through_bytes(sent);
  BOOST_CHECK_EXCEPTION(content.as<Message>(), coracle::Error, [](const coracle::Error& error) {
    return error.errc() == coracle::Errc::bad_encoding &&
           error.sentence().find("no performative with the number 22") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(resolvers_that_are_nested_too_deep_are_not_decoded) {
  AgentId id{.name = "deep"};
  for (int depth = 0; depth < 40; ++depth) id = {.name = "deep", .resolvers = {id}};
  Message sent;
  sent.sender = id;
  BOOST_CHECK_THROW(coracle::Content::of(sent).bytes(), coracle::Error);
  std::string bytes = "\x82\x00";  // [0, ["a", [], [["a", [], [[…
  for (int depth = 0; depth < 40; ++depth) bytes += "\x83\x61\x61\x80\x81";
  bytes += "\x80";
  const auto content = coracle::Content::bytes(std::as_bytes(std::span(bytes)), "acl/message");
  BOOST_CHECK_THROW(content.as<Message>(), coracle::Error);
}

BOOST_AUTO_TEST_CASE(the_body_is_text_or_bytes) {
  Message message;
  BOOST_TEST(!has_content(message));
  message.content = "hi";
  BOOST_TEST(text_of(message) == "hi");
  BOOST_TEST(bytes_of(message).size() == 2);
  BOOST_TEST(has_content(message));
  message.content = Bytes{std::byte{'h'}};
  BOOST_TEST(text_of(message) == "");
  BOOST_TEST((bytes_of(message)[0] == std::byte{'h'}));
}

BOOST_AUTO_TEST_CASE(a_reply_goes_to_the_sender_and_stays_in_the_conversation) {
  const Message answer = reply(question(), Performative::inform_ref);
  Message expected;
  expected.performative = Performative::inform_ref;
  expected.receivers = {question().sender};
  expected.language = "fipa-sl";
  expected.ontology = "prices";
  expected.protocol = "fipa-query";
  expected.conversation_id = "c1";
  expected.in_reply_to = "r1";
  BOOST_TEST((answer == expected));
}

BOOST_AUTO_TEST_CASE(a_reply_goes_to_the_agents_of_reply_to_if_there_are_any) {
  Message message = question();
  message.reply_to = {{.name = "dan@lab"}, {.name = "eve@lab"}};
  BOOST_TEST((reply(message, Performative::agree).receivers == message.reply_to));
}

BOOST_AUTO_TEST_CASE(a_reply_to_nobody_has_no_receivers) {
  BOOST_TEST(reply({}, Performative::refuse).receivers.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
