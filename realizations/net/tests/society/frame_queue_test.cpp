// Frames are sent by one node, and assembled by the other one.
#include "realizations/net/src/society/frames/frame_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>

namespace coracle::society::test {

namespace {

constexpr std::size_t piece = 64;
constexpr std::uint64_t most = 2000;

// A frame that contains its number; the part behind its head has as many bytes as `bytes`.
Bytes head_of(unsigned number) { return {std::byte{1}, std::byte(number >> 8), std::byte(number)}; }
unsigned number_of(ByteSpan head) {
  return std::to_integer<unsigned>(head[1]) << 8 | std::to_integer<unsigned>(head[2]);
}
Content content_of(unsigned number, std::size_t bytes) {
  Bytes content(bytes);
  for (std::size_t i = 0; i < bytes; ++i) content[i] = std::byte((number * 7 + i) & 0xff);
  return Content::bytes(content);
}
bool is_content_of(unsigned number, ByteSpan content) {
  const Content expected = content_of(number, content.size());
  return std::equal(content.begin(), content.end(), expected.bytes().begin());
}

// Both ends, and the frames that have come.
struct Ends {
  FrameQueue queue{piece, piece};
  Pieces pieces{most};
  std::vector<unsigned> came;
  std::vector<Pieces::Got> got;  // the results of pieces

  // Sends one message; returns false when nothing waits.
  bool pass() {
    const auto next = queue.next();
    if (!next) return false;
    BOOST_TEST_REQUIRE(next->head.size() + next->content->size() <= piece);
    net::Arrived message{};
    message.header = next->head;
    message.content = next->content->bytes();
    if (!is_piece(message.header)) {
      arrived(message.header, message.content);
    } else {
      got.push_back(pieces.take(message));
      BOOST_TEST_REQUIRE((got.back() != Pieces::Got::nonsense));
      if (got.back() == Pieces::Got::frame) {
        const Content content = pieces.take_content();
        arrived(pieces.head(), content.bytes());
      }
      if (got.back() == Pieces::Got::too_large) came.push_back(number_of(pieces.head()));
    }
    queue.gone();
    return true;
  }
  void arrived(ByteSpan head, ByteSpan content) {
    came.push_back(number_of(head));
    BOOST_TEST_REQUIRE(is_content_of(came.back(), content));
  }
  void add(unsigned number, std::size_t bytes) {
    queue.add(head_of(number), content_of(number, bytes));
  }
  void add_apart(unsigned number, std::size_t bytes, const FramePair& pair) {
    queue.add_apart(head_of(number), content_of(number, bytes), pair);
  }
};

using Numbers = std::vector<unsigned>;

net::Arrived message_of(ByteSpan bytes) {
  net::Arrived message{};
  message.header = bytes;
  return message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(frame_queue)

BOOST_AUTO_TEST_CASE(what_keeps_its_place_comes_in_order_whatever_its_size) {
  Ends ends;
  for (const unsigned number : {1u, 2u, 3u}) ends.add(number, number == 2 ? 1000 : 10);
  while (ends.pass()) {
  }
  BOOST_TEST(ends.came == (Numbers{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(ends.queue.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_apart_holds_up_only_its_own_pair) {
  Ends ends;
  ends.add_apart(1, 1000, {1, 2});
  ends.add_apart(2, 10, {1, 2});
  ends.add_apart(3, 10, {1, 3});
  ends.add_apart(4, 10, {1, 0});  // a frame to anybody
  ends.add(5, 10);
  BOOST_TEST(ends.queue.bytes_behind() == 26u);
  while (ends.pass()) {
  }
  BOOST_TEST(ends.came == (Numbers{3, 5, 1, 2, 4}), boost::test_tools::per_element());
  BOOST_TEST(ends.queue.is_apart_gone());
  BOOST_TEST(ends.queue.bytes_behind() == 0u);
}

BOOST_AUTO_TEST_CASE(a_large_one_has_its_turn_however_much_else_there_is) {
  Ends ends;
  ends.add_apart(1, 300, {1, 2});
  for (unsigned number = 2; number < 200; ++number) ends.add(number, 30);
  while (ends.pass()) {
  }
  const auto at = std::find(ends.came.begin(), ends.came.end(), 1u) - ends.came.begin();
  BOOST_TEST(at < 30);
}

BOOST_AUTO_TEST_CASE(large_ones_take_turns) {
  Ends ends;
  ends.add_apart(1, 1500, {1, 2});
  ends.add_apart(2, 150, {1, 3});
  ends.add(3, 1000);
  while (ends.pass()) {
  }
  BOOST_TEST(ends.came == (Numbers{2, 3, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pieces_are_small_while_others_are_sent) {
  FrameQueue queue(1000, 100);
  queue.add_apart(head_of(1), content_of(1, 100'000), {1, 2});
  const auto next_piece_size = [&queue] {
    const std::size_t size = queue.next()->head.size();
    queue.gone();
    return size;
  };
  for (int i = 0; i < 16; ++i) BOOST_TEST(next_piece_size() == 100u);
  BOOST_TEST(next_piece_size() == 800u);
  queue.others_went();
  BOOST_TEST(next_piece_size() == 100u);
}

BOOST_AUTO_TEST_CASE(of_what_is_too_large_the_head_comes_and_all_else_goes_on) {
  Ends ends;
  ends.add_apart(1, most, {1, 2});
  ends.add_apart(2, 300, {1, 3});
  while (ends.pass()) {
  }
  BOOST_TEST(ends.came == (Numbers{2, 1}), boost::test_tools::per_element());
  BOOST_TEST((ends.got.back() == Pieces::Got::too_large));
}

BOOST_AUTO_TEST_CASE(what_is_apart_can_begin_anew_behind_all_that_waits) {
  Ends ends;
  ends.add_apart(1, 1000, {1, 2});
  ends.add_apart(2, 10, {1, 2});
  for (int i = 0; i < 4; ++i) ends.pass();
  ends.add(3, 10);
  ends.queue.begin_apart_anew();
  ends.pieces.forget();
  ends.add_apart(4, 1000, {1, 2});
  while (ends.pass()) {
  }
  BOOST_TEST(ends.came == (Numbers{3, 4}), boost::test_tools::per_element());
  BOOST_TEST(ends.queue.bytes() == 0u);
}

// Each frame comes once, and none overtakes a frame that is sent in order or meets its pair.
BOOST_AUTO_TEST_CASE(all_comes_once_and_each_pair_in_order) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](unsigned end) { return static_cast<unsigned>(random() % end); };
    Ends ends;
    std::map<unsigned, FramePair> apart;
    constexpr unsigned frames = 60;
    for (unsigned number = 0; number < frames; ++number) {
      const std::size_t bytes = below(3) == 0 ? below(1500) : below(40);
      if (below(3) != 0) {
        apart[number] = {below(4), below(4)};
        ends.add_apart(number, bytes, apart[number]);
      } else {
        ends.add(number, bytes);
      }
      for (unsigned i = below(6); i != 0; --i) ends.pass();
    }
    while (ends.pass()) {
    }
    BOOST_TEST_CONTEXT("seed " << seed) {
      BOOST_TEST_REQUIRE(ends.came.size() == frames);
      BOOST_TEST_REQUIRE(ends.queue.bytes() == 0u);
      for (auto later = ends.came.begin(); later != ends.came.end(); ++later) {
        for (auto earlier = ends.came.begin(); earlier != later; ++earlier) {
          if (*earlier < *later) continue;  // in the order of sending
          // It overtook the later one, which is large and apart, or waits for one that is.
          BOOST_TEST_REQUIRE(*earlier != *later);
          BOOST_TEST_REQUIRE(apart.contains(*later));
          const bool was_apart = apart.contains(*earlier);
          BOOST_TEST_REQUIRE((!was_apart || !apart[*earlier].meets(apart[*later])));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(pieces_that_do_not_fit_are_nonsense) {
  const auto first = [](unsigned place, unsigned head, unsigned all) {
    return Bytes{first_piece, std::byte(place), std::byte(head), std::byte(all), std::byte{7}};
  };
  const auto next = [](unsigned place) {
    return Bytes{next_piece, std::byte(place), std::byte{8}};
  };
  using Got = Pieces::Got;
  Pieces pieces(100);
  BOOST_TEST((pieces.take(message_of(next(0))) == Got::nonsense), "nothing has begun there");
  BOOST_TEST((pieces.take(message_of(first(4, 1, 9))) == Got::nonsense), "there is no such place");
  BOOST_TEST((pieces.take(message_of(Bytes{first_piece})) == Got::nonsense), "which place?");
  BOOST_TEST((pieces.take(message_of(first(1, 0, 9))) == Got::nonsense), "it has no head");
  BOOST_TEST((pieces.take(message_of(first(1, 10, 9))) == Got::nonsense), "a head larger than all");
  BOOST_TEST((pieces.take(message_of(first(1, 1, 2))) == Got::part));
  BOOST_TEST((pieces.take(message_of(first(1, 1, 2))) == Got::nonsense), "it is taken");
  const Bytes two = {next_piece, std::byte{1}, std::byte{8}, std::byte{9}};
  BOOST_TEST((pieces.take(message_of(two)) == Got::nonsense), "more than was said");
  BOOST_TEST((pieces.take(message_of(next(1))) == Got::frame));
  BOOST_TEST((pieces.take(message_of(next(1))) == Got::nonsense), "it is free again");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society::test
