// The turns of push notifications. Callers take turns, so that the places of one caller, however
// slow they are, hold up nobody else; and the bytes that are on their way are limited.
// Tests: gateways/a2a/tests/post_turns_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace coracle::a2a {

// The limits of what is posted at a time.
struct PostLimits {
  // The posts in all, those of one caller, those to one server, and those of one caller to one
  // server. The client of HTTP has at least as many connections, so that no post waits there.
  std::size_t posts = 128;
  std::size_t posts_per_caller = 16;
  std::size_t posts_per_server = 8;
  std::size_t posts_per_caller_and_server = 4;
  // While so many bytes are on their way, no further post begins: those of all, and of one caller.
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t bytes_per_caller = std::size_t{16} << 20;
};

class PostTurns {
 public:
  explicit PostTurns(const PostLimits& limits = {}) : limits_(limits) {}

  // The turn of one configuration.
  struct Turn {
    std::string caller;
    std::string server;  // its origin
    std::string task;
    std::string id;
    std::uint64_t serial = 0;
    std::size_t bytes = 0;  // on their way
  };

  // The turn waits, behind others of its caller.
  void want(Turn turn);
  // The configuration is gone: its turn does not wait any more. One that is under way goes on.
  void forget(const std::string& caller, const std::string& task, const std::string& id);
  // Begins the next turn, with as many bytes on their way as `weigh` says; nothing if none waits,
  // or none may begin now.
  std::optional<Turn> next(const std::function<std::size_t(const Turn&)>& weigh);
  // A turn that has begun is over.
  void end(const Turn& turn);

  std::size_t waiting() const noexcept { return waiting_; }
  std::size_t under_way() const noexcept { return posts_; }

 private:
  struct Caller {
    std::deque<Turn> waiting;
    std::map<std::string, std::size_t> servers;  // the posts to each
    std::size_t posts = 0, bytes = 0;
  };
  using Callers = std::map<std::string, Caller>;

  std::optional<Turn> next_of(Caller& caller);
  bool may_begin(const Caller& caller, const std::string& server) const;
  void clean(Callers::iterator place);

  const PostLimits limits_;
  Callers callers_;
  std::map<std::string, std::size_t> servers_;  // the posts to each
  std::string last_;                            // the caller that had the last turn
  std::size_t waiting_ = 0, posts_ = 0, bytes_ = 0;
};

}  // namespace coracle::a2a
