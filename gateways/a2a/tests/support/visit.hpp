// A society with an agent of another system.
#pragma once

#include "coracle/a2a/foreign_agent.hpp"
#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#include "coracle/tests/support/in_memory.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace coracle::a2a::test {

// The society of a client, with a foreign agent.
struct Visit {
  explicit Visit(ForeignOptions options) : node(coracle::test::in_memory()) {
    loop.start();
    http::ClientOptions client_options = foreign_client_options(options);
    client_options.limits.body_bytes = std::size_t{2} << 20;
    client.emplace(loop, client_options);
    if (options.poll_time == ForeignOptions().poll_time)
      options.poll_time = std::chrono::milliseconds(1);
    node.create<ForeignAgent>("a2a/other", std::ref(*client), std::move(options));
  }
  explicit Visit(const std::string& address) : Visit(at(address)) {}

  static ForeignOptions at(const std::string& address) {
    ForeignOptions options;
    options.address = address;
    return options;
  }
  // The reply to a request as text, or the reason why there is none.
  std::string ask(const std::string& text) {
    try {
      return std::string(
          Port(node, "asker").ask("a2a/other", text, std::chrono::seconds(20)).text());
    } catch (const Error& error) {
      return std::string(error.errc() == Errc::refused ? "refused: " : "other: ") +
             error.sentence();
    }
  }

  http::Loop loop;
  std::optional<http::Client> client;
  Node node;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline const std::string done =
    R"({"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},)"
    R"("artifacts":[{"artifactId":"a","parts":[{"text":"dug"}]}]}})";

}  // namespace coracle::a2a::test
