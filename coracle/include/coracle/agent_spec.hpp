// The specification of an agent that is to be made: its name, and the options that differ from the
// default.
#pragma once

#include "coracle/address.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/query.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace coracle::detail {
struct AgentAccess;
}

namespace coracle {

// A name with options. Setters return *this.
class AgentSpec {
 public:
  AgentSpec(Name name) noexcept : name_(std::move(name)) {}
  AgentSpec(const char* name) : name_(name) {}
  AgentSpec(const std::string& name) : name_(name) {}
  AgentSpec(const AgentSpec& other)
      : name_(other.name_),
        more_(other.more_ ? std::make_unique<More>(*other.more_) : nullptr),
        beside_(other.beside_),
        worker_(other.worker_),
        take_over_(other.take_over_),
        pinned_(other.pinned_) {}
  AgentSpec(AgentSpec&&) noexcept = default;
  AgentSpec& operator=(AgentSpec other) noexcept;

  // The name.
  const Name& name() const noexcept { return name_; }
  // The limits of the agent's mailbox; without this call, the node's default.
  AgentSpec& mailbox(MailboxOptions options) { return more().mailbox = std::move(options), *this; }
  // The properties that the directory publishes for the agent.
  AgentSpec& properties(Properties values) { return more().properties = std::move(values), *this; }
  // The worker that the agent runs on, counted from zero; without this call, its creator's worker.
  // An agent that takes over a name runs on the old holder's worker while the old holder is busy or
  // the mailbox is full.
  AgentSpec& on_worker(unsigned worker) { return worker_ = worker, *this; }
  // The agent runs on the worker of `other`.
  AgentSpec& same_worker_as(Address other) { return beside_ = other, *this; }
  // The agent takes the name over from a holder with the same identity. If that holder is in
  // another process and no certificate proves the identity, that process needs the setting
  // takeover=yes.
  AgentSpec& take_over() { return take_over_ = true, *this; }
  // The agent is never moved to another worker to balance the load.
  AgentSpec& pinned() { return pinned_ = true, *this; }

 private:
  friend class Node;
  friend struct detail::AgentAccess;

  // The options that few agents set.
  struct More {
    std::optional<MailboxOptions> mailbox;
    Properties properties;
  };
  More& more() {
    if (!more_) more_ = std::make_unique<More>();
    return *more_;
  }

  Name name_;
  std::unique_ptr<More> more_;
  Address beside_;
  std::optional<unsigned> worker_;
  bool take_over_ = false;
  bool pinned_ = false;
};

inline AgentSpec& AgentSpec::operator=(AgentSpec other) noexcept {
  std::swap(name_, other.name_);
  std::swap(more_, other.more_);
  beside_ = other.beside_;
  worker_ = other.worker_;
  take_over_ = other.take_over_;
  pinned_ = other.pinned_;
  return *this;
}

}  // namespace coracle
