#include "coracle/acl/string_codec.hpp"

#include "support/draw.hpp"
#include "support/hostile.hpp"
#include "support/jade.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;
using namespace std::string_literals;
using coracle::Bytes;
using coracle::Errc;

Message informing(std::string content) {
  Message message;
  message.performative = Performative::inform;
  message.content = std::move(content);
  return message;
}

std::string content_read(std::string_view text) { return std::string(text_of(read_string(text))); }

// The value of the parameter `language` when it is written so.
std::string value_read(const std::string& value) {
  return read_string("(inform :language " + value + ")").language;
}

// The form in which the value of the parameter `language` is written.
std::string value_written(const std::string& value) {
  Message message;
  message.language = value;
  const std::string text = write_string(message);
  constexpr std::string_view head = "(NOT-UNDERSTOOD\n :language  ";
  BOOST_REQUIRE(text.starts_with(head));
  BOOST_TEST(read_string(text).language == value);
  return text.substr(head.size(), text.size() - head.size() - 2);
}

std::string why_not_read(std::string_view text, const Limits& limits = {}) {
  return refusal([&] { read_string(text, limits); });
}

BOOST_AUTO_TEST_SUITE(string_codec)

BOOST_AUTO_TEST_CASE(the_example_that_jade_emits_is_read_and_written_byte_for_byte) {
  BOOST_TEST((read_string(jade_string) == jade_message()));
  BOOST_TEST(write_string(jade_message()) == jade_string);
}

BOOST_AUTO_TEST_CASE(an_empty_inform_is_read_and_written_as_by_jade) {
  const Message message{.performative = Performative::inform};
  BOOST_TEST((read_string("(INFORM\n)") == message));
  BOOST_TEST(write_string(message) == "(INFORM\n)");
  BOOST_TEST((read_string("(inform)") == message));
}

BOOST_AUTO_TEST_CASE(all_that_an_agent_has_is_written_as_by_jade) {
  Message message;
  message.performative = Performative::cfp;
  message.sender = {.name = "c@d"};
  message.reply_to = {{.name = "ann smith@p1",
                       .addresses = {"http://a", "http://b"},
                       .resolvers = {{.name = "df@p1", .addresses = {"http://c"}}},
                       .user = {{"JADE-agent-classname", "df.A"}, {"note", "a \"b\""}}},
                      {.name = "e"}};
  BOOST_TEST(write_string(message) ==
             "(CFP\n :sender  ( agent-identifier :name c@d )\n :reply-to  (set \n"
             "( agent-identifier :name \"ann smith@p1\"  :addresses (sequence http://a http://b ) "
             ":resolvers (sequence ( agent-identifier :name df@p1  :addresses (sequence http://c ))"
             " ) :X-JADE-agent-classname df.A  :X-note \"a \\\"b\\\"\" ) ( agent-identifier :name e"
             " ) )\n)");
  BOOST_TEST((read_string(write_string(message)) == message));
}

BOOST_AUTO_TEST_CASE(bytes_travel_as_base64_with_the_mark_of_jade) {
  Message message = informing("");
  message.content = Bytes{std::byte{0}, std::byte{1}, std::byte{255}, std::byte{10}};
  const std::string text = "(INFORM\n:X-JADE-Encoding Base64\n :content  \"AAH/Cg==\" \n)";
  BOOST_TEST(write_string(message) == text);
  BOOST_TEST((read_string(text) == message));
  BOOST_TEST((read_string("(inform :content AAH/Cg== :x-jade-encoding BASE64)") == message));
  BOOST_TEST(
      (read_string("(inform :content \" A A\nH/\tCg==\r\" :X-JADE-Encoding Base64)") == message));
}

BOOST_AUTO_TEST_CASE(no_bytes_are_no_content) {
  Message message = informing("");
  message.content = Bytes();
  BOOST_TEST(write_string(message) == "(INFORM\n)");
  BOOST_TEST((read_string("(inform :X-JADE-Encoding Base64 :content \"\")") == informing("")));
  BOOST_TEST((read_string("(inform :X-JADE-Encoding Base64)") == informing("")));
}

BOOST_AUTO_TEST_CASE(content_with_another_mark_stays_text) {
  Message message = informing("AAH/Cg==");
  message.user = {{"JADE-Encoding", "gzip"}};
  BOOST_TEST((read_string(write_string(message)) == message));
}

BOOST_AUTO_TEST_CASE(base64_of_every_length_comes_back) {
  for (std::size_t size = 1; size < 10; ++size) {
    Message message;
    message.content = Bytes(size, std::byte{0xfb});
    BOOST_TEST((read_string(write_string(message)) == message), size);
  }
}

BOOST_AUTO_TEST_CASE(a_value_is_bare_only_where_every_platform_reads_it_as_a_word) {
  for (const std::string word : {"fipa-sl0", "a@b:c#d", "X", "NaN", "http://127.0.0.1:7778/acc"}) {
    BOOST_TEST(value_written(word) == word);
  }
  for (const std::string text :
       {"42", "-1.5e3", "12f", "12d", "0x1p3", "my onto", "(a b)", "caf\xc3\xa9", "@a", "+1",
        ":sender", "_a", "set", "Sequence", "agent-identifier", "a\tb", "a\x7f", "\x01"}) {
    BOOST_TEST(value_written(text) == '"' + text + '"');
  }
  BOOST_TEST(value_written("a\"b") == "\"a\\\"b\"");
}

BOOST_AUTO_TEST_CASE(a_text_that_ends_in_a_backslash_is_written_with_its_length) {
  BOOST_TEST(value_written("a b\\") == "#4\"a b\\");
  BOOST_TEST(value_written("1\\") == "#2\"1\\");
  BOOST_TEST(value_written("C:\\") == "C:\\");  // a word has no end to be found
  BOOST_TEST(write_string(informing("abc\\")) == "(INFORM\n :content  #4\"abc\\ \n)");
  BOOST_TEST(content_read("(inform :content #4\"abc\\ )") == "abc\\");
}

BOOST_AUTO_TEST_CASE(in_quotes_only_the_quote_is_escaped) {
  BOOST_TEST(content_read(R"((inform :content "a \"b\" c"))") == R"(a "b" c)");
  BOOST_TEST(content_read(R"((inform :content "a\\b"))") == R"(a\\b)");
  BOOST_TEST(content_read(R"((inform :content "a\\"b"))") == R"(a\"b)");
  BOOST_TEST(content_read(R"((inform :content "\"\""))") == R"("")");
  BOOST_TEST(content_read(R"((inform :content ""))") == "");
  BOOST_TEST(write_string(informing(R"(a\"b)")) == "(INFORM\n :content  \"a\\\\\"b\" \n)");
}

BOOST_AUTO_TEST_CASE(a_long_text_with_quotes_comes_back) {
  for (const std::size_t size : {4'094u, 4'095u, 4'096u, 4'097u, 8'191u, 8'192u, 8'193u, 50'000u}) {
    for (const std::string piece : {"\"", "ab\"", "\\\"x"}) {
      std::string content = "\"";
      while (content.size() < size) content += piece;
      content += 'x';
      BOOST_TEST(content_read(write_string(informing(content))) == content);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_text_with_its_length_may_have_any_bytes) {
  BOOST_TEST(content_read("(inform :content #6\"a\"\\)\n( )") == "a\"\\)\n(");
  BOOST_TEST(content_read("(inform :content #3\"a\0b)"s) == "a\0b"s);
  BOOST_TEST(value_read("#0\"") == "");
  BOOST_TEST(value_read("#002\"ab") == "ab");
}

BOOST_AUTO_TEST_CASE(words_are_read_as_jade_emits_them) {
  for (const std::string word : {"42", "-1.5e3", "12f", "caf\xc3\xa9", ":x", "a\"b", "@a", "+1",
                                 "20231114T221320123Z", "a\\", "*"}) {
    BOOST_TEST(value_read(word) == word);
  }
}

BOOST_AUTO_TEST_CASE(an_expression_stays_the_text_that_it_is) {
  for (const std::string text :
       {"()", "(a (b c) \"d e\")", "(a #2\")( \"\\\")\")", "(1 2)", "(a\n:b   c)"}) {
    BOOST_TEST(value_read(text) == text);
    BOOST_TEST(value_read(value_written(text)) == text);
  }
}

BOOST_AUTO_TEST_CASE(keywords_are_read_in_any_case_and_layout) {
  const Message message = read_string(
      "\r\n\t ( QUERY-ref :SENDER(Agent-Identifier :NAME a :Addresses(SEQUENCE x y))"
      ":Receiver(SET(agent-identifier :addresses(set):name \"b c\"))\r\n:PROTOCOL \"p\""
      ":Conversation-ID\t(c):reply-WITH #1\"r:in-reply-to 7 :x-Y z\n) \n");
  Message expected;
  expected.performative = Performative::query_ref;
  expected.sender = {.name = "a", .addresses = {"x", "y"}};
  expected.receivers = {{.name = "b c"}};
  expected.protocol = "p";
  expected.conversation_id = "(c)";
  expected.reply_with = "r";
  expected.in_reply_to = "7";
  expected.user = {{"Y", "z"}};
  BOOST_TEST((message == expected));
}

BOOST_AUTO_TEST_CASE(the_last_parameter_of_a_name_counts_and_those_of_users_all_stay) {
  const Message message = read_string(
      "(inform :language a :language b :sender (agent-identifier :name a :X-k v) "
      ":sender (agent-identifier :name b) :receiver (set (agent-identifier :name c)) "
      ":receiver (set (agent-identifier :name d)) :X-k 1 :X-k 2 :content x :content \"\")");
  BOOST_TEST(message.language == "b");
  BOOST_TEST((message.sender == AgentId{.name = "b"}));
  BOOST_TEST((message.receivers == std::vector<AgentId>{{.name = "d"}}));
  BOOST_TEST((message.user == Parameters{{"k", "1"}, {"k", "2"}}));
  BOOST_TEST(text_of(message) == "");
}

BOOST_AUTO_TEST_CASE(names_of_user_parameters_lose_one_prefix) {
  Message message;
  message.user = {{"X-foo", "1"}, {"x-", "2"}, {"foo", ""}};
  BOOST_TEST(write_string(message) == "(NOT-UNDERSTOOD\n:X-X-foo \"1\" :X-x- \"2\" :X-foo \"\" )");
  BOOST_TEST((read_string(write_string(message)) == message));
}

BOOST_AUTO_TEST_CASE(a_date_is_read_in_each_of_its_forms) {
  for (const std::string date : {"20231114T221320123Z", "20231114T221320123", "+00000000T000005000",
                                 "-00000001T000000000a"}) {
    const Message message = read_string("(inform :reply-by " + date + ")");
    BOOST_REQUIRE(message.reply_by);
    BOOST_TEST(to_text(*message.reply_by) == date);
    BOOST_TEST((read_string(write_string(message)) == message));
  }
}

BOOST_AUTO_TEST_CASE(every_message_comes_back) {
  const bool holds = rc::check([] {
    const Message message = draw_message(any_texts(), plain_keys());
    RC_ASSERT(read_string(write_string(message)) == message);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(bad_messages_are_refused_with_the_place_and_the_reason) {
  const std::pair<std::string, std::string> table[] = {
      {"", "at byte 0, there is no '('"},
      {"inform", "at byte 0, there is no '('"},
      {"()", "at byte 1, there is no performative \"\""},
      {"(shout)", "at byte 1, there is no performative \"shout\""},
      {"(inform", "at byte 7, the bracket of the message is not closed"},
      {"(inform x)", "at byte 8, there is no ':'"},
      {"(inform :colour red)", "at byte 9, there is no parameter \"colour\"; those of users begin"},
      {"(inform) (inform)", "at byte 9, something follows the message"},
      {"(inform :language)", "at byte 17, a parameter has no value"},
      {"(inform :language \x01)", "at byte 18, a parameter has no value"},
      {"(inform :protocol a b)", "at byte 20, there is no ':'"},
      {"(inform :content \"a)", "at byte 17, a text has no closing quote"},
      {"(inform :content \"a\\\")", "at byte 17, a text has no closing quote"},
      {"(inform :content #9\"a)", "at byte 17, a text is longer than the message"},
      {"(inform :content #99999999999999999999\"a)", "at byte 17, the length of a text is not"},
      {"(inform :content #\"a)", "at byte 17, the length of a text is not a number"},
      {"(inform :content #-1\"a)", "at byte 17, the length of a text is not a number"},
      {"(inform :content #1)", "at byte 17, the length of a text is not a number"},
      {"(inform :content (a)", "at byte 20, the bracket of the message is not closed"},
      {"(inform :content (a (b)", "at byte 17, the bracket of an expression is not closed"},
      {"(inform :content (a \x02))", "at byte 20, an expression has a control character"},
      {"(inform :content A :X-JADE-Encoding Base64)", "at byte 17, the content is not Base64"},
      {"(inform :content A=A= :X-JADE-Encoding Base64)", "at byte 17, the content is not Base64"},
      {"(inform :content A=== :X-JADE-Encoding Base64)", "at byte 17, the content is not Base64"},
      {"(inform :content A-AA :X-JADE-Encoding Base64)", "at byte 17, the content is not Base64"},
      {"(inform :reply-by today)", "at byte 18, \"today\" is not a date"},
      {"(inform :X- v)", "at byte 9, the name of a user parameter is not one word of ASCII"},
      {"(inform :X-\xc3\xa9 v)", "at byte 9, the name of a user parameter is not one word"},
      {"(inform :X-a\"b v)", "at byte 9, the name of a user parameter is not one word"},
      {"(inform :sender a)", "at byte 16, there is no '('"},
      {"(inform :sender (agent))", "at byte 16, there is no agent-identifier"},
      {"(inform :sender (agent-identifier))", "at byte 16, the agent has no name"},
      {"(inform :sender (agent-identifier :name \"\"))", "at byte 16, the agent has no name"},
      {"(inform :sender (agent-identifier :name a", "the bracket of an agent is not closed"},
      {"(inform :sender (agent-identifier :age 7))", "an agent has no parameter \"age\""},
      {"(inform :receiver (agent-identifier :name a))", "there is \"agent-identifier\" instead of"},
      {"(inform :receiver (set (agent-identifier :name a)", "the bracket of a list is not closed"},
  };
  for (const auto& [text, reason] : table) {
    const std::string sentence = why_not_read(text);
    BOOST_TEST(sentence.starts_with("cannot read the string form of a message: at byte "), text);
    BOOST_TEST(sentence.find(reason) != std::string::npos, sentence << " instead of " << reason);
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_cut_off_anywhere_is_refused) {
  check_cut_off(jade_string, [](std::string_view part) { read_string(part); });
  check_cut_off(
      "(inform :content #3\"a)) :X-a (b \"c\\\"\" #1\"d) :reply-to (set "
      "(agent-identifier :name a :resolvers (sequence (agent-identifier :name b)))))",
      [](std::string_view part) { read_string(part); });
}

BOOST_AUTO_TEST_CASE(messages_that_would_lose_something_are_not_written) {
  const auto reason = [](auto change) {
    Message message;
    change(message);
    std::string out = "before";
    const std::string sentence = refusal([&] { write_string_into(out, message); });
    BOOST_TEST(out == "before");
    BOOST_TEST(sentence.starts_with("cannot write the string form of a message: "));
    return sentence.substr(sentence.find(": ") + 2);
  };
  BOOST_TEST(reason([](Message& m) { m.performative = Performative(22); }) ==
             "there is no performative with the number 22");
  BOOST_TEST(reason([](Message& m) { m.sender.addresses = {"x"}; }) ==
             "an agent has no name; give it one");
  BOOST_TEST(reason([](Message& m) { m.receivers = {{}}; }) == "an agent has no name; give it one");
  BOOST_TEST(reason([](Message& m) { m.reply_to = {{.name = "a", .resolvers = {{}}}}; }) ==
             "an agent has no name; give it one");
  BOOST_TEST(reason([](Message& m) {
               m.reply_by = DateTime{.year = 10000};
             }).starts_with("a field of a date has more digits than there is room for"));
  BOOST_TEST(reason([](Message& m) {
               m.user = {{"a b", ""}};
             }) == "the user parameter \"a b\" is not one word of ASCII; give it another name");
  BOOST_TEST(reason([](Message& m) {
               m.user = {{"jade-encoding", "BASE64"}};
             }).starts_with("the user parameter JADE-Encoding marks content that are bytes"));
}

BOOST_AUTO_TEST_CASE(a_message_is_appended_to_what_is_there) {
  std::string out = "before ";
  write_string_into(out, informing(""));
  BOOST_TEST(out == "before (INFORM\n)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
