// The messages that a session keeps until the peer has them.
#include "realizations/net/src/session/outbox.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace coracle::net {

namespace {

// Writes one frame, which has then arrived.
void pass(Outbox& outbox, std::size_t bytes) {
  const std::vector<std::byte> body(bytes);
  const Seq seq = outbox.append({}, body);
  std::vector<std::span<const std::byte>> parts;
  outbox.gather(parts, std::size_t{1} << 20);
  BOOST_TEST(outbox.pending() == 0u);
  BOOST_TEST(outbox.kept() > bytes);
  outbox.acknowledge(seq);
  outbox.trim();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(outbox)

BOOST_AUTO_TEST_CASE(nothing_is_kept_of_what_has_arrived_whatever_its_size) {
  Outbox outbox;
  for (const std::size_t bytes : {10u, 5'000u, 10u, 100'000u, 5'000u, 200'000u, 10u}) {
    pass(outbox, bytes);
    BOOST_TEST(outbox.kept() == 0u);
    BOOST_TEST(outbox.pending() == 0u);
  }
  BOOST_TEST(outbox.memory() <= 300'000u);
}

BOOST_AUTO_TEST_CASE(memory_for_what_may_come_is_given_back_when_nothing_is_kept) {
  Outbox outbox;
  std::vector<std::span<const std::byte>> parts;
  for (int i = 0; i < 100; ++i) outbox.append({}, std::vector<std::byte>(5'000));
  outbox.gather(parts, std::size_t{1} << 20);
  outbox.acknowledge(99);
  outbox.trim();
  outbox.shed();
  BOOST_TEST(outbox.memory() >= 128u << 10, "one is kept, and room for others");
  outbox.acknowledge(100);
  outbox.trim();
  outbox.shed();
  BOOST_TEST(outbox.memory() == 0u);
  pass(outbox, 10);
  BOOST_TEST(outbox.last() == 101u);
}

BOOST_AUTO_TEST_CASE(a_frame_grows_until_the_writer_has_it) {
  Outbox outbox;
  std::vector<std::span<const std::byte>> parts;
  const std::byte header[] = {std::byte{1}};
  const auto put = [](std::byte* at, unsigned value) { *at = static_cast<std::byte>(value); };
  put(outbox.append_room(header, 1), 2);
  put(outbox.grow(1, 1, 4), 3);
  put(outbox.grow(1, 1, 4 + 1), 4);
  BOOST_TEST(outbox.grow(1, 1, 5) == nullptr, "it would be longer than it may get");
  BOOST_TEST(outbox.grow(1, std::size_t{1} << 12, 1u << 20) == nullptr, "there is no room");
  BOOST_TEST(outbox.last() == 1u);
  BOOST_TEST(outbox.pending() == 9u);
  outbox.gather(parts, 100);
  BOOST_REQUIRE(parts.size() == 1u);
  const unsigned char expected[] = {16, 5, 0, 0, 1, 1, 2, 3, 4};
  BOOST_TEST(std::ranges::equal(parts[0], std::as_bytes(std::span(expected))));
  BOOST_TEST(outbox.grow(1, 1, 100) == nullptr, "the writer has it");
  BOOST_TEST(outbox.rewind() == 1u);
  BOOST_TEST(outbox.grow(1, 1, 100) == nullptr, "the peer may have it as it was");
  outbox.append_room(header, 0);
  BOOST_TEST(outbox.grow(1, 1, 100) == nullptr, "another one is behind it");
  BOOST_TEST(outbox.grow(2, 1, 100) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::net
