#include "coracle/http/events.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::http {
namespace {

std::string event_text(const Event& event) {
  return '[' + event.name + '|' + event.id + '|' + event.data + ']';
}

// Reads a text in pieces of that size.
std::string read_events(const std::string& text, std::size_t piece = std::string::npos) {
  EventReader reader;
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += std::min(piece, text.size() - at))
    reader.read(std::string_view(text).substr(at, piece),
                [&](const Event& event) { all += event_text(event); });
  return all;
}

BOOST_AUTO_TEST_SUITE(events)

BOOST_AUTO_TEST_CASE(an_event_is_read_as_it_was_written) {
  for (const Event& event : {Event{"a"}, Event{"a\nb\n\nc", "name", "7"}, Event{"", "empty"},
                             Event{": x"}, Event{" x "}})
    BOOST_TEST(read_events(write_event(event), 1) == event_text(event));
  BOOST_TEST(write_event({"a\r\nb\rc", "n", "i"}) ==
             "event: n\nid: i\ndata: a\ndata: b\ndata: c\n\n");
  BOOST_TEST(read_events(write_comment("still\nhere") + write_retry(std::chrono::seconds(2))) ==
             "");
}

BOOST_AUTO_TEST_CASE(no_field_can_hide_another_one) {
  BOOST_CHECK_THROW(write_event({"", "a\nid: 1"}), Error);
  BOOST_CHECK_THROW(write_event({"", "", "a\rb"}), Error);
  BOOST_CHECK_THROW(write_event({"", "", std::string("a\0", 2)}), Error);
  BOOST_TEST(read_events(write_comment("x\rdata: y\n\n")) == "");
}

BOOST_AUTO_TEST_CASE(every_form_of_the_text_is_read_in_every_piece) {
  const std::pair<std::string, std::string> forms[] = {
      {"data: a\n\n", "[||a]"},
      {"data:a\r\rdata:b\r\n\r\n", "[||a][||b]"},
      {"\xef\xbb\xbf"
       "data: a\n\n",
       "[||a]"},
      {"data\ndata\n\n", "[||\n]"},
      {"data:  two\n\n", "[|| two]"},
      {": comment\nevent: n\nid: 1\ndata: x\nother: y\n\n", "[n|1|x]"},
      {"event: lost\n\ndata: x\n\n", "[||x]"},
      {"id: 1\ndata: x\n\ndata: y\n\n", "[|1|x][||y]"},
      {"data: unfinished\n", ""},
      {"data: x\n\n\n\n", "[||x]"},
      {std::string("id: a\0b\ndata: x\n\n", 17), "[||x]"},
  };
  for (const auto& [text, expected] : forms) {
    for (const std::size_t piece : {1, 2, 3, 1000})
      BOOST_TEST(read_events(text, piece) == expected, text << " in pieces of " << piece);
  }
}

BOOST_AUTO_TEST_CASE(the_last_id_and_the_time_to_wait_are_kept) {
  EventReader reader;
  const auto ignore = [](const Event&) {};
  reader.read("id: 7\ndata: x\n\ndata: y\n\nretry: 1500\nretry: 15x\n", ignore);
  BOOST_TEST(reader.last_id() == "7");
  BOOST_TEST((reader.retry() == std::chrono::milliseconds(1500)));
  reader.read("id\ndata: z\n\nretry: 99999999999\n", ignore);
  BOOST_TEST(reader.last_id() == "");
  BOOST_TEST((reader.retry() == std::chrono::hours(24)));
}

BOOST_AUTO_TEST_CASE(an_event_beyond_the_limit_is_refused) {
  for (const std::string& text :
       {std::string(200, 'x'), "data: " + std::string(200, 'x'),
        "data: " + std::string(60, 'x') + "\ndata: " + std::string(60, 'y')}) {
    for (const std::size_t piece : {1U, 1000U}) {
      EventReader reader(EventLimits{.event_bytes = 100});
      const auto feed = [&] {
        for (std::size_t at = 0; at < text.size(); at += piece)
          reader.read(std::string_view(text).substr(at, piece), [](const Event&) {});
      };
      BOOST_CHECK_EXCEPTION(feed(), Error,
                            [](const Error& error) { return error.errc() == Errc::too_large; });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
