// Tests of all writers: nothing is lost, and hostile texts stay texts. The programs that the
// formats are for judge them in tests/judges.
#include "coracle/formats/writers.hpp"

#include "coracle/errors.hpp"
#include "coracle/formats/otlp.hpp"
#include "coracle/formats/story_of.hpp"
#include "support/fields.hpp"
#include "support/stories.hpp"
#include "support/temporary_folder.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <sstream>
#include <string>

namespace coracle::test {

using formats::Sink;
using formats::Story;
using formats::StoryMessage;
using formats::Written;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    BOOST_TEST_REQUIRE(end != std::string::npos);  // each line has its end
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::uint64_t number_behind(const std::string& line, const std::string& words) {
  const std::size_t at = line.find(words);
  return at == std::string::npos ? 0 : std::stoull(line.substr(at + words.size()));
}

// The numbers of all messages that have a line.
std::multiset<std::uint64_t> in_ndjson(const Story& story) {
  std::multiset<std::uint64_t> ids;
  const auto text = output_of([&](const Sink& sink) { write_ndjson(story, sink); });
  for (const std::string& line : lines_of(text))
    if (line.starts_with("{\"message\":")) ids.insert(number_behind(line, "{\"message\":"));
  return ids;
}

std::uint64_t in_mermaid(const std::string& text) {
  std::uint64_t count = 0;
  for (const std::string& line : lines_of(text)) {
    const std::size_t colon = line.find(": ");
    const std::string head = line.substr(0, colon);
    count += head.find("-)") != head.npos || head.find("->>") != head.npos ||
                     head.find("--x") != head.npos
                 ? 1
                 : 0;
  }
  return count;
}

std::uint64_t in_graphviz(const std::string& text) {
  std::uint64_t count = 0;
  for (const std::string& line : lines_of(text))
    if (line.starts_with("  a") && line.find(" -> a") < 12)
      count += number_behind(line, "[label=\"");
  return count;
}

std::multiset<std::uint64_t> in_perfetto(const Story& story) {
  std::multiset<std::uint64_t> ids;
  const auto text = output_of([&](const Sink& sink) { write_perfetto(story, sink); });
  for (const Field& packet : fields_of(text)) {
    for (const Field& event : fields_of(packet.bytes, 11)) {
      const auto category = fields_of(event.bytes, 22);
      if (category.empty() || category[0].bytes != "send") continue;
      for (const Field& annotation : fields_of(event.bytes, 4))
        if (fields_of(annotation.bytes, 10)[0].bytes == "message")
          ids.insert(fields_of(annotation.bytes, 3)[0].value);
    }
  }
  return ids;
}

// Counts the slices that begin on each track, and requires that they end there.
void check_slices(const Story& story) {
  const auto text = output_of([&](const Sink& sink) { write_perfetto(story, sink); });
  std::map<std::uint64_t, std::vector<std::uint64_t>> open;  // the times of each track's slices
  std::set<std::uint64_t> tracks;
  for (const Field& packet : fields_of(text)) {
    for (const Field& track : fields_of(packet.bytes, 60))
      BOOST_TEST(tracks.insert(fields_of(track.bytes, 1)[0].value).second);
    for (const Field& event : fields_of(packet.bytes, 11)) {
      const std::uint64_t at = fields_of(packet.bytes, 8)[0].value;
      const std::uint64_t track = fields_of(event.bytes, 11)[0].value;
      const std::uint64_t type = fields_of(event.bytes, 9)[0].value;
      BOOST_TEST(tracks.contains(track));
      if (type == 1) {
        BOOST_TEST((open[track].empty() || open[track].back() <= at));
        open[track].push_back(at);
      } else if (type == 2) {
        BOOST_TEST_REQUIRE(!open[track].empty());
        BOOST_TEST(open[track].back() <= at);
        open[track].pop_back();
      }
    }
  }
  for (const auto& [track, slices] : open) BOOST_TEST(slices.empty());
}

std::multiset<std::uint64_t> in_otlp(const Story& story, std::size_t per_request) {
  std::multiset<std::uint64_t> ids;
  formats::OtlpOptions options;
  options.messages_per_request = per_request;
  const auto text = output_of([&](const Sink& sink) { write_otlp(story, sink, options); });
  for (const Field& resource : fields_of(text))
    for (const Field& scope : fields_of(resource.bytes, 2))
      for (const Field& span : fields_of(scope.bytes, 2)) {
        if (!fields_of(span.bytes, 5)[0].bytes.starts_with("send ")) continue;
        for (const Field& attribute : fields_of(span.bytes, 9))
          if (fields_of(attribute.bytes, 1)[0].bytes == "messaging.message.id")
            ids.insert(std::stoull(
                std::string(fields_of(fields_of(attribute.bytes, 2)[0].bytes, 1)[0].bytes)));
      }
  return ids;
}

// Requires that every message of the story is in every format once, or counted as left out.
void check_nothing_is_lost(const Story& story, std::size_t characters, std::size_t arrows) {
  std::multiset<std::uint64_t> all;
  for (const StoryMessage& each : story.messages) all.insert(each.id);
  BOOST_TEST((in_ndjson(story) == all));
  BOOST_TEST((in_perfetto(story) == all));
  BOOST_TEST((in_otlp(story, characters % 7 + 1) == all));
  check_slices(story);
  Written written;
  const auto diagram =
      output_of([&](const Sink& sink) { written = write_mermaid(story, sink, characters); });
  BOOST_TEST(diagram.size() <= characters);
  BOOST_TEST(in_mermaid(diagram) == written.messages);
  BOOST_TEST(written.messages + written.left_out == all.size());
  BOOST_TEST((diagram.find("are left out") != diagram.npos) == (written.left_out != 0));
  const auto graph =
      output_of([&](const Sink& sink) { written = write_graphviz(story, sink, arrows); });
  BOOST_TEST(in_graphviz(graph) == written.messages);
  BOOST_TEST(written.messages + written.left_out == all.size());
  BOOST_TEST((graph.find("are left out") != graph.npos) == (written.left_out != 0));
}

// A story by chance: overlapping times, requests with and without replies, any outcome.
HandMade story_by_chance() {
  HandMade made;
  const int count = *rc::gen::inRange(0, 60);
  for (int i = 0; i < count; ++i) {
    const auto name = [] { return "agent" + std::to_string(*rc::gen::inRange(0, 4)); };
    StoryMessage& message = made.add(name(), name(), *rc::gen::elementOf(hostile_texts()));
    const auto later = [&](Time time) { return time + Duration(*rc::gen::inRange(0, 5000)); };
    message.kind = static_cast<formats::Kind>(*rc::gen::inRange(0, 4));
    if (message.kind >= formats::Kind::reply && i > 0)
      message.answers = static_cast<std::uint64_t>(*rc::gen::inRange(1, i + 1));
    message.source_node = *rc::gen::inRange(0u, 2u);
    message.kept = later(message.sent);
    message.taken = later(message.kept);
    message.ended = later(message.taken);
    if (*rc::gen::inRange(0, 4) == 0) message.outcome.reset(), message.ended = formats::never;
    if (*rc::gen::inRange(0, 4) == 0) {
      message.taken = formats::never;
      if (message.outcome) message.outcome = Outcome::expired;
    }
  }
  const int lives = *rc::gen::inRange(0, 6);
  for (int i = 0; i < lives; ++i) {
    const std::string name = "agent" + std::to_string(*rc::gen::inRange(0, 6));
    const auto at = [] { return Time(Duration(*rc::gen::inRange(0, 60'000))); };
    formats::StoryLife& life = made.story.lives.emplace_back();
    life.agent = name;
    life.began = at();
    if (*rc::gen::inRange(0, 2) == 0) life.ended = at(), life.reason = EndReason::crashed;
    made.story.gaps.push_back({at(), name, *rc::gen::inRange<std::uint64_t>(1, 5)});
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writers)

BOOST_AUTO_TEST_CASE(every_message_is_in_every_format_once_or_counted_as_left_out) {
  BOOST_TEST(rc::check([] {
    const HandMade made = story_by_chance();
    check_nothing_is_lost(made.story, *rc::gen::inRange<std::size_t>(1000, 6000),
                          *rc::gen::inRange<std::size_t>(1, 20));
  }));
  check_nothing_is_lost(hostile_story().story, 50'000, 1000);
  check_nothing_is_lost(hostile_story().story, 1'000, 3);
  check_nothing_is_lost({}, 1'000, 3);
}

BOOST_AUTO_TEST_CASE(the_story_of_a_recording_is_in_every_format) {
  const TemporaryFolder folder;
  const std::string file = folder / "society.db";
  record_society(file);
  std::ostringstream page;
  const auto recording = recording::Recording::load(file);
  const formats::Story story = formats::story_of(recording);
  formats::write_mermaid(story, [&](std::string_view part) { page << part; });
  BOOST_TEST(in_mermaid(page.str()) == story.messages.size());
  check_nothing_is_lost(story, 50'000, 1000);
}

BOOST_AUTO_TEST_CASE(parts_are_passed_on_before_all_is_written) {
  HandMade made;
  for (int i = 0; i < 3000; ++i) made.add("ann", "bob", std::string(100, 'x'));
  for (const auto write : {+[](const Story&story, const Sink&sink) { write_ndjson(story, sink); },
                           +[](const Story&story, const Sink&sink) { write_perfetto(story, sink); },
                           +[](const Story&story, const Sink&sink) { write_otlp(story, sink); }}) {
    std::size_t most = 0, all = 0;
    write(made.story, [&](std::string_view part) {
      most = std::max(most, part.size());
      all += part.size();
    });
    BOOST_TEST(all > 500'000u);
    BOOST_TEST(most <= all / 2);
  }
}

BOOST_AUTO_TEST_CASE(a_line_of_json_has_the_message_decoded_with_its_outcome) {
  HandMade made;
  StoryMessage& message = made.add("ann", "bob", "\x82\x61n\x03", "plan/v1");
  message.kind = formats::Kind::request;
  message.conversation = 7;
  message.outcome = Outcome::dropped;
  message.reason = DropReason::oldest;
  message.trace = {1, 2, 3};
  BOOST_TEST(output_of([&](const Sink& sink) { write_ndjson(made.story, sink); }) ==
             R"({"message":1,"at":0.000000000,"from":"ann","to":"bob","conversation":7,)"
             R"("kind":"request","kept":0.000000010,"taken":0.000000020,"ended":0.000000030,)"
             R"("outcome":"dropped","reason":"oldest",)"
             R"("traceparent":"00-00000000000000010000000000000002-0000000000000003-01",)"
             R"("type":"plan/v1","content":"[\"n\", 3]"})"
             "\n");
}

BOOST_AUTO_TEST_CASE(no_output_of_hostile_texts_has_characters_that_could_deceive) {
  const HandMade made = hostile_story();
  const Story& story = made.story;
  for (const std::string& text :
       {output_of([&](const Sink& sink) { write_ndjson(story, sink); }),
        output_of([&](const Sink& sink) { write_mermaid(story, sink); }),
        output_of([&](const Sink& sink) { write_graphviz(story, sink); })}) {
    for (const std::string& line : lines_of(text)) {
      BOOST_TEST(line.find('\x1b') == line.npos);
      BOOST_TEST(line.find('\0') == line.npos);
      BOOST_TEST(line.find("\xe2\x80\xae") == line.npos);
      BOOST_TEST(line.find('\xff') == line.npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sequence_diagram_has_only_plain_letters_and_entities) {
  const HandMade made = hostile_story();
  const auto text = output_of([&](const Sink& sink) { write_mermaid(made.story, sink); });
  for (const std::string& line : lines_of(text)) {
    const std::size_t arrow = line.find(": ");
    if (arrow == line.npos) continue;
    const std::string words = line.substr(arrow + 2);
    BOOST_TEST(words.find_first_of("<>\"'\\%:-+()[]{}|&$`~") == words.npos);
    BOOST_TEST((" " + words + " ").find(" end ") == std::string::npos);
    BOOST_TEST(words.find_first_not_of(' ') != words.npos);
  }
}

namespace {

// Ann crashes after her message and begins again; bob misses messages; carl, who talks with nobody,
// ends; dora, who talks with nobody either, crashes.
HandMade eventful_story() {
  HandMade made;
  made.add("ann", "bob", "one");
  made.add("ann", "bob", "two");
  const auto live = [&](const char* name, int began, int ended, EndReason reason) {
    formats::StoryLife& life = made.story.lives.emplace_back();
    life.agent = name;
    life.began = Time(Duration(began));
    life.ended = Time(Duration(ended));
    life.reason = reason;
    if (reason == EndReason::crashed) life.text = "no (more) \"oil\"";
  };
  live("carl", 900, 2500, EndReason::stopped);
  live("ann", 900, 1500, EndReason::crashed);
  live("ann", 1600, 2500, EndReason::stopped);
  live("dora", 900, 1700, EndReason::crashed);
  made.story.gaps.push_back({Time(Duration(1800)), "bob", 5});
  made.story.gaps.push_back({Time(Duration(2600)), "bob", MessageView::unknown_gap});
  made.story.end = Time(Duration(2600));
  return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sequence_diagram_notes_lives_and_gaps_where_they_happened) {
  const HandMade made = eventful_story();
  BOOST_TEST(output_of([&](const Sink& sink) { write_mermaid(made.story, sink); }) ==
             "sequenceDiagram\n"
             "  participant a0 as ann\n"
             "  participant a1 as bob\n"
             "  a0-)a1: one\n"
             "  Note over a0: crashed#58; no #40;more#41; #34;oil#34;\n"
             "  Note over a0: began\n"
             "  participant a2 as dora\n"
             "  Note over a2: crashed#58; no #40;more#41; #34;oil#34;\n"
             "  Note over a1: missed 5 messages\n"
             "  a0-)a1: two\n"
             "  Note over a0: ended#58; stopped\n"
             "  Note over a1: missed some messages\n");
}

BOOST_AUTO_TEST_CASE(notes_that_do_not_fit_into_a_sequence_diagram_are_counted) {
  HandMade made;
  made.add("ann", "bob", "one");
  for (int i = 0; i < 100; ++i) made.story.gaps.push_back({made.story.end, "bob", 1});
  Written written;
  const auto text =
      output_of([&](const Sink& sink) { written = write_mermaid(made.story, sink, 1000); });
  BOOST_TEST(text.size() <= 1000u);
  BOOST_TEST(written.left_out == 0u);
  std::uint64_t notes = 0, others = 0;
  for (const std::string& line : lines_of(text)) {
    notes += line.find(": missed 1 messages") != line.npos ? 1 : 0;
    if (line.find("later notes do not fit") != line.npos) others = number_behind(line, ": ");
  }
  BOOST_TEST(notes > 10u);
  BOOST_TEST(notes + others == 100u);
}

BOOST_AUTO_TEST_CASE(a_graph_shows_crashes_ends_and_gaps) {
  const HandMade made = eventful_story();
  const auto text = output_of([&](const Sink& sink) { write_graphviz(made.story, sink); });
  const auto has = [&](const std::string& line) {
    BOOST_TEST(text.find(line) != text.npos, text << "should have: " << line);
  };
  has("  a0 [label=\"ann\\ncrashed\", color=\"#b00020\", fontcolor=\"#b00020\", "
      "style=\"rounded,dashed\", tooltip=\"2 lives, ended, last crash: "
      "no (more) \\\"oil\\\"\"];\n");
  has("  a1 [label=\"bob\\nmissed more than 5 messages\"];\n");
  has("  a2 [label=\"dora\\ncrashed\"");
  BOOST_TEST(text.find("carl") == text.npos);  // he talks with nobody, and nothing is wrong
  const auto narrow = output_of([&](const Sink& sink) { write_graphviz(made.story, sink, 0); });
  BOOST_TEST(narrow.find("label=\"1 arrows with 2 messages are left out; 3 agents without an arrow "
                         "do not fit\"") != narrow.npos);
}

BOOST_AUTO_TEST_CASE(a_sequence_diagram_needs_some_characters) {
  BOOST_CHECK_THROW(formats::write_mermaid(
                        {}, [](std::string_view) {}, 999),
                    Error);
}

BOOST_AUTO_TEST_CASE(a_graph_shows_traffic_by_thickness) {
  HandMade made;
  for (int i = 0; i < 100; ++i) made.add("ann", "bob", "x");
  made.add("bob", "ann", "y").outcome = Outcome::expired;
  const auto text = output_of([&](const Sink& sink) { write_graphviz(made.story, sink); });
  BOOST_TEST(text.find("a0 -> a1 [label=\"100\", penwidth=4.00, "
                       "tooltip=\"100 messages, 100 bytes\"]") != text.npos);
  BOOST_TEST(text.find("a1 -> a0 [label=\"1\", penwidth=1.00, color=\"#b00020\", "
                       "tooltip=\"1 messages, 1 bytes, 1 not consumed\"]") != text.npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
