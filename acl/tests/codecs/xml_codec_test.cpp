#include "coracle/acl/xml_codec.hpp"

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

// An inform with these parameters.
std::string document(std::string_view inside) {
  return "<fipa-message act=\"inform\">" + std::string(inside) + "</fipa-message>";
}

std::string content_of(std::string_view text) {
  return std::string(text_of(read_xml(document("<content>" + std::string(text) + "</content>"))));
}

// The XML in which the content is written, which is read back.
std::string content_as_xml(const std::string& content) {
  const Message message{.performative = Performative::inform, .content = content};
  const std::string text = write_xml(message);
  BOOST_TEST((read_xml(text) == message), content);
  const std::string head = "<content>", tail = "</content></fipa-message>";
  const std::size_t begin = text.find(head) + head.size();
  return text.substr(begin, text.size() - begin - tail.size());
}

BOOST_AUTO_TEST_SUITE(xml_codec)

BOOST_AUTO_TEST_CASE(the_xml_that_jade_emits_is_read) {
  Message expected = jade_message();
  expected.user.clear();  // JADE leaves them out
  BOOST_TEST((read_xml(jade_xml) == expected));
}

BOOST_AUTO_TEST_CASE(a_message_is_written_with_the_elements_of_fipa) {
  BOOST_TEST(
      write_xml(jade_message()) ==
      "<fipa-message act=\"request\"><sender><agent-identifier><name id=\"alice@p1\"/><addresses>"
      "<url href=\"http://127.0.0.1:7778/acc\"/></addresses></agent-identifier></sender><receiver>"
      "<agent-identifier><name id=\"bob@p2\"/><addresses><url href=\"http://127.0.0.1:7779/acc\"/>"
      "</addresses></agent-identifier></receiver><content>((action (agent-identifier :name bob@p2) "
      "(say \"hi\")))</content><language>fipa-sl0</language><ontology>my onto</ontology><protocol>"
      "fipa-request</protocol><conversation-id>c1</conversation-id><reply-with>r1</reply-with>"
      "<reply-by time=\"20231114T221320123Z\"/><X-foo>bar baz</X-foo></fipa-message>");
  BOOST_TEST((read_xml(write_xml(jade_message())) == jade_message()));
  BOOST_TEST(write_xml({}) == "<fipa-message act=\"not-understood\"></fipa-message>");
}

BOOST_AUTO_TEST_CASE(all_that_an_agent_has_is_written_as_xml) {
  const Message message{
      .performative = Performative::inform,
      .reply_to = {{.name = "a\"&<\n",
                    .resolvers = {{.name = "b", .addresses = {"x", "y"}}, {.name = "c"}},
                    .user = {{"k <", "v"}, {"", ""}}},
                   {.name = "d"}}};
  BOOST_TEST(write_xml(message) ==
             document("<reply-to><agent-identifier><name id=\"a&quot;&amp;&lt;&#10;\"/><resolvers>"
                      "<agent-identifier><name id=\"b\"/><addresses><url href=\"x\"/>"
                      "<url href=\"y\"/></addresses></agent-identifier><agent-identifier>"
                      "<name id=\"c\"/></agent-identifier></resolvers>"
                      "<user-defined href=\"k &lt;\">v</user-defined><user-defined href=\"\">"
                      "</user-defined></agent-identifier></reply-to><reply-to><agent-identifier>"
                      "<name id=\"d\"/></agent-identifier></reply-to>"));
  BOOST_TEST((read_xml(write_xml(message)) == message));
}

BOOST_AUTO_TEST_CASE(bytes_travel_as_base64_in_xml) {
  const Message message{.performative = Performative::inform,
                        .content = Bytes{std::byte{0}, std::byte{255}}};
  BOOST_TEST(write_xml(message) ==
             document("<X-JADE-Encoding>Base64</X-JADE-Encoding><content>AP8=</content>"));
  BOOST_TEST((read_xml(write_xml(message)) == message));
  BOOST_TEST(write_xml({.performative = Performative::inform, .content = Bytes()}) == document(""));
}

BOOST_AUTO_TEST_CASE(a_text_with_markup_is_in_a_section_where_jade_reads_it_in_one_piece) {
  BOOST_TEST(content_as_xml("a b \n") == "a b \n");
  BOOST_TEST(content_as_xml("(< 1 2) & \"x\"") == "<![CDATA[(< 1 2) & \"x\"]]>");
  BOOST_TEST(content_as_xml("<a>]]></a>") == "&lt;a&gt;]]&gt;&lt;/a&gt;");
  BOOST_TEST(content_as_xml("a\r\nb\r") == "a&#13;\nb&#13;");
  BOOST_TEST(content_as_xml("&\r") == "&amp;&#13;");
  BOOST_TEST(content_as_xml("caf\xc3\xa9 \xf0\x9f\x90\x9f") == "caf\xc3\xa9 \xf0\x9f\x90\x9f");
}

BOOST_AUTO_TEST_CASE(quotes_that_jade_escapes_are_restored) {
  BOOST_TEST(content_of(R"((say \"hi\"))") == R"((say "hi"))");
  BOOST_TEST(content_of(R"((say \"a \\"b\\"\"))") == R"((say "a \"b\""))");
  BOOST_TEST(content_of(R"(\")") == "\"");
  // Others escape only the quotes within a text.
  BOOST_TEST(content_of(R"((say "a \"b\""))") == R"((say "a \"b\""))");
  BOOST_TEST(content_as_xml(R"((say "a \"b\""))") == R"((say "a \"b\""))");
  BOOST_TEST(content_as_xml(R"(a\"b)") == R"(a\\"b)");
  BOOST_TEST(content_as_xml(R"(\"\")") == R"(\\"\\")");
  BOOST_TEST(content_as_xml(R"(\\")") == R"(\\\")");
}

BOOST_AUTO_TEST_CASE(elements_are_read_in_any_case_and_layout) {
  const Message message = read_xml(
      "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!-- a message --><?x y?>\n"
      "<FIPA-MESSAGE ACT='Cfp' conversation-id='c0'>\n <Receiver>\n  <Agent-Identifier>\n"
      "<addresses>\n<URL HREF='x'></URL>\n<url>y</url></addresses><name>a\xe9</name>\n"
      "</Agent-Identifier> <agent-identifier><name id='b'></name></agent-identifier></Receiver>\n"
      "<sender><agent-identifier><name id='s'/></agent-identifier></sender><x-K>v&#x41;</x-K>"
      "<user-defined href='L'/><content>&lt;<![CDATA[<]]><!-- no -->&amp;&apos;</content>"
      "<Language/><ontology> o </ontology></FIPA-MESSAGE>\n");
  const Message expected{
      .performative = Performative::cfp,
      .sender = {.name = "s"},
      .receivers = {{.name = "a\xc3\xa9", .addresses = {"x", "y"}}, {.name = "b"}},
      .content = "<<&'",
      .ontology = " o ",
      .conversation_id = "c0",
      .user = {{"K", "vA"}, {"L", ""}}};
  BOOST_TEST((message == expected));
}

BOOST_AUTO_TEST_CASE(the_last_element_of_a_name_counts) {
  const Message message = read_xml(document(
      "<language>a</language><language>b</language><sender><agent-identifier><name id='a'/>"
      "</agent-identifier></sender><sender><agent-identifier><name id='b'/><name id='c'/>"
      "</agent-identifier></sender>"));
  BOOST_TEST(message.language == "b");
  BOOST_TEST((message.sender == AgentId{.name = "c"}));
}

BOOST_AUTO_TEST_CASE(every_message_comes_back_as_xml) {
  const bool holds = rc::check([] {
    const Message message =
        draw_message(texts_of_xml(), {"foo", "X-bar", "a.b_c-d", "9", "\xc3\xa9"});
    RC_ASSERT(read_xml(write_xml(message)) == message);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(bad_xml_is_refused_with_the_place_and_the_reason) {
  const std::string agent = "<agent-identifier><name id='a'/></agent-identifier>";
  const std::pair<std::string, std::string> table[] = {
      {"", "at byte 0, it is no XML that can be read (no element found)"},
      {"inform", "(syntax error)"},
      {"<fipa-message act='inform'>",
       "at byte 27, it is no XML that can be read (no element found)"},
      {document("<content>a < b</content>"), "(not well-formed (invalid token))"},
      {document("<content>\xe9</content>"), "(not well-formed (invalid token))"},
      {document("<content>\x01</content>"), "(not well-formed (invalid token))"},
      {document("<content>&#0;</content>"), "(reference to invalid character number)"},
      {document("<content>&foo;</content>"), "(undefined entity)"},
      {document("") + "x", "(junk after document element)"},
      {"<!DOCTYPE fipa-message>" + document(""), "there is a document type, which is not allowed"},
      {"<!DOCTYPE a [<!ENTITY b \"c\">]>" + document("<content>&b;</content>"),
       "there is a document type, which is not allowed"},
      {"<?xml version='1.0' encoding='EBCDIC'?>" + document(""), "(unknown encoding)"},
      {"<message/>", "at byte 0, there is an element \"message\", which has no place here"},
      {"<fipa-message/>", "the message has no attribute \"act\" with its performative"},
      {"<fipa-message act='shout'/>", "there is no performative \"shout\""},
      {document("text"), "at byte 27, there is a text between elements"},
      {document("<colour/>"), "there is an element \"colour\", which has no place here"},
      {document("<language><b/></language>"), "there is an element \"b\""},
      {document("<language href='http://x'/>"),
       "the parameter \"language\" is given by a link, which is not followed"},
      {document("<reply-by/>"), "\"\" is not a date"},
      {document("<reply-by time='today'/>"), "\"today\" is not a date"},
      {document("<reply-by time='20231114T221320123Z'>x</reply-by>"), "there is a text between"},
      {document("<X-JADE-Encoding>Base64</X-JADE-Encoding><content>!</content>"), "not Base64"},
      {document("<sender>a</sender>"), "there is a text between elements"},
      {document("<sender><name id='a'/></sender>"), "there is an element \"name\""},
      {document("<sender><agent-identifier/></sender>"), "an agent has no name"},
      {document("<sender><agent-identifier><name id=''/></agent-identifier></sender>"),
       "an agent has no name"},
      {document("<sender><agent-identifier><name id='a'>b</name></agent-identifier></sender>"),
       "there is a text between elements"},
      {document("<sender><agent-identifier><age/></agent-identifier></sender>"), "element \"age\""},
      {document(
           "<sender><agent-identifier><addresses><name/></addresses></agent-identifier></sender>"),
       "element \"name\""},
  };
  for (const auto& [text, reason] : table) {
    const std::string sentence = refusal([&xml = text] { read_xml(xml); });
    BOOST_TEST(sentence.starts_with("cannot read the XML form of a message: at byte "), sentence);
    BOOST_TEST(sentence.find(reason) != std::string::npos, sentence << " instead of " << reason);
  }
}

BOOST_AUTO_TEST_CASE(xml_that_is_cut_off_anywhere_is_refused) {
  const auto read = [](std::string_view part) { read_xml(part); };
  check_cut_off(std::string_view(jade_xml).substr(0, jade_xml.size() - 1), read);
  check_cut_off(
      write_xml({.sender = {.name = "a", .user = {{"k", "<"}}}, .user = {{"\xc3\xa9", ""}}}), read);
}

BOOST_AUTO_TEST_CASE(texts_that_xml_cannot_have_are_not_written) {
  for (const std::string& text : {"\0"s, "\x01"s, "\x1f"s, "a\xff"s, "\xc3"s, "\xed\xa0\x80"s,
                                  "\xef\xbf\xbe"s, "\xef\xbf\xbf"s, "\xc0\x80"s}) {
    std::string out = "before";
    const Message message{.content = text};
    BOOST_TEST(refusal([&] {
                 write_xml_into(out, message);
               }).ends_with("has bytes that XML cannot have; send them as bytes"));
    BOOST_TEST(refusal([&] { write_xml({.sender = {.name = text}}); }) != "");
    BOOST_TEST(out == "before");
  }
  BOOST_TEST(refusal([] {
               write_xml({.sender = {.addresses = {"x"}}});
             }).find("an agent has no name") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
