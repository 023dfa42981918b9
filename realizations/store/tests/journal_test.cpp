// Tests of the journal before anything is written: limits, groups, positions.
#include "store/journal.hpp"

#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/tests/support/files.hpp"
#include "store/segment_scan.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::store {
namespace {

using net::test::errc;

JournalOptions small() {
  JournalOptions options;
  options.segment_bytes = 2048;
  options.pending_bytes = 1000;
  options.record_bytes = 500;
  return options;
}

struct Bench {
  Bench() : journal(small(), {{{7, 1500, 0, 0}}, 3, 42}, random) {}

  Result<Journal::Appended> append(std::size_t bytes, Urgency urgency = Urgency::refusable) {
    return journal.append(1, {Bytes(bytes)}, urgency);
  }

  net::SeededRandom random{1};
  Journal journal;
};

BOOST_AUTO_TEST_SUITE(journal)

BOOST_AUTO_TEST_CASE(numbers_go_on_behind_every_earlier_run) {
  Bench bench;
  const auto first = bench.append(10).value();
  BOOST_TEST(first.sequence == (Sequence{3} << run_shift) + 1);
  BOOST_TEST((first.place == Place{7, 1500}));
  BOOST_TEST((bench.append(10).value().place ==
              Place{7, 1500 + static_cast<std::uint32_t>(record_bytes(10))}));
}

BOOST_AUTO_TEST_CASE(what_comes_while_a_batch_is_written_is_the_next_batch) {
  Bench bench;
  BOOST_TEST(!bench.journal.take().has_value());
  const auto one = bench.append(1).value(), two = bench.append(1).value();
  const auto batch = bench.journal.take();
  BOOST_TEST(batch->last == two.sequence);
  const auto three = bench.append(1).value();
  BOOST_TEST(!bench.journal.take().has_value(), "one at a time");
  BOOST_TEST(bench.journal.durable() < one.sequence);
  bench.journal.written();
  BOOST_TEST(bench.journal.durable() == two.sequence);
  BOOST_TEST(bench.journal.take()->last == three.sequence);
}

BOOST_AUTO_TEST_CASE(a_long_segment_gets_a_successor_that_says_how_far_it_counts) {
  Bench bench;
  for (int i = 0; i < 2; ++i) {
    const auto last = bench.append(450).value();
    const auto batch = bench.journal.take();
    BOOST_TEST(!batch->starts.has_value());
    BOOST_TEST(batch->segment == 7u);
    BOOST_TEST(batch->last == last.sequence);
    bench.journal.written();
  }
  const auto before = bench.journal.last();
  const auto next = bench.append(1).value();
  BOOST_TEST((next.place == Place{8, header_bytes}));
  const auto batch = bench.journal.take();
  BOOST_REQUIRE(batch->starts.has_value());
  BOOST_TEST(batch->starts->number == 8u);
  BOOST_TEST(batch->starts->previous_bytes == 1500u + 2 * record_bytes(450));
  BOOST_TEST(batch->starts->previous_last == before);
  BOOST_TEST(batch->starts->oldest == 7u);
  BOOST_TEST(!bench.journal.oldest_is_complete());
  bench.journal.written();
  BOOST_TEST(bench.journal.oldest_is_complete());
  bench.journal.remove_oldest().value();
  BOOST_TEST(bench.journal.take()->remove_before == 8u);
}

BOOST_AUTO_TEST_CASE(limits_are_kept_before_anything_is_taken) {
  Bench bench;
  BOOST_TEST((errc(bench.append(501)) == Errc::too_large));
  BOOST_TEST(bench.append(450).has_value());
  BOOST_TEST(bench.append(450).has_value());
  BOOST_TEST((errc(bench.append(450)) == Errc::limit_reached));
  BOOST_TEST(bench.journal.pending() == 2 * record_bytes(450));
  bench.journal.take();
  BOOST_TEST((errc(bench.append(450)) == Errc::limit_reached), "it is not on the disk yet");
  bench.journal.written();
  BOOST_TEST(bench.append(450).has_value());
}

BOOST_AUTO_TEST_CASE(a_full_disk_refuses_only_what_may_be_refused) {
  Bench bench;
  bench.journal.set_full(true, 100);
  BOOST_TEST((errc(bench.append(1)) == Errc::disk_full));
  BOOST_TEST(bench.append(1, Urgency::needed).has_value());
  bench.journal.set_full(false, 100);
  BOOST_TEST(bench.append(1).has_value());
}

BOOST_AUTO_TEST_CASE(after_a_failure_everything_is_refused_and_says_why) {
  Bench bench;
  const auto last = bench.append(1).value();
  bench.journal.take();
  bench.append(1).value();
  bench.journal.fail(Error(Errc::disk_failed, "the disk is on fire"));
  bench.journal.fail(Error(Errc::disk_full, "something later"));
  for (const Urgency urgency : {Urgency::refusable, Urgency::needed}) {
    const auto done = bench.append(1, urgency);
    BOOST_TEST((errc(done) == Errc::disk_failed));
    BOOST_TEST(done.error().sentence() == "the disk is on fire");
  }
  BOOST_TEST(!bench.journal.take().has_value());
  BOOST_TEST(bench.journal.durable() < last.sequence);
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused) {
  BOOST_TEST(check_options(JournalOptions()).has_value());
  JournalOptions options = small();
  options.pending_bytes = options.record_bytes;
  BOOST_TEST((errc(check_options(options)) == Errc::bad_options));
  options = small();
  options.segment_bytes = 1;
  BOOST_TEST((errc(check_options(options)) == Errc::bad_options));
}

BOOST_AUTO_TEST_CASE(a_group_proves_that_the_one_before_it_was_written) {
  SegmentHeader header;
  header.number = 1;
  header.nonce = 99;
  Bytes bytes = segment_header(header);
  std::vector<std::uint32_t> at;
  for (Sequence number = 1; number <= 6; ++number) {  // three groups of two
    at.push_back(static_cast<std::uint32_t>(bytes.size()));
    put_record(bytes, number, 1, std::initializer_list<ByteSpan>{Bytes(20)});
    if (number % 2 == 0) seal_records(std::span(bytes).subspan(at[number - 2]), 99, at[number - 2]);
  }
  using Step = SegmentScan::Step;
  const auto steps = [&](std::size_t broken, bool closed) {
    Bytes copy = bytes;
    copy[at[broken] + 30] ^= std::byte{1};
    SegmentScan scan(copy, header, closed);
    std::string seen;
    for (auto step = scan.next(); step != Step::end; step = scan.next())
      seen += step == Step::record ? 'r' : 'D';
    return seen;
  };
  BOOST_TEST(steps(0, false) == "Drrrrr");
  BOOST_TEST(steps(3, false) == "rrrDrr");
  BOOST_TEST(steps(4, false) == "rrrr", "the last group was being written");
  BOOST_TEST(steps(5, false) == "rrrrr");
  BOOST_TEST(steps(4, true) == "rrrrDr", "but not if another segment follows");
  BOOST_TEST(steps(5, true) == "rrrrrD");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store
