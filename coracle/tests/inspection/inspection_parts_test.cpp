#include "inspection/inspection_parts.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::detail {

namespace {

Inspection full() {
  Inspection part;
  part.activity = Activity::waits;
  part.life = {3, 7};
  part.age = std::chrono::seconds(5);
  part.running = {std::chrono::milliseconds(3), std::chrono::seconds(2)};
  Wait wait;
  wait.what = WaitFor::reply;
  wait.whom = "bob";
  wait.conversation = 99;
  wait.since = std::chrono::milliseconds(12);
  wait.is_at_least = true;
  part.waits = {wait, Wait()};
  part.waits.back().tests_content = true;
  part.waits.back().left = Duration::zero();
  part.requests = 1, part.tasks = 2, part.sent = 3, part.consumed = 4, part.in_hand = 5;
  part.queued = 6, part.queued_bytes = 7;
  part.mailbox.messages(8).redirect_to("desk");
  part.groups = {"team", "choir"};
  part.taps = {{1, 2, 3, 4}};
  part.supervisor = "boss";
  part.restarts = 2;
  part.errors = {{std::chrono::seconds(1), "it has slipped"}};
  part.state = "count 2";
  part.waiting = 1;
  part.messages = {{MessageKind::failure, true, 5, "bob", 3, "no!"}};
  return part;
}

std::vector<std::byte> written(const Inspection& part) {
  std::vector<std::byte> bytes;
  FrameWriter out(bytes);
  write_inspection(out, part);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspection_parts)

BOOST_AUTO_TEST_CASE(a_part_is_read_as_it_was_written) {
  const auto bytes = written(full());
  FrameReader in(bytes);
  const Inspection part = read_inspection(in);
  BOOST_TEST(in.done());
  BOOST_TEST((written(part) == bytes));
  BOOST_TEST((part.running.ran == std::chrono::milliseconds(3)));
  BOOST_TEST((part.running.measured == std::chrono::seconds(2)));
  BOOST_TEST(part.waits.front().whom.view() == "bob");
  BOOST_TEST((part.waits.front().since == std::chrono::milliseconds(12)));
  BOOST_TEST((part.waits.back().left == Duration::zero()));
  BOOST_TEST(part.waits.back().tests_content);
  BOOST_TEST(!part.waits.back().since.has_value());
  BOOST_TEST(part.mailbox.redirect().view() == "desk");
  BOOST_TEST(part.state == "count 2");
  BOOST_TEST((part.messages.front().kind == MessageKind::failure));
}

BOOST_AUTO_TEST_CASE(a_part_that_is_cut_makes_no_sense_or_has_no_agent) {
  const auto bytes = written(full());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    FrameReader in{std::span(bytes).first(size)};
    const Inspection part = read_inspection(in);
    BOOST_TEST((!in.ok() || part.activity == Activity::absent));
  }
}

BOOST_AUTO_TEST_CASE(lists_and_texts_are_cut_to_their_limits) {
  Inspection part = full();
  part.waits.resize(1000), part.groups.resize(1000, Name("team")), part.errors.resize(1000);
  part.taps.resize(1000);
  part.state.assign(1'000'000, 'x');
  part.errors.front().text.assign(100'000, 'x');
  const auto bytes = written(part);
  FrameReader in(bytes);
  const Inspection read = read_inspection(in);
  BOOST_TEST(in.done());
  BOOST_TEST(read.waits.size() == InspectionLimits::waits);
  BOOST_TEST(read.groups.size() == InspectionLimits::groups);
  BOOST_TEST(read.taps.size() == InspectionLimits::taps);
  BOOST_TEST(read.errors.size() == InspectionLimits::errors);
  BOOST_TEST(read.state.size() == InspectionLimits::state);
}

BOOST_AUTO_TEST_CASE(only_the_holders_part_has_the_agent) {
  Inspection all;
  all.name = "ann";
  all.lease = 5;
  all.node = "desk";
  add_part(all, full(), false);
  BOOST_TEST((all.activity == Activity::absent));
  BOOST_TEST(all.state.empty());
  BOOST_TEST(all.waiting == 1U);
  add_part(all, full(), true);
  BOOST_TEST((all.activity == Activity::waits));
  BOOST_TEST(all.name.view() == "ann");
  BOOST_TEST(all.lease == 5U);
  BOOST_TEST(all.waiting == 2U);
  BOOST_TEST(all.messages.size() == 2U);
  add_part(all, Inspection(), true);
  BOOST_TEST(all.state == "count 2");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
