// A server of A2A in a process of its own.
#pragma once

#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"

#include <coracle/http/message.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace coracle::bench {

// An agent `lab/echo`; an agent `lab/ticker`, for which a text is a number of pieces, ten a second,
// each with `@` and the time at which it was sent; and so many agents `crowd/a0`, `crowd/a1`, ...
class A2aPlace {
 public:
  explicit A2aPlace(std::int64_t crowd = 0);

  // A request without a body, or with one of JSON.
  http::Request request(const char* method, const std::string& path, std::string body = {});
  // Ends the server; returns the bytes of memory that it has taken since it began.
  std::size_t end();

 private:
  struct Meeting {
    std::atomic<int> port{0};
    std::atomic<std::size_t> resident{0};
    std::atomic<bool> is_over{false};
  };
  static void serve(Meeting& meeting, std::int64_t crowd);

  Shared<Meeting> meeting_;
  Partner partner_;
  std::size_t before_ = 0;
};

// A message of a client, as a call of JSON-RPC.
std::string a2a_message(const char* method, const std::string& text, std::uint64_t number);

}  // namespace coracle::bench
