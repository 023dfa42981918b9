// Tests of the table of coracle top.
#include "top/state.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::command {

namespace {

using namespace std::chrono_literals;

Measured counted(const std::string& name, std::uint64_t handled, Duration at) {
  Measured counts;
  counts.name = name;
  counts.node = "n";
  counts.does = "waits";
  counts.life = {1, 1};
  counts.is_known = true;
  counts.at = Time(at);
  counts.age = at;
  counts.handled = handled;
  return counts;
}

std::vector<std::string> names_of(const Top& top) {
  std::vector<std::string> names;
  for (const TopRow& each : top.rows()) names.push_back(each.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(top)

BOOST_AUTO_TEST_CASE(the_first_rate_is_that_of_a_life_and_the_next_that_since_then) {
  Top top;
  top.take({counted("ann", 100, 10s)});
  BOOST_TEST(top.rows().at(0).rate == 10);
  top.take({counted("ann", 100, 10s)});
  BOOST_TEST(top.rows().at(0).rate == 10);  // nothing new was read
  top.take({counted("ann", 160, 12s)});
  BOOST_TEST(top.rows().at(0).rate == 30);
  Measured next = counted("ann", 8, 16s);
  next.life = {1, 2};
  next.age = 2s;
  top.take({next});
  BOOST_TEST(top.rows().at(0).rate == 4);
}

BOOST_AUTO_TEST_CASE(the_share_of_a_processor_is_that_between_two_looks) {
  Top top;
  Measured ann = counted("lab/ann", 1, 1s), bob = counted("lab/bob", 1, 1s);
  ann.running = {0s, 0s};
  bob.running = {1s, 4s};
  top.take({ann, bob});
  BOOST_TEST(!top.rows().at(0).cpu.has_value());
  BOOST_TEST(top.rows().at(1).cpu.value() == 0.25);
  ann.at = bob.at = Time(3s);
  ann.running = {500ms, 2s};
  bob.running = {3s, 6s};
  top.take({ann, bob});
  BOOST_TEST(top.rows().at(0).cpu.value() == 0.25);
  BOOST_TEST(top.rows().at(1).cpu.value() == 1);
  BOOST_TEST(top.obey('c'));
  BOOST_TEST(names_of(top).front() == "lab/bob");
  BOOST_TEST(top.table(80).at(1).find("100.0") != std::string::npos);
  BOOST_TEST(top.obey('f'));
  BOOST_TEST(top.rows().front().cpu.value() == 1.25);
}

BOOST_AUTO_TEST_CASE(keys_sort_fold_and_pause) {
  Top top;
  Measured ann = counted("lab/ann", 10, 1s), bob = counted("lab/bob", 50, 1s);
  Measured cid = counted("ops/cid", 20, 1s);
  ann.queued = 7, cid.errors = 3, bob.queued = 2;
  top.take({ann, bob, cid});
  BOOST_TEST(names_of(top) == Names({"lab/bob", "ops/cid", "lab/ann"}));
  BOOST_TEST(top.obey('m'));
  BOOST_TEST(names_of(top) == Names({"lab/ann", "lab/bob", "ops/cid"}));
  BOOST_TEST(top.obey('e'));
  BOOST_TEST(names_of(top).front() == "ops/cid");
  BOOST_TEST(top.obey('n'));
  BOOST_TEST(names_of(top) == Names({"lab/ann", "lab/bob", "ops/cid"}));
  BOOST_TEST(top.obey('f'));
  BOOST_TEST(names_of(top) == Names({"lab/", "ops/"}));
  BOOST_TEST(top.rows().front().agents == 2u);
  BOOST_TEST(top.rows().front().rate == 60);
  BOOST_TEST(top.rows().front().queued == 9u);
  BOOST_TEST(top.obey('f'));
  BOOST_TEST(names_of(top).size() == 3u);
  BOOST_TEST(top.obey(' '));
  top.take({});
  BOOST_TEST(names_of(top).size() == 3u);
  BOOST_TEST(top.obey(' '));
  top.take({});
  BOOST_TEST(names_of(top).empty());
  BOOST_TEST(!top.obey('q'));
}

BOOST_AUTO_TEST_CASE(no_line_is_longer_than_the_screen_and_no_screen_has_more_lines) {
  Top top;
  std::vector<Measured> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(counted("a/very/long/name/of/an/agent/" + std::to_string(i), 5, 1s));
  all.push_back(counted("\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57", 5, 1s));
  top.take(std::move(all));
  for (const std::size_t columns : {1u, 2u, 9u, 20u, 39u, 40u, 70u, 80u, 100u, 250u}) {
    for (const std::size_t height : {1u, 2u, 5u, 24u, 60u}) {
      const auto lines = top.lines(columns, height);
      BOOST_TEST(lines.size() <= height);
      for (const std::string& line : lines) BOOST_TEST(fitted(line, columns, false) == line);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_screen_scrolls_to_the_last_row_and_no_further) {
  Top top;
  std::vector<Measured> all;
  for (int i = 0; i < 9; ++i) all.push_back(counted("agent" + std::to_string(i), 0, 1s));
  top.take(std::move(all));
  top.obey('n');
  BOOST_TEST(top.lines(80, 5).back().starts_with("agent2"));
  for (int i = 0; i < 5; ++i) top.obey(Top::page_down), (void)top.lines(80, 5);
  BOOST_TEST(top.lines(80, 5).back().starts_with("agent8"));
  top.obey(Top::up);
  BOOST_TEST(top.lines(80, 5).back().starts_with("agent7"));
  top.obey(Top::home);
  BOOST_TEST(top.lines(80, 5)[2].starts_with("agent0"));
}

BOOST_AUTO_TEST_CASE(texts_of_others_are_shown_escaped) {
  Top top;
  Measured eve = counted("eve", 0, 1s);
  eve.node = "\x1b[2Jnode";
  eve.does = "waits for \x1b]0;x\a";
  top.take({eve});
  for (const std::string& line : top.table(120)) BOOST_TEST(line.find('\x1b') == line.npos);
  BOOST_TEST(top.table(120).at(1).find("\\x1b[2Jnode") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_text_is_cut_by_the_cells_that_it_takes) {
  BOOST_TEST(fitted("abc", 5, true) == "abc  ");
  BOOST_TEST(fitted("abcdef", 4, false) == "abc~");
  BOOST_TEST(fitted("\u6f22\u5b57\u6f22", 4, true) == "\u6f22~ ");
  BOOST_TEST(fitted("e\u0301e\u0301", 2, false) == "e\u0301e\u0301");
  BOOST_TEST(fitted("abc", 0, false).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::command
