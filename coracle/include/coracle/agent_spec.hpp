// How an agent is to be made: its name, and what differs from the default.
#pragma once

#include "coracle/address.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/query.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

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
  // The limits of its mailbox; otherwise the node's default.
  AgentSpec& mailbox(MailboxOptions options) { return more().mailbox = std::move(options), *this; }
  // What the directory may tell others about it.
  AgentSpec& properties(Properties values) { return more().properties = std::move(values), *this; }
  // The worker that it lives on, counted from zero; otherwise its creator's. A name that is taken
  // over stays where it is while its old holder is busy or its mailbox is full.
  AgentSpec& on_worker(unsigned worker) { return worker_ = worker, *this; }
  // It lives where `other` lives.
  AgentSpec& same_worker_as(Address other) { return beside_ = other, *this; }
  // It takes the name over from a holder of the same identity; takeover=yes, of another process.
  AgentSpec& take_over() { return take_over_ = true, *this; }
  // It is never moved to another worker for the sake of balance.
  AgentSpec& pinned() { return pinned_ = true, *this; }

 private:
  friend class Node;
  friend struct detail::AgentAccess;

  // What few agents say.
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
