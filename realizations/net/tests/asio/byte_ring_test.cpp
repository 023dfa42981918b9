// Bytes through memory that two processes share, and the effects of wrong numbers in it.
#include "realizations/net/src/shared_memory/byte_ring.hpp"

#include "realizations/net/src/shared_memory/shared_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace coracle::net::test {
namespace {

// Both ends, and the memory between them.
struct Ends {
  RingHead head;
  std::array<std::byte, 64> bytes{};
  RingWriter writer{head, bytes};
  RingReader reader{head, bytes};

  std::optional<std::size_t> write(std::string_view text) {
    const std::span<const std::byte> part[] = {std::as_bytes(std::span(text))};
    return writer.write(part);
  }
  std::string read(std::size_t most = 100) {
    std::string text(most, '\0');
    text.resize(reader.read(std::as_writable_bytes(std::span(text))).value());
    return text;
  }
};

BOOST_AUTO_TEST_SUITE(byte_ring)

BOOST_AUTO_TEST_CASE(what_is_written_is_read_in_order_round_and_round) {
  Ends ends;
  std::mt19937 numbers(7);  // NOLINT: the same each time
  std::string written, read;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (auto left = numbers() % 50; left > 0; --left)
      text += static_cast<char>('a' + written.size() + text.size() * 7 % 23);
    const std::size_t taken = ends.write(text).value();
    BOOST_REQUIRE(taken <= text.size());
    written += text.substr(0, taken);
    read += ends.read(1 + numbers() % 60);
    BOOST_REQUIRE(written.starts_with(read));
    BOOST_REQUIRE(written.size() - read.size() <= ends.bytes.size());
  }
  read += ends.read();
  BOOST_TEST((written == read));
  BOOST_TEST(written.size() > 10000u);
}

BOOST_AUTO_TEST_CASE(parts_are_one_after_the_other_and_as_much_as_there_is_room_for) {
  Ends ends;
  const std::string first(40, 'x'), second(40, 'y');
  const std::span<const std::byte> parts[] = {
      std::as_bytes(std::span(first)), {}, std::as_bytes(std::span(second))};
  BOOST_TEST(ends.writer.write(parts).value() == 64u);
  BOOST_TEST(ends.write("more").value() == 0u);
  BOOST_TEST(ends.read() == first + second.substr(0, 24));
  BOOST_TEST(ends.reader.is_empty());
}

BOOST_AUTO_TEST_CASE(a_reader_that_rests_is_woken_once) {
  Ends ends;
  (void)ends.write("a");
  BOOST_TEST(!ends.reader.rest(), "there is something");
  BOOST_TEST(!ends.writer.must_wake());
  (void)ends.read();
  BOOST_TEST(ends.reader.rest());
  (void)ends.write("b");
  BOOST_TEST(ends.writer.must_wake());
  (void)ends.write("c");
  BOOST_TEST(!ends.writer.must_wake());
}

BOOST_AUTO_TEST_CASE(a_writer_that_waits_is_woken_when_half_is_free) {
  Ends ends;
  BOOST_TEST(!ends.writer.wait(), "there is room");
  (void)ends.write(std::string(64, 'x'));
  BOOST_TEST(ends.writer.wait());
  (void)ends.read(31);
  BOOST_TEST(!ends.reader.must_wake());
  (void)ends.read(1);
  BOOST_TEST(ends.reader.must_wake());
  BOOST_TEST(!ends.reader.must_wake());
}

BOOST_AUTO_TEST_CASE(a_writer_can_wait_until_all_is_read) {
  Ends ends;
  BOOST_TEST(!ends.writer.wait(true));
  ends.write("twelve bytes");
  BOOST_TEST(!ends.writer.is_read());
  for (const char* part : {"twelve", " bytes"}) {
    BOOST_TEST(ends.writer.wait(true));
    BOOST_TEST(ends.read(6) == part);
    BOOST_TEST(ends.reader.must_wake());
  }
  BOOST_TEST(ends.writer.is_read());
}

BOOST_AUTO_TEST_CASE(who_says_what_cannot_be_is_not_believed) {
  for (const std::uint64_t lie : {65UL, 1UL << 32, ~0UL}) {
    Ends ends;
    ends.head.written = lie;
    std::array<std::byte, 8> room{};
    BOOST_TEST(!ends.reader.read(room).has_value());
    Ends others;
    (void)others.write(std::string(64, 'x'));
    others.head.read = lie;
    BOOST_TEST(!others.write("y").has_value());
  }
}

// An error is not forgotten after the next write, nor when the reader's number is possible again.
BOOST_AUTO_TEST_CASE(after_a_lie_nothing_is_written_any_more) {
  std::vector<std::byte> bytes(64);  // the address sanitizer catches writes behind them
  RingHead head;
  RingWriter writer(head, bytes);
  const std::string much(100'000, 'x');
  const std::span<const std::byte> part[] = {std::as_bytes(std::span(much))};
  BOOST_TEST(writer.write(part).value() == 64u);
  head.read = 1UL << 40;
  BOOST_TEST(!writer.write(part).has_value());
  BOOST_TEST(!writer.write(part).has_value());
  BOOST_TEST(!writer.wait(), "there is something to say");
  head.read = 32;
  BOOST_TEST(!writer.write(part).has_value());
  BOOST_TEST(!writer.wait());
}

BOOST_AUTO_TEST_CASE(after_a_lie_nothing_is_read_any_more) {
  Ends ends;
  (void)ends.write("text");
  ends.head.written = 65;
  std::array<std::byte, 8> room{};
  BOOST_TEST(!ends.reader.rest(), "there is something to say");
  ends.head.written = 4;
  BOOST_TEST(!ends.reader.read(room).has_value());
  BOOST_TEST(!ends.reader.is_empty());
  BOOST_TEST(!ends.reader.rest());
}

// Otherwise, a reader that announces room each time and then has none would keep the writer busy
// for ever; likewise a writer that has bytes and then has none.
BOOST_AUTO_TEST_CASE(who_takes_back_what_it_said_is_not_believed) {
  Ends ends;
  (void)ends.write(std::string(64, 'x'));
  ends.head.read = 32;
  BOOST_TEST(!ends.writer.wait());
  ends.head.read = 0;
  BOOST_TEST(!ends.write(std::string(40, 'y')).has_value());
  Ends others;
  (void)others.write("text");
  BOOST_TEST(!others.reader.rest());
  others.head.written = 0;
  std::array<std::byte, 8> room{};
  BOOST_TEST(!others.reader.read(room).has_value());
}

BOOST_AUTO_TEST_CASE(of_a_writer_that_is_gone_only_what_was_there_is_read) {
  Ends ends;
  (void)ends.write("the last");
  ends.reader.end();
  (void)ends.write("and more");
  BOOST_TEST(ends.read(5) == "the l");
  BOOST_TEST(ends.read() == "ast");
  BOOST_TEST(ends.reader.is_empty());
  BOOST_TEST(ends.read() == "");
}

// For the thread sanitizer, too.
BOOST_AUTO_TEST_CASE(two_threads_wake_each_other) {
  Ends ends;
  constexpr std::uint64_t all = 200'000;
  std::atomic<int> reader_bell{0}, writer_bell{0};
  std::thread writing([&] {
    std::uint64_t sent = 0;
    while (sent < all) {
      std::array<std::byte, 24> chunk;
      for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = static_cast<std::byte>(sent + i);
      const std::size_t size = std::min<std::uint64_t>(chunk.size(), all - sent);
      const std::span<const std::byte> part[] = {std::span(chunk).first(size)};
      sent += ends.writer.write(part).value();
      if (ends.writer.must_wake()) {
        reader_bell = 1;
        reader_bell.notify_one();
      }
      if (sent < all && ends.writer.wait()) {
        writer_bell.wait(0);
        writer_bell = 0;
      }
    }
  });
  std::uint64_t got = 0;
  bool is_right = true;
  while (got < all) {
    std::array<std::byte, 100> into;
    const std::size_t bytes = ends.reader.read(into).value();
    for (std::size_t i = 0; i < bytes; ++i)
      is_right = is_right && into[i] == static_cast<std::byte>(got + i);
    got += bytes;
    if (ends.reader.must_wake()) {
      writer_bell = 1;
      writer_bell.notify_one();
    }
    if (got < all && ends.reader.rest()) {
      reader_bell.wait(0);
      reader_bell = 0;
    }
  }
  writing.join();
  BOOST_TEST(is_right);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(shared_memory)

BOOST_AUTO_TEST_CASE(both_see_what_each_has_written) {
  auto made = SharedMemory::make();
  BOOST_REQUIRE(made.has_value());
  auto taken = SharedMemory::take(made->descriptor);
  BOOST_REQUIRE(taken.has_value());
  using Direction = SharedMemory::Direction;
  for (const Direction direction : {Direction::to_maker, Direction::from_maker}) {
    const SharedMemory& writes = direction == Direction::to_maker ? *taken : made->memory;
    const SharedMemory& reads = direction == Direction::to_maker ? made->memory : *taken;
    RingWriter writer = writes.writer(direction);
    const std::string text = direction == Direction::to_maker ? "here" : "there";
    const std::span<const std::byte> part[] = {std::as_bytes(std::span(text))};
    BOOST_TEST(writer.write(part).value() == text.size());
    std::string heard(10, '\0');
    RingReader reader = reads.reader(direction);
    heard.resize(reader.read(std::as_writable_bytes(std::span(heard))).value());
    BOOST_TEST(heard == text);
  }
}

// The process that created the memory could change its size, and access would then end this
// process; or the descriptor is something else.
BOOST_AUTO_TEST_CASE(what_is_not_made_for_it_is_not_taken) {
  const int unsealed = ::memfd_create("test", MFD_CLOEXEC);
  BOOST_REQUIRE(::ftruncate(unsealed, 4096 + 2 * SharedMemory::ring_bytes) == 0);
  BOOST_TEST(!SharedMemory::take(unsealed).has_value());
  const int small = ::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  BOOST_REQUIRE(::ftruncate(small, 4096) == 0);
  BOOST_REQUIRE(::fcntl(small, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
  BOOST_TEST(!SharedMemory::take(small).has_value());
  BOOST_TEST(!SharedMemory::take(::open("/dev/null", O_RDWR | O_CLOEXEC)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
