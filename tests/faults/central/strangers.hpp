// Strangers that connect to a server and are none of its nodes: they send nothing, or a byte now
// and then, or nonsense, and wait to be disconnected.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::test {

// The bytes that a stranger sends: some at once, and then one byte after another.
struct Stranger {
  std::string at_once, slowly;
};

// The state of the attack, which processes share.
struct Attack {
  std::atomic<bool> is_on{false};
  std::atomic<std::uint64_t> opened{0}, closed{0};
  std::atomic<std::uint64_t> longest_ms{0};  // from connecting until disconnected
};

// Opens `count` connections while the attack is on, `per_second` in a second, by the kinds in turn,
// and returns when the other side has closed all of them.
void attack(std::uint16_t port, const std::vector<Stranger>& kinds, std::uint64_t count,
            std::uint64_t per_second, Attack& attack);

// The first message of a TLS client, in correct form.
std::string client_hello();

}  // namespace coracle::test
