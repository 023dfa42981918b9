#include "acl_json.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::command {

namespace {

acl::Message message_with_everything() {
  acl::Message message;
  message.performative = acl::Performative::query_ref;
  message.sender = {.name = "ann@lab", .addresses = {"http://a", "http://b"}};
  message.receivers = {{.name = "bob@shop", .resolvers = {{.name = "df@shop"}}},
                       {.name = "eve@shop", .user = {{"k", "v"}}}};
  message.reply_to = {{.name = "dan@lab"}};
  message.content = "(price \"fish\" ?x)";
  message.language = "fipa-sl";
  message.encoding = "utf-8";
  message.ontology = "prices";
  message.protocol = "fipa-query";
  message.conversation_id = "c1";
  message.reply_with = "r1";
  message.in_reply_to = "r0";
  message.reply_by = acl::date_time_from("20231114T221320123Z");
  message.user = {{"foo", "1"}, {"foo", "2"}};
  return message;
}

std::string refused(std::string_view text) {
  try {
    message_from_json(text);
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_options));
    return error.sentence();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(acl_json)

BOOST_AUTO_TEST_CASE(a_message_is_one_line_of_json) {
  BOOST_TEST(json_of(message_with_everything()) ==
             R"({"performative":"query-ref",)"
             R"("sender":{"name":"ann@lab","addresses":["http://a","http://b"]},)"
             R"("receivers":[{"name":"bob@shop","resolvers":[{"name":"df@shop"}]},)"
             R"({"name":"eve@shop","user":[{"name":"k","value":"v"}]}],)"
             R"("reply-to":[{"name":"dan@lab"}],)"
             R"-("content":"(price \"fish\" ?x)","language":"fipa-sl",)-"
             R"("encoding":"utf-8","ontology":"prices","protocol":"fipa-query",)"
             R"("conversation-id":"c1","reply-with":"r1","in-reply-to":"r0",)"
             R"("reply-by":"20231114T221320123Z",)"
             R"("user":[{"name":"foo","value":"1"},{"name":"foo","value":"2"}]})");
  BOOST_TEST(json_of(acl::Message()) == R"({"performative":"not-understood"})");
}

BOOST_AUTO_TEST_CASE(the_json_of_a_message_is_the_message) {
  const acl::Message message = message_with_everything();
  BOOST_TEST((message_from_json(json_of(message)) == message));
  BOOST_TEST((message_from_json(" {\"performative\": \"Agree\"}\n").performative ==
              acl::Performative::agree));
}

BOOST_AUTO_TEST_CASE(bytes_are_base64) {
  acl::Message message;
  message.content = Bytes{std::byte{0}, std::byte{255}};
  BOOST_TEST(json_of(message) == R"({"performative":"not-understood","content-base64":"AP8="})");
  BOOST_TEST((message_from_json(json_of(message)) == message));
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_is_base64_in_the_content_and_replaced_elsewhere) {
  acl::Message message;
  message.content = "caf\xe9";
  message.ontology = "caf\xe9";
  BOOST_TEST(json_of(message) ==
             "{\"performative\":\"not-understood\",\"content-base64\":"
             "\"Y2Fm6Q==\",\"ontology\":\"caf\\ufffd\"}");
}

BOOST_AUTO_TEST_CASE(text_that_deceives_a_reader_is_escaped) {
  acl::Message message;
  message.content = "hi\x1b[2J\xe2\x80\xae";
  BOOST_TEST(json_of(message).find(R"("content":"hi\u001b[2J\u202e")") != std::string::npos);
  BOOST_TEST((message_from_json(json_of(message)) == message));
}

BOOST_AUTO_TEST_CASE(json_that_is_no_message_is_refused_with_its_place) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"", "the message is not valid JSON from character 1 on; write an object as"},
      {"{", "the message is not valid JSON from character 2 on"},
      {"{} x", "the message is not valid JSON from character 4 on"},
      {"[]", "in the JSON of the message, the whole value is not an object"},
      {"{}", "the whole value has no \"performative\""},
      {R"({"performative":7})", "\"performative\" is not a text"},
      {R"({"performative":"shout"})", "\"performative\" is not the name of a performative"},
      {R"({"colour":"red"})", "\"colour\" is not known; leave it out"},
      {R"({"sender":"ann"})", "\"sender\" is not an object"},
      {R"({"sender":{"age":7}})", "\"sender\".\"age\" is not known"},
      {R"({"receivers":{}})", "\"receivers\" is not a list"},
      {R"({"receivers":[{"name":"a"},{"name":7}]})", "\"receivers\"[1].\"name\" is not a text"},
      {R"({"sender":{"addresses":[7]}})", "\"sender\".\"addresses\"[0] is not a text"},
      {R"({"sender":{"resolvers":[[]]}})", "\"sender\".\"resolvers\"[0] is not an object"},
      {R"({"user":{"k":"v"}})", "\"user\" is not a list"},
      {R"({"user":[{"key":"v"}]})", "\"user\"[0].\"key\" is not known"},
      {R"({"reply-by":"today"})", "\"reply-by\" is not a date"},
      {R"({"content-base64":"!"})", "\"content-base64\" is not Base64"},
      {R"({"content":["a"]})", "\"content\" is not a text"},
  };
  for (const auto& [text, reason] : table) {
    const std::string sentence = refused(text);
    BOOST_TEST(sentence.find(reason) != std::string::npos, sentence << " instead of " << reason);
  }
  BOOST_TEST(refused(std::string(100'000, '[')) != "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::command
