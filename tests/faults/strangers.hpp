// Those who connect to a server and are none of its nodes: they say nothing, or a byte now and
// then, or nonsense, and wait to be sent away.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::test {

// What one of them says: something at once, and then one byte after another.
struct Stranger {
  std::string at_once, slowly;
};

// What is known of all of them, in another process too.
struct Attack {
  std::atomic<bool> is_on{false};
  std::atomic<std::uint64_t> opened{0}, closed{0};
  std::atomic<std::uint64_t> longest_ms{0};  // from connecting until it was sent away
};

// Opens `count` connections while the attack is on, so many in a second, by the kinds in turn, and
// returns when all of them are closed by the other side.
void attack(std::uint16_t port, const std::vector<Stranger>& kinds, std::uint64_t count,
            std::uint64_t per_second, Attack& attack);

// The first greeting of a TLS client, as it should be.
std::string client_hello();

}  // namespace coracle::test
