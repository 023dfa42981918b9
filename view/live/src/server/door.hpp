// Lets browsers in: one that has shown a token, which is valid once, or a login. From
// then on, a cookie proves it.
// Tests: view/live/tests/door_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/message.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::view {

struct DoorOptions {
  std::string login = {};  // the secret of people; empty: there is no login
  bool certified = false;  // TLS has checked the client's certificate: everybody may enter
  bool secure = false;     // the cookie is for HTTPS only
  std::string cookie = "coracle-view";
};

// Safe to use from every thread.
class Door {
 public:
  Door(Random& random, DoorOptions options);

  // A new token; the oldest of more than 16 is no longer valid.
  std::string new_token();
  // A secret for a program, which shows it in the header Authorization.
  std::string new_bearer();
  // Returns whether the request comes from a browser that was let in, or from such a program.
  bool is_inside(const http::Request& request) const;
  // The response to a request for the page, if it is not the page itself: to the token of an
  // address, a redirection with the cookie; to somebody who is not inside, the form of the login,
  // or the reason.
  std::optional<http::Response> receive(const http::Request& request);
  // The response to the form of the login.
  http::Response log_in(const http::Request& request, Time now);

 private:
  static constexpr std::size_t most_tokens = 16, most_sessions = 256, most_failures = 20;
  static constexpr Duration forgets_failures = std::chrono::minutes(1);

  std::string secret();
  http::Response let_in();

  Random& random_;
  const DoorOptions options_;
  mutable std::mutex mutex_;  // guards the members below
  std::deque<std::string> tokens_, sessions_;
  std::size_t failures_ = 0;
  Time first_failure_{};
};

// The headers of each response: strict rules for the browser.
void protect(http::Response& response);
// Compares in a time that says nothing about the place of a difference.
bool is_same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace coracle::view
