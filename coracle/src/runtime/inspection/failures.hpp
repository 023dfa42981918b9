// The last errors that agents of one worker have met.
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::detail {

class Mailbox;

class Failures {
 public:
  static constexpr std::size_t most = 128, longest = 512;

  void note(const Mailbox& who, Time at, std::string_view text) {
    if (all_.size() < most) all_.emplace_back();
    One& one = all_[next_];
    next_ = (next_ + 1) % most;
    one.who = &who, one.at = at;
    one.text.assign(text.substr(0, longest));
  }
  // Calls show(at, text) for the errors of one agent, the latest first.
  template <class Show>
  void each(const Mailbox& who, const Show& show) const {
    for (std::size_t back = 1; back <= all_.size(); ++back) {
      const One& one = all_[(next_ + all_.size() - back) % all_.size()];
      if (one.who == &who) show(one.at, one.text);
    }
  }

 private:
  struct One {
    const Mailbox* who = nullptr;
    Time at{};
    std::string text;
  };

  std::vector<One> all_;  // a ring once it is full
  std::size_t next_ = 0;
};

}  // namespace coracle::detail
