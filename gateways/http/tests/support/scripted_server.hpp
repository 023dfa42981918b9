// A server that gives the bytes of a script, however wrong they are, on a thread of its own.
#pragma once

#include "coracle/http/url.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coracle::http::test {

class ScriptedServer {
 public:
  // For each connection, one after another: the bytes that are sent for each request on it. Behind
  // the last one, or behind an empty one, the connection is closed.
  using Script = std::vector<std::vector<std::string>>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;

  Url url() const;
  int connections() const noexcept { return connections_; }
  // The last bytes of the bodies of all POST requests so far.
  std::string bodies() const;

 private:
  void run();
  void serve(int socket, const std::vector<std::string>& script);

  const Script script_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  mutable std::mutex mutex_;  // guards bodies_
  std::string bodies_;
  std::thread thread_;
};

}  // namespace coracle::http::test
