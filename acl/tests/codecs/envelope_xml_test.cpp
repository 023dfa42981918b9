#include "coracle/acl/envelope_codec.hpp"

#include "support/draw.hpp"
#include "support/hostile.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;
using coracle::Bytes;
using coracle::Errc;

// The envelope that JADE sends with a message from alice to bob.
const std::string jade_envelope =
    "<?xml version=\"1.0\"?>\n"
    "<envelope><params index=\"1\"><to><agent-identifier><name>bob@p2</name><addresses>"
    "<url>http://127.0.0.1:7779/acc</url></addresses></agent-identifier></to><from>"
    "<agent-identifier><name>alice@p1</name><addresses><url>http://127.0.0.1:7778/acc</url>"
    "</addresses></agent-identifier></from><acl-representation>fipa.acl.rep.string.std"
    "</acl-representation><payload-length>327</payload-length><date>20231114Z221320123</date>"
    "<intended-receiver><agent-identifier><name>bob@p2</name><addresses>"
    "<url>http://127.0.0.1:7779/acc</url></addresses></agent-identifier></intended-receiver>"
    "</params></envelope>";

Envelope envelope_of_jade() {
  const AgentId bob{.name = "bob@p2", .addresses = {"http://127.0.0.1:7779/acc"}};
  return {.to = {bob},
          .from = {.name = "alice@p1", .addresses = {"http://127.0.0.1:7778/acc"}},
          .representation = std::string(string_representation),
          .payload_length = 327,
          .date = date_time_from("20231114T221320123"),
          .intended_receivers = {bob}};
}

std::string params(std::string_view inside) {
  return "<envelope><params index='1'>" + std::string(inside) + "</params></envelope>";
}

// The envelope without what its XML form leaves out.
Envelope as_in_xml(Envelope envelope) {
  const auto strip = [](AgentId& agent) {
    agent.resolvers.clear();
    agent.user.clear();
  };
  strip(envelope.from);
  for (AgentId& each : envelope.to) strip(each);
  for (AgentId& each : envelope.intended_receivers) strip(each);
  return envelope;
}

BOOST_AUTO_TEST_SUITE(envelope_xml)

BOOST_AUTO_TEST_CASE(the_envelope_that_jade_sends_is_read) {
  BOOST_TEST((read_envelope_xml(jade_envelope) == envelope_of_jade()));
}

// The envelope of JADE with other texts for its date and its length.
std::string with(const std::string& date, const std::string& length) {
  std::string text = jade_envelope;
  text.replace(text.find("20231114Z221320123"), 18, date);
  text.replace(text.find(">327<") + 1, 3, length);
  return text;
}

BOOST_AUTO_TEST_CASE(a_reader_that_remembers_envelopes_reads_what_others_read) {
  EnvelopeXmlReader reader;
  const std::string hidden = "<!-- <date>20200101T000000000</date> -->";
  const auto put = [](std::string text, const std::string& before, const std::string& what) {
    return text.insert(text.find(before), what);
  };
  const std::string texts[] = {
      jade_envelope,
      with("20231114Z221320124", "328"),
      with(" 20231114Z221320124", "328"),
      with("20231114T221320124", "-1"),
      with("20240101Z000000000", "99999"),
      put(jade_envelope, "<date>", hidden),
      put(with("20231114Z221320125", "1"), "<date>", hidden),
      put(jade_envelope, "</params>", "<DATE>20200101T000000000</DATE>"),
      put(with("20231114Z221320126", "1"), "</params>", "<DATE>20200101T000000000</DATE>"),
      put(jade_envelope, "</params>", "<comments>&lt;date>1&lt;/date></comments>"),
      put(with("20231114Z221320127", "2"), "</params>",
          "<comments>&lt;date>1&lt;/date></comments>"),
      put(jade_envelope, "</params>", "<comments><![CDATA[<date>x</date>]]></comments>"),
      put(jade_envelope, "</envelope>",
          "<params index='2'><date>20200101T000000000</date></params>"),
      with("&#50;0231114Z221320124", "328")};
  for (int turn = 0; turn < 3; ++turn) {
    for (const std::string& each : texts)
      BOOST_TEST((reader.read(each) == read_envelope_xml(each)), each);
  }
}

BOOST_AUTO_TEST_CASE(a_reader_that_remembers_envelopes_refuses_what_others_refuse) {
  EnvelopeXmlReader reader;
  (void)reader.read(jade_envelope);
  for (const std::string& each :
       {with("yesterday", "327"), with("20231114Z221320123", "many"), with("", "327"),
        with("20231114Z221320123", ""), with("20231114Z221320123", "99999999999999999999"),
        with("20231114Z221320123<date/>", "327"), jade_envelope.substr(1),
        jade_envelope.substr(0, jade_envelope.size() - 1), jade_envelope + "x"})
    BOOST_CHECK_THROW((void)reader.read(each), coracle::Error);
  Limits limits;
  limits.bytes = jade_envelope.size();
  EnvelopeXmlReader small(limits);
  (void)small.read(jade_envelope);
  BOOST_CHECK_THROW((void)small.read(with("20231114Z221320123", "3270")), coracle::Error);
}

BOOST_AUTO_TEST_CASE(a_reader_remembers_a_limited_number_of_envelopes) {
  EnvelopeXmlReader reader({}, 2);
  for (int turn = 0; turn < 2; ++turn) {
    for (const char* each : {"ann", "bob", "cid", "dan"}) {
      std::string text = with("20231114Z221320123", std::to_string(turn));
      text.replace(text.find("alice"), 5, each);
      BOOST_TEST((reader.read(text) == read_envelope_xml(text)));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_envelope_without_an_encoding_is_read_as_utf_8_or_else_as_latin_1) {
  const auto receiver = [](const std::string& head, const std::string& name) {
    const std::string to =
        "<to><agent-identifier><name>" + name + "</name></agent-identifier></to>";
    return read_envelope_xml(head + params(to)).to.at(0).name;
  };
  BOOST_TEST(receiver("", "zo\xc3\xab@p2") == "zo\xc3\xab@p2");
  BOOST_TEST(receiver("<?xml version=\"1.0\"?>", "zo\xeb@p2") == "zo\xc3\xab@p2");
  BOOST_TEST(receiver("", "zo\xeb@p2") == "zo\xc3\xab@p2");
  BOOST_CHECK_THROW(receiver("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "zo\xeb@p2"),
                    coracle::Error);
}

BOOST_AUTO_TEST_CASE(an_envelope_is_read_in_the_same_way_whatever_was_read_before) {
  const std::string latin_1 = params("<comments>\xe9</comments>");
  const std::string large = params("<comments>" + std::string(100'000, 'x') + "</comments>");
  const std::string broken[] = {"<envelope><params index='1'><to>", "<!DOCTYPE a>", "<a/>", "\xff",
                                params("<date>never</date>")};
  for (const std::string& each : broken) {
    BOOST_CHECK_THROW(read_envelope_xml(each), coracle::Error);
    BOOST_TEST((read_envelope_xml(jade_envelope) == envelope_of_jade()));
    BOOST_TEST(read_envelope_xml(latin_1).comments == "\u00e9");
    BOOST_CHECK_THROW(read_envelope_xml(each), coracle::Error);
    BOOST_TEST(read_envelope_xml(large).comments.size() == 100'000u);
    BOOST_TEST(read_envelope_xml(params("<comments>\u00e9</comments>")).comments == "\u00e9");
  }
}

BOOST_AUTO_TEST_CASE(an_envelope_is_written_as_by_jade_with_a_date_of_fipa) {
  std::string expected = jade_envelope;
  expected.replace(expected.find("20231114Z"), 9, "20231114T");
  BOOST_TEST(write_envelope_xml(envelope_of_jade()) == expected);
}

BOOST_AUTO_TEST_CASE(all_fields_are_written_in_the_order_of_jade) {
  Envelope envelope;
  envelope.to = {{.name = "a"}, {.name = "b", .addresses = {"x", "y"}}};
  envelope.comments = "c";
  envelope.representation = xml_representation;
  envelope.payload_encoding = "utf-8";
  envelope.date = date_time_from("20231114T221320123Z");
  envelope.transport_behaviour = "fast";
  envelope.user = {{.name = "k", .value = "v"},
                   {.name = "s", .value = "rO0", .type = "serialized"}};
  envelope.received = {{.by = "http://b", .date = date_time_from("20231114T221320124Z")},
                       {.by = "http://a",
                        .from = "http://z",
                        .date = date_time_from("20231114T221320123Z"),
                        .id = "7",
                        .via = "http",
                        .user = {{"n", "m"}}}};
  BOOST_TEST(
      write_envelope_xml(envelope) ==
      "<?xml version=\"1.0\"?>\n<envelope><params index=\"1\">"
      "<to><agent-identifier><name>a</name><addresses></addresses></agent-identifier></to>"
      "<to><agent-identifier><name>b</name><addresses><url>x</url><url>y</url></addresses>"
      "</agent-identifier></to><comments>c</comments>"
      "<acl-representation>fipa.acl.rep.xml.std</acl-representation>"
      "<payload-encoding>utf-8</payload-encoding><date>20231114T221320123Z</date>"
      "<transport-behaviour>fast</transport-behaviour>"
      "<user-defined href=\"k\" type=\"string\">v</user-defined>"
      "<user-defined href=\"s\" type=\"serialized\">rO0</user-defined>"
      "<received><received-date value=\"20231114T221320123Z\"/><received-by value=\"http://a\"/>"
      "<received-from value=\"http://z\"/><received-id value=\"7\"/><received-via value=\"http\"/>"
      "<user-defined href=\"n\" type=\"string\">m</user-defined></received>"
      "</params><params index=\"2\"><received><received-date value=\"20231114T221320124Z\"/>"
      "<received-by value=\"http://b\"/></received></params></envelope>");
  BOOST_TEST((read_envelope_xml(write_envelope_xml(envelope)) == envelope));
}

BOOST_AUTO_TEST_CASE(an_envelope_is_ascii_without_markup_in_its_texts) {
  const Envelope envelope{
      .to = {{.name = "caf\xc3\xa9 <&>\"\r\n", .addresses = {"\xf0\x9f\x90\x9f"}}},
      .user = {{.name = "\xc2\x80\t"}}};
  const std::string text = write_envelope_xml(envelope);
  BOOST_TEST(text.find("<name>caf&#233; &lt;&amp;&gt;&quot;&#13;&#10;</name>") !=
             std::string::npos);
  BOOST_TEST(text.find("<url>&#128031;</url>") != std::string::npos);
  BOOST_TEST(text.find("href=\"&#128;&#9;\"") != std::string::npos);
  BOOST_TEST((read_envelope_xml(text) == envelope));
}

BOOST_AUTO_TEST_CASE(resolvers_are_read_and_never_written) {
  const Envelope envelope = read_envelope_xml(
      params("<to><agent-identifier><name>a</name><resolvers><agent-identifier><name>r</name>"
             "</agent-identifier></resolvers><user-defined href='k'>v</user-defined>"
             "</agent-identifier></to>"));
  BOOST_TEST(
      (envelope.to ==
       std::vector<AgentId>{{.name = "a", .resolvers = {{.name = "r"}}, .user = {{"k", "v"}}}}));
  BOOST_TEST((read_envelope_xml(write_envelope_xml(envelope)) == as_in_xml(envelope)));
}

BOOST_AUTO_TEST_CASE(elements_of_an_envelope_are_read_in_any_case_and_layout) {
  const Envelope envelope = read_envelope_xml(
      "<Envelope>\n <Params>\n<TO><Agent-Identifier><NAME>a</NAME></Agent-Identifier>"
      "<agent-identifier><name id='b'/></agent-identifier></TO>\n"
      "<payload-length> 12\n</payload-length><Date>\n20000508T042651481z </Date>"
      "<User-Defined HREF='k' Type='byte-array'>v</User-Defined><user-defined href='l'/>"
      "<Received><Received-By Value='x'/></Received></Params>\n</Envelope>");
  BOOST_TEST((envelope == Envelope{.to = {{.name = "a"}, {.name = "b"}},
                                   .payload_length = 12,
                                   .date = date_time_from("20000508T042651481z"),
                                   .received = {{.by = "x"}},
                                   .user = {{"k", "v", "byte-array"}, {"l", "", "string"}}}));
}

BOOST_AUTO_TEST_CASE(later_params_replace_fields_and_add_stamps) {
  const Envelope envelope = read_envelope_xml(
      "<envelope><params index='1'><to><agent-identifier><name>a</name></agent-identifier></to>"
      "<intended-receiver><agent-identifier><name>a</name></agent-identifier></intended-receiver>"
      "<comments>old</comments><payload-encoding>x</payload-encoding>"
      "<received><received-by value='1'/></received></params>"
      "<params index='2'><to><agent-identifier><name>b</name></agent-identifier></to>"
      "<to><agent-identifier><name>c</name></agent-identifier></to><comments>new</comments>"
      "<received><received-by value='2'/></received></params></envelope>");
  BOOST_TEST((envelope == Envelope{.to = {{.name = "b"}, {.name = "c"}},
                                   .comments = "new",
                                   .payload_encoding = "x",
                                   .intended_receivers = {{.name = "a"}},
                                   .received = {{.by = "2"}, {.by = "1"}}}));
}

BOOST_AUTO_TEST_CASE(a_length_that_is_negative_is_not_known) {
  BOOST_TEST(!read_envelope_xml(params("<payload-length>-1</payload-length>")).payload_length);
}

BOOST_AUTO_TEST_CASE(every_envelope_comes_back_as_xml) {
  const bool holds = rc::check([] {
    const Envelope envelope = draw_envelope(texts_of_xml());
    RC_ASSERT(read_envelope_xml(write_envelope_xml(envelope)) == as_in_xml(envelope));
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_CASE(bad_envelopes_of_xml_are_refused_with_the_place_and_the_reason) {
  const std::pair<std::string, std::string> table[] = {
      {"", "(no element found)"},
      {"<!DOCTYPE envelope>" + params(""), "there is a document type, which is not allowed"},
      {"<params/>", "at byte 0, there is an element \"params\", which has no place here"},
      {"<envelope><to/></envelope>", "there is an element \"to\""},
      {params("<colour/>"), "at byte 28, there is an element \"colour\""},
      {params("text"), "there is a text between elements"},
      {params("<comments><b/></comments>"), "there is an element \"b\""},
      {params("<date>today</date>"), "\"today\" is not a date"},
      {params("<date>20231114:221320123</date>"), "is not a date"},
      {params("<payload-length/>"), "\"\" is no length of a message"},
      {params("<payload-length>12x</payload-length>"), "\"12x\" is no length of a message"},
      {params("<payload-length>-</payload-length>"), "\"-\" is no length of a message"},
      {params("<payload-length>18446744073709551616</payload-length>"),
       "is no length of a message"},
      {params("<from><agent-identifier/></from>"), "an agent has no name"},
      {params("<received><received-date value=''/></received>"), "\"\" is not a date"},
      {params("<received><received-at value=''/></received>"), "an element \"received-at\""},
  };
  for (const auto& [text, reason] : table) {
    const std::string sentence = refusal([&xml = text] { read_envelope_xml(xml); });
    BOOST_TEST(sentence.starts_with("cannot read the XML form of an envelope: at byte "), sentence);
    BOOST_TEST(sentence.find(reason) != std::string::npos, sentence << " instead of " << reason);
  }
}

BOOST_AUTO_TEST_CASE(an_envelope_of_xml_that_is_cut_off_anywhere_is_refused) {
  check_cut_off(jade_envelope, [](std::string_view part) { read_envelope_xml(part); });
}

BOOST_AUTO_TEST_CASE(an_envelope_of_xml_has_limits) {
  const auto beyond = [](const Limits& limits) {
    return refusal(Errc::too_large, [&] { read_envelope_xml(jade_envelope, limits); });
  };
  BOOST_TEST(beyond({.bytes = jade_envelope.size(), .items = 6}) == "");
  BOOST_TEST(beyond({.items = 5}).find("more than 5 elements in its lists") != std::string::npos);
  BOOST_TEST(beyond({.bytes = 100}).find("more than 100 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(envelopes_for_which_xml_has_no_room_are_not_written) {
  const auto reason = [](const Envelope& envelope) {
    const std::string sentence = refusal([&] { write_envelope_xml(envelope); });
    BOOST_TEST(sentence.starts_with("cannot write the XML form of an envelope: "));
    return sentence.substr(sentence.find(": ") + 2);
  };
  BOOST_TEST(reason({.to = {{}}}).starts_with("an agent has no name"));
  BOOST_TEST(reason({.from = {.addresses = {"x"}}}).starts_with("an agent has no name"));
  BOOST_TEST(reason({.comments = "\x01"})
                 .ends_with("has bytes that XML cannot have; send them as "
                            "bytes"));
  BOOST_TEST(reason({.date = DateTime{.year = 10000}}).starts_with("a field of a date"));
  BOOST_TEST(reason({.received = {{.date = DateTime{.month = 100}}}}).starts_with("a field of a"));
  BOOST_TEST(reason({.transport_behaviour = Bytes{std::byte{1}}})
                 .starts_with("the transport behaviour is bytes"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
