// The messages of another node that wait until the directory has more news of their source.
#pragma once

#include "received_names.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace coracle::detail {

class Worker;

// The source that a frame gives for its message; an empty name is nobody.
struct Source {
  Name name;
  ReceivedName* received = nullptr;  // if the name has a number
  Name target;                       // of the message
};

// Runs with a message once it is known whether its source is the peer's own.
using Proven = std::function<void(Worker&, MessageRecord*)>;
// A message that waits for this.
struct Unproven {
  Source source;
  std::unique_ptr<MessageRecord, FreeRecord> record;
  Proven then;
};

class UnprovenMessages {
 public:
  static constexpr unsigned most = 1024;

  bool is_full() const noexcept { return count_ >= most; }
  bool has(const Name& source) const { return by_source_.contains(source); }
  // Returns whether the message is the only one of its source.
  bool add(Unproven message) {
    auto& waiting = by_source_[message.source.name];
    waiting.push_back(std::move(message));
    ++count_;
    return waiting.size() == 1;
  }
  // Returns the messages of a source, the first one in front.
  std::deque<Unproven> take(const Name& source) {
    auto waiting = by_source_.extract(source);
    if (waiting.empty()) return {};
    count_ -= waiting.mapped().size();
    return std::move(waiting.mapped());
  }
  void forget() noexcept {
    by_source_.clear();
    count_ = 0;
  }

 private:
  std::map<Name, std::deque<Unproven>> by_source_;
  std::size_t count_ = 0;
};

}  // namespace coracle::detail
