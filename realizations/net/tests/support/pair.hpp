// A connection between the two networks of a bench, for tests that begin with one.
#pragma once

#include "bytes/byte_contract.hpp"
#include "support/side.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace coracle::net::test {

// Two ends that are connected.
struct Pair {
  explicit Pair(ByteBench& world, std::size_t buffer = 4096) : bench(world) {
    host.buffer = buffer;
    auto made = bench.listening().listen(bench.place(), host);
    listener = std::move(made).value();
    const Endpoint there[] = {listener->endpoint()};
    caller.attempt = bench.connecting().connect(there, std::chrono::seconds(60), caller);
    const bool met =
        bench.until([&] { return (caller.side || caller.failure) && !host.guests.empty(); });
    if (caller.failure) throw *caller.failure;
    BOOST_REQUIRE(met);
  }
  Side& guest() { return *host.guests.front(); }
  Side& visitor() { return *caller.side; }

  ByteBench& bench;
  Host host;
  Caller caller;
  std::unique_ptr<Listener> listener;
};

}  // namespace coracle::net::test
