// A state machine that decides when enough replies to one request to several agents have come. It
// does not wait and has no clock. Tests: coracle/tests/collecting_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coracle::rpc {

// The rule that decides which replies are enough.
class Collect {
 public:
  // The first reply is enough.
  static constexpr Collect first() noexcept { return {Kind::number, 1}; }
  // The first reply that is not empty is enough: a reply with an empty value does not count.
  static constexpr Collect first_non_empty() noexcept { return {Kind::non_empty, 1}; }
  // That many replies are enough.
  static constexpr Collect at_least(std::size_t count) noexcept { return {Kind::number, count}; }
  // A reply of every agent is needed. An agent that fails does not keep the others from being
  // collected.
  static constexpr Collect all() noexcept { return {Kind::all, 0}; }
  // The replies that have come by the deadline are always enough.
  static constexpr Collect until_deadline() noexcept { return {Kind::any, 0}; }

 private:
  friend class Collecting;
  enum class Kind : std::uint8_t { number, non_empty, all, any };
  constexpr Collect(Kind kind, std::size_t count) noexcept : kind_(kind), count_(count) {}

  Kind kind_;
  std::size_t count_;
};

// The state of one request to several agents: it is given the replies, and decides when the request
// is over.
class Collecting {
 public:
  Collecting(Collect rule, std::size_t asked) noexcept : rule_(rule), open_(asked) {
    wanted_ = rule.kind_ == Collect::Kind::all ? asked : rule.count_;
  }

  // An agent has replied; `empty` means that its value is empty.
  void on_answer(bool empty) noexcept {
    if (over()) return;
    --open_;
    if (!empty || rule_.kind_ != Collect::Kind::non_empty) ++counted_;
  }
  // An agent will not reply.
  void on_failure() noexcept {
    if (!over()) --open_;
  }

  // Returns whether the replies so far are enough.
  bool enough() const noexcept {
    if (rule_.kind_ == Collect::Kind::any) return open_ == 0;
    return counted_ >= wanted_;
  }
  // Returns whether no further reply is needed: the replies are enough, or can no longer become
  // enough.
  bool over() const noexcept {
    if (open_ == 0 || enough()) return true;
    const bool hears_all = rule_.kind_ == Collect::Kind::all || rule_.kind_ == Collect::Kind::any;
    return !hears_all && counted_ + open_ < wanted_;
  }

 private:
  Collect rule_;
  std::size_t open_;
  std::size_t wanted_ = 0;
  std::size_t counted_ = 0;
};

}  // namespace coracle::rpc
