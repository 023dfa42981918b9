// How an agent is to be made: its name, and what differs from the default.
#pragma once

#include "coracle/address.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/query.hpp"

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

  // The name.
  const Name& name() const noexcept { return name_; }
  // The limits of its mailbox; otherwise the node's default.
  AgentSpec& mailbox(MailboxOptions options) { return mailbox_ = std::move(options), *this; }
  // What the directory may tell others about it.
  AgentSpec& properties(Properties values) { return properties_ = std::move(values), *this; }
  // The worker that it lives on, counted from zero; otherwise its creator's.
  AgentSpec& on_worker(unsigned worker) { return worker_ = worker, *this; }
  // It lives where `other` lives.
  AgentSpec& same_worker_as(Address other) { return beside_ = other, *this; }
  // It takes the name over from whoever holds it with the same identity.
  AgentSpec& take_over() { return take_over_ = true, *this; }
  // It is never moved to another worker for the sake of balance.
  AgentSpec& pinned() { return pinned_ = true, *this; }

 private:
  friend class Node;
  friend struct detail::AgentAccess;

  Name name_;
  std::optional<MailboxOptions> mailbox_;
  Properties properties_;
  std::optional<unsigned> worker_;
  Address beside_;
  bool take_over_ = false;
  bool pinned_ = false;
};

}  // namespace coracle
