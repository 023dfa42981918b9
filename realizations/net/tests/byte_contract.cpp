#include "byte_contract.hpp"

#include "support/party.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::net::test {

namespace {

using namespace std::chrono_literals;

// Two ends that are connected.
struct Pair {
  explicit Pair(ByteBench& world, std::size_t buffer = 4096) : bench(world) {
    host.buffer = buffer;
    auto made = bench.listening().listen(bench.place(), host);
    listener = std::move(made).value();
    const Endpoint there[] = {listener->endpoint()};
    caller.attempt = bench.connecting().connect(there, 60s, caller);
    const bool met =
        bench.until([&] { return (caller.party || caller.failure) && !host.guests.empty(); });
    if (caller.failure) throw *caller.failure;
    BOOST_REQUIRE(met);
  }
  Party& guest() { return *host.guests.front(); }
  Party& visitor() { return *caller.party; }

  ByteBench& bench;
  Host host;
  Caller caller;
  std::unique_ptr<Listener> listener;
};

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

void a_write_of_nothing_is_written(ByteBench& bench) {
  Pair pair(bench);
  pair.visitor().write("");
  BOOST_TEST(pair.visitor().written == 0u, "an event came from inside a call");
  BOOST_TEST(bench.until([&] { return pair.visitor().written == 1; }));
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
  // What nobody has read on the closing side must not destroy what it has written.
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

void connecting_where_nobody_listens_fails(ByteBench& bench) {
  Caller caller;
  const Endpoint there[] = {bench.nobody()};
  caller.attempt = bench.connecting().connect(there, 60s, caller);
  BOOST_TEST(caller.told == 0, "an event came from inside a call");
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_REQUIRE(caller.failure.has_value());
  BOOST_TEST((caller.failure->errc() == Errc::unreachable));
  BOOST_TEST(caller.failure->sentence().find(there[0].text()) != std::string::npos);
}

void endpoints_are_tried_in_their_order(ByteBench& bench) {
  Host first, second;
  const auto one = bench.listening().listen(bench.place(), first).value()->endpoint();
  auto two = bench.listening().listen(bench.place(), second).value();
  Host third;
  auto three = bench.listening().listen(bench.place(), third).value();
  const Endpoint places[] = {bench.nobody(), one, two->endpoint(), three->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(places, 60s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0 && !second.guests.empty(); }));
  BOOST_TEST(caller.party != nullptr);
  bench.settle();
  BOOST_TEST(first.guests.empty());
  BOOST_TEST(third.guests.empty());
}

void without_endpoints_there_is_nothing_to_connect_to(ByteBench& bench) {
  Caller caller;
  caller.attempt = bench.connecting().connect({}, 60s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST((caller.failure.value().errc() == Errc::unreachable));
}

void a_deadline_that_has_passed_is_told(ByteBench& bench) {
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 0s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST((caller.failure.value().errc() == Errc::expired));
}

void an_attempt_that_is_given_up_tells_nothing(ByteBench& bench) {
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  Caller early, late;
  early.attempt = bench.connecting().connect(there, 60s, early);
  early.attempt.reset();
  late.attempt = bench.connecting().connect(there, 60s, late);
  bench.turn();
  late.attempt.reset();
  bench.settle();
  BOOST_TEST(early.told == 0);
  BOOST_TEST(late.told <= 1);  // that one turn may have been enough
  for (const auto& guest : host.guests) guest->keep_reading();
  BOOST_TEST(bench.until([&] {
    return late.told == 1 || std::all_of(host.guests.begin(), host.guests.end(),
                                         [](const auto& each) { return each->closed; });
  }));
}

void a_listener_that_is_gone_lets_nobody_in_and_its_guests_stay(ByteBench& bench) {
  Pair pair(bench);
  const Endpoint there[] = {pair.listener->endpoint()};
  pair.listener.reset();
  bench.settle();
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 60s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST((caller.failure.value().errc() == Errc::unreachable));
  pair.guest().keep_reading();
  pair.visitor().write("still here");
  BOOST_TEST(bench.until([&] { return pair.guest().received == "still here"; }));
}

void two_cannot_listen_at_one_place_but_one_after_another_can(ByteBench& bench) {
  Host first, second;
  auto listener = bench.listening().listen(bench.place(), first).value();
  const Endpoint there = listener->endpoint();
  const auto refused = bench.listening().listen(there, second);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().errc() == Errc::cannot_listen));
  BOOST_TEST(refused.error().sentence().find(there.text()) != std::string::npos);
  listener.reset();
  const auto again = bench.listening().listen(there, second);
  BOOST_TEST(again.has_value());
}

void an_endpoint_of_another_kind_is_unsupported(ByteBench& bench) {
  const bool simulated = bench.nobody().scheme == Endpoint::Scheme::sim;
  const Endpoint other = Endpoint::parse(simulated ? "tcp://127.0.0.1:1" : "sim://node1:1").value();
  Host host;
  const auto refused = bench.listening().listen(other, host);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().errc() == Errc::unsupported));
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&other, 1), 60s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST((caller.failure.value().errc() == Errc::unsupported));
}

void each_side_knows_who_is_at_the_other_end(ByteBench& bench) {
  Pair pair(bench);
  const Peer& server = pair.visitor().connection->peer();
  const Peer& client = pair.guest().connection->peer();
  BOOST_TEST((server.proof == bench.proof()));
  BOOST_TEST((client.proof == bench.proof()));
  BOOST_TEST(server.address == pair.listener->endpoint().text());
  BOOST_TEST(!client.address.empty());
  BOOST_TEST(server.names.empty() == (bench.proof() != Peer::Proof::certificate));
  BOOST_TEST(client.names.empty() == (bench.proof() != Peer::Proof::certificate));
}

void many_connections_keep_their_bytes_apart(ByteBench& bench) {
  constexpr std::size_t count = 20;
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  std::vector<Caller> callers(count);
  for (Caller& each : callers) each.attempt = bench.connecting().connect(there, 60s, each);
  BOOST_REQUIRE(bench.until([&] { return host.guests.size() == count; }));
  BOOST_REQUIRE(bench.until([&] {
    return std::all_of(callers.begin(), callers.end(),
                       [](auto& each) { return each.party != nullptr; });
  }));
  for (unsigned i = 0; i < count; ++i)
    callers[i].party->write(std::string(5000 + i, char('a' + i)));
  for (const auto& guest : host.guests) guest->keep_reading();
  BOOST_TEST(bench.until([&] {
    return std::all_of(host.guests.begin(), host.guests.end(), [](const auto& each) {
      return !each->received.empty() &&
             each->received.size() == 5000u + static_cast<unsigned>(each->received[0] - 'a');
    });
  }));
  std::string who;
  for (const auto& guest : host.guests) {
    const std::string& text = guest->received;
    BOOST_REQUIRE(!text.empty());
    BOOST_TEST(text.find_first_not_of(text[0]) == std::string::npos);
    who += text[0];
  }
  std::sort(who.begin(), who.end());
  BOOST_TEST(who == std::string("abcdefghijklmnopqrst"));
}

#define CORACLE_BYTE_CASE(sentence) \
  ByteCase { #sentence, &sentence }

constexpr ByteCase cases[] = {
    CORACLE_BYTE_CASE(bytes_arrive_in_both_directions_as_they_were_written),
    CORACLE_BYTE_CASE(a_gathered_write_arrives_whole_and_in_order),
    CORACLE_BYTE_CASE(a_write_of_nothing_is_written),
    CORACLE_BYTE_CASE(a_read_brings_no_more_than_its_buffer_holds),
    CORACLE_BYTE_CASE(one_write_after_another_keeps_its_order),
    CORACLE_BYTE_CASE(who_does_not_read_stops_the_writer),
    CORACLE_BYTE_CASE(what_was_written_before_closing_arrives),
    CORACLE_BYTE_CASE(a_reset_ends_the_other_side_too),
    CORACLE_BYTE_CASE(who_only_writes_learns_of_the_end_too),
    CORACLE_BYTE_CASE(an_end_is_told_once_with_a_read_and_a_write_under_way),
    CORACLE_BYTE_CASE(nothing_is_told_after_closing_or_destroying),
    CORACLE_BYTE_CASE(a_connection_may_be_destroyed_inside_its_event),
    CORACLE_BYTE_CASE(connecting_where_nobody_listens_fails),
    CORACLE_BYTE_CASE(endpoints_are_tried_in_their_order),
    CORACLE_BYTE_CASE(without_endpoints_there_is_nothing_to_connect_to),
    CORACLE_BYTE_CASE(a_deadline_that_has_passed_is_told),
    CORACLE_BYTE_CASE(an_attempt_that_is_given_up_tells_nothing),
    CORACLE_BYTE_CASE(a_listener_that_is_gone_lets_nobody_in_and_its_guests_stay),
    CORACLE_BYTE_CASE(two_cannot_listen_at_one_place_but_one_after_another_can),
    CORACLE_BYTE_CASE(an_endpoint_of_another_kind_is_unsupported),
    CORACLE_BYTE_CASE(each_side_knows_who_is_at_the_other_end),
    CORACLE_BYTE_CASE(many_connections_keep_their_bytes_apart),
};

}  // namespace

std::span<const ByteCase> byte_cases() { return cases; }

void prove_all(const std::function<std::unique_ptr<ByteBench>()>& make_bench) {
  for (const ByteCase& each : byte_cases()) {
    BOOST_TEST_CONTEXT(each.sentence) {
      const auto bench = make_bench();
      each.prove(*bench);
    }
  }
}

}  // namespace coracle::net::test
