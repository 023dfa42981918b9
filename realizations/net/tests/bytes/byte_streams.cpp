// The promises about a connection while it lives and when it ends.
#include "byte_contract.hpp"

#include "support/pair.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::net::test {

namespace {

using namespace std::chrono_literals;

void bytes_arrive_in_both_directions_as_they_were_written(ByteBench& bench) {
  Pair pair(bench);
  const std::string there = pattern(300'000), back = pattern(200'000, 5);
  pair.guest().keep_reading();
  pair.visitor().keep_reading();
  pair.visitor().write(there);
  pair.guest().write(back);
  BOOST_TEST(bench.until([&] {
    return pair.guest().received.size() >= there.size() &&
           pair.visitor().received.size() >= back.size();
  }));
  BOOST_TEST((pair.guest().received == there));
  BOOST_TEST((pair.visitor().received == back));
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1 && pair.guest().written == 1; }));
}

void a_gathered_write_arrives_whole_and_in_order(ByteBench& bench) {
  Pair pair(bench);
  const std::string all = pattern(20'000);
  std::vector<std::span<const std::byte>> parts;
  for (std::size_t at = 0, size = 0; at < all.size(); at += size, size = (size + 1) % 23)
    parts.push_back(bytes_of(std::string_view(all).substr(at, size)));
  pair.guest().keep_reading();
  pair.visitor().connection->write(parts);
  BOOST_TEST(bench.until([&] { return pair.guest().received.size() >= all.size(); }));
  BOOST_TEST((pair.guest().received == all));
}

void what_is_taken_at_once_arrives_in_its_place(ByteBench& bench) {
  Pair pair(bench);
  const std::string all = pattern(4u << 20);
  pair.guest().keep_reading();
  std::string_view rest = all;
  while (!rest.empty()) {
    const auto next = bytes_of(rest);
    const std::span<const std::byte> parts[] = {next.first(next.size() / 3),
                                                next.subspan(next.size() / 3)};
    rest.remove_prefix(pair.visitor().connection->try_write(parts));
    const auto some = rest.substr(0, 1000);
    pair.visitor().write(std::string(some));
    if (pair.visitor().writing) BOOST_TEST(pair.visitor().connection->try_write(parts) == 0u);
    rest.remove_prefix(some.size());
    BOOST_TEST_REQUIRE(bench.until([&] { return !pair.visitor().writing; }));
  }
  BOOST_TEST(bench.until([&] { return pair.guest().received.size() >= all.size(); }));
  BOOST_TEST((pair.guest().received == all));
}

void a_write_of_nothing_is_written(ByteBench& bench) {
  Pair pair(bench);
  pair.visitor().write("");
  BOOST_TEST(pair.visitor().written == 0u, "an event came from inside a call");
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1; }));
  pair.guest().keep_reading();
  pair.visitor().write(pattern(100'000));
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 2; }));
  pair.visitor().write("");
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 3; }));
}

void a_read_brings_no_more_than_its_buffer_holds(ByteBench& bench) {
  Pair pair(bench, 3);
  const std::string text = pattern(1000);
  pair.visitor().write(text);
  pair.guest().keep_reading();
  BOOST_TEST(bench.until([&] { return pair.guest().received.size() >= text.size(); }));
  BOOST_TEST((pair.guest().received == text));
  BOOST_TEST(!pair.guest().overrun);
  BOOST_TEST(pair.guest().reads >= 334u);
}

void one_write_after_another_keeps_its_order(ByteBench& bench) {
  Pair pair(bench);
  pair.guest().keep_reading();
  std::string all;
  for (unsigned i = 0; i < 200; ++i) {
    const std::string text = pattern(1 + i * 7 % 300, i);
    all += text;
    pair.visitor().write(text);
    BOOST_REQUIRE(bench.until([&] { return !pair.visitor().writing; }));
  }
  BOOST_TEST(bench.until([&] { return pair.guest().received.size() >= all.size(); }));
  BOOST_TEST((pair.guest().received == all));
}

void who_does_not_read_stops_the_writer(ByteBench& bench) {
  Pair pair(bench);
  const std::string text = pattern(32u << 20);
  pair.visitor().write(text);
  bench.settle();
  BOOST_TEST(pair.visitor().written == 0u);
  BOOST_TEST(pair.visitor().closings == 0u);
  pair.guest().keep_reading();
  BOOST_TEST(bench.until([&] { return pair.guest().received.size() >= text.size(); }));
  BOOST_TEST((pair.guest().received == text));
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1; }));
}

void what_was_written_before_closing_arrives(ByteBench& bench) {
  Pair pair(bench);
  // Unread bytes on the closing side must not destroy the bytes that it has written.
  pair.guest().write("unread");
  BOOST_TEST(bench.until([&] { return pair.guest().written == 1; }));
  bench.settle();
  const std::string text = pattern(5000);
  pair.visitor().write(text);
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1; }));
  pair.visitor().connection->close();
  bench.settle();
  pair.guest().keep_reading();
  BOOST_TEST(bench.until([&] { return pair.guest().closed.has_value(); }));
  BOOST_TEST((pair.guest().received == text));
  BOOST_TEST((pair.guest().closed->errc() == Errc::disconnected));
  BOOST_TEST(pair.visitor().closings == 0u, "who closes is told nothing");
}

void closing_while_the_peer_still_writes_loses_nothing(ByteBench& bench) {
  Pair pair(bench);
  pair.guest().write(pattern(1u << 20));
  const std::string text = pattern(5000);
  pair.visitor().write(text);
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1; }));
  pair.visitor().connection->close();
  bench.settle();  // everything that can be on its way has come
  pair.guest().keep_reading();
  BOOST_TEST(bench.until([&] { return pair.guest().closed.has_value(); }));
  BOOST_TEST((pair.guest().received == text));
}

void a_reset_ends_the_other_side_too(ByteBench& bench) {
  Pair pair(bench);
  pair.guest().keep_reading();
  pair.visitor().connection->reset();
  BOOST_TEST(bench.until([&] { return pair.guest().closed.has_value(); }));
  BOOST_TEST((pair.guest().closed->errc() == Errc::disconnected));
  BOOST_TEST(pair.guest().closed->sentence().find("; ") != std::string::npos);
  bench.settle();
  BOOST_TEST(pair.guest().closings == 1u);
}

void who_only_writes_learns_of_the_end_too(ByteBench& bench) {
  Pair pair(bench);
  pair.guest().connection->reset();
  const bool told = bench.until([&] {
    if (pair.visitor().closed) return true;
    if (!pair.visitor().writing) pair.visitor().write("anybody there?");
    return false;
  });
  BOOST_TEST(told);
  BOOST_TEST((pair.visitor().closed->errc() == Errc::disconnected));
}

void an_end_is_told_once_with_a_read_and_a_write_under_way(ByteBench& bench) {
  Pair pair(bench);
  pair.visitor().keep_reading();
  pair.visitor().write(pattern(32u << 20));
  bench.settle();
  pair.guest().connection->reset();
  BOOST_TEST(bench.until([&] { return pair.visitor().closed.has_value(); }));
  bench.settle();
  BOOST_TEST(pair.visitor().closings == 1u);
  BOOST_TEST(pair.visitor().written == 0u);
}

void nothing_is_told_after_closing_or_destroying(ByteBench& bench) {
  Pair pair(bench);
  pair.visitor().keep_reading();
  pair.visitor().write(pattern(1u << 20));
  pair.visitor().connection->close();
  pair.guest().keep_reading();
  auto text = std::make_unique<std::string>(pattern(8u << 20));
  auto buffer = std::make_unique<std::vector<std::byte>>(1000);
  const std::span<const std::byte> parts[] = {bytes_of(*text)};
  Pair second(bench);
  second.visitor().connection->write(parts);
  second.visitor().connection->read(*buffer);
  second.guest().write("something");
  second.visitor().connection.reset();
  text.reset();  // the memory is free at once
  buffer.reset();
  bench.settle();
  for (Pair* each : {&pair, &second}) {
    BOOST_TEST(each->visitor().reads == 0u);
    BOOST_TEST(each->visitor().written == 0u);
    BOOST_TEST(each->visitor().closings == 0u);
  }
}

void a_connection_may_be_destroyed_inside_its_event(ByteBench& bench) {
  Pair pair(bench);
  pair.guest().drop_on_read = true;
  pair.guest().keep_reading();
  pair.guest().write(pattern(1u << 20));
  pair.visitor().write("the last words");
  BOOST_TEST(bench.until([&] { return pair.guest().connection == nullptr; }));
  pair.visitor().keep_reading();
  BOOST_TEST(bench.until([&] { return pair.visitor().closed.has_value(); }));
}

constexpr ByteCase byte_cases[] = {
    CORACLE_BYTE_CASE(bytes_arrive_in_both_directions_as_they_were_written),
    CORACLE_BYTE_CASE(a_gathered_write_arrives_whole_and_in_order),
    CORACLE_BYTE_CASE(what_is_taken_at_once_arrives_in_its_place),
    CORACLE_BYTE_CASE(a_write_of_nothing_is_written),
    CORACLE_BYTE_CASE(a_read_brings_no_more_than_its_buffer_holds),
    CORACLE_BYTE_CASE(one_write_after_another_keeps_its_order),
    CORACLE_BYTE_CASE(who_does_not_read_stops_the_writer),
    CORACLE_BYTE_CASE(what_was_written_before_closing_arrives),
    CORACLE_BYTE_CASE(closing_while_the_peer_still_writes_loses_nothing),
    CORACLE_BYTE_CASE(a_reset_ends_the_other_side_too),
    CORACLE_BYTE_CASE(who_only_writes_learns_of_the_end_too),
    CORACLE_BYTE_CASE(an_end_is_told_once_with_a_read_and_a_write_under_way),
    CORACLE_BYTE_CASE(nothing_is_told_after_closing_or_destroying),
    CORACLE_BYTE_CASE(a_connection_may_be_destroyed_inside_its_event),
};

}  // namespace

std::span<const ByteCase> stream_cases() { return byte_cases; }

}  // namespace coracle::net::test
