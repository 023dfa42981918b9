// When enough of those who were asked have answered, as a state machine: no waiting and no clock
// inside. Contract: coracle/tests/collecting_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coracle::rpc {

// Which answers are enough.
class Collect {
 public:
  // The first one.
  static constexpr Collect first() noexcept { return {Kind::number, 1}; }
  // The first one that says something: a value without anything in it does not count.
  static constexpr Collect first_non_empty() noexcept { return {Kind::non_empty, 1}; }
  // So many.
  static constexpr Collect at_least(std::size_t count) noexcept { return {Kind::number, count}; }
  // One of everybody; whoever fails does not keep the others from being heard.
  static constexpr Collect all() noexcept { return {Kind::all, 0}; }
  // Whatever has come by the deadline; it is always enough.
  static constexpr Collect until_deadline() noexcept { return {Kind::any, 0}; }

 private:
  friend class Collecting;
  enum class Kind : std::uint8_t { number, non_empty, all, any };
  constexpr Collect(Kind kind, std::size_t count) noexcept : kind_(kind), count_(count) {}

  Kind kind_;
  std::size_t count_;
};

// One question to several: is told what comes, and tells when it is over.
class Collecting {
 public:
  Collecting(Collect rule, std::size_t asked) noexcept : rule_(rule), open_(asked) {
    wanted_ = rule.kind_ == Collect::Kind::all ? asked : rule.count_;
  }

  // One has answered; `empty` says that there is nothing in the value.
  void on_answer(bool empty) noexcept {
    if (over()) return;
    --open_;
    if (!empty || rule_.kind_ != Collect::Kind::non_empty) ++counted_;
  }
  // One will not answer.
  void on_failure() noexcept {
    if (!over()) --open_;
  }

  // Whether what has come is enough.
  bool enough() const noexcept {
    if (rule_.kind_ == Collect::Kind::any) return open_ == 0;
    return counted_ >= wanted_;
  }
  // Whether there is nothing to wait for: it is enough, or cannot become so.
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
