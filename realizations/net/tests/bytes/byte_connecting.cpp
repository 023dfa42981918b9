// The promises about listening and connecting.
#include "byte_contract.hpp"

#include "support/pair.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace coracle::net::test {

namespace {

using namespace std::chrono_literals;

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
  BOOST_TEST(caller.side != nullptr);
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
  BOOST_TEST(late.told <= 1);  // one turn may have been enough
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
                       [](auto& each) { return each.side != nullptr; });
  }));
  for (unsigned i = 0; i < count; ++i) callers[i].side->write(std::string(5000 + i, char('a' + i)));
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

constexpr ByteCase cases[] = {
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

std::span<const ByteCase> connecting_cases() { return cases; }

}  // namespace coracle::net::test
