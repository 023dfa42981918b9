// A message with all its optional properties, for sends that need more than a target and a content.
#pragma once

#include "coracle/envelope.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle {

// The target of a send: an address, or a name that the sender's node resolves.
class Target {
 public:
  Target(Address address) noexcept : address_(address) {}
  Target(const Name& name) noexcept : text_(name.view()) {}
  Target(std::string_view name) noexcept : text_(name) {}
  Target(const std::string& name) noexcept : text_(name) {}
  Target(const char* name) noexcept : text_(name) {}

  // The address, if the target was given as an address.
  Address address() const noexcept { return address_; }
  // The name, if the target was given as a name.
  std::string_view text() const noexcept { return text_; }

 private:
  Address address_;
  std::string_view text_;
};

// A group of agents, by its name.
class Group {
 public:
  explicit Group(Name name) noexcept : name_(std::move(name)) {}
  // Its name.
  const Name& name() const noexcept { return name_; }

 private:
  Name name_;
};

// Names a group as a target.
inline Group group(std::string_view name) { return Group(Name(name)); }

// The number of last messages that a late joiner requests of each sender in a group.
struct Last {
  std::size_t messages = 0;
  static constexpr std::size_t most = 65'536;
};

// The last messages, for an agent that joins a group.
inline Last last(std::size_t messages) { return {messages}; }

// A message to be sent. Setters return *this, so that calls chain.
class Post {
 public:
  // To one agent.
  Post(Name to, Content content) : content_(std::move(content)) { names_.push_back(std::move(to)); }
  // To one agent.
  Post(const char* to, Content content) : Post(Name(to), std::move(content)) {}
  // To one agent.
  Post(Address to, Content content) : Post(to.name(), std::move(content)) {}
  // To each agent of a list, once, however often it is named.
  Post(std::vector<Name> to, Content content)
      : names_(std::move(to)), content_(std::move(content)) {}
  // To each agent that is a member of the group when the send is accepted.
  Post(const Group& to, Content content) : group_(to.name()), content_(std::move(content)) {}

  // The conversation to which the message belongs.
  Post& conversation(Conversation id) { return conversation_ = id, *this; }
  // The name for replies; without this call, replies go to the sender.
  Post& reply_to(Name name) { return reply_to_ = std::move(name), *this; }
  // Adds a named text that is sent with the message.
  Post& header(std::string key, std::string value) {
    headers_.emplace_back(std::move(key), std::move(value));
    return *this;
  }
  // The time after which the message expires if it is not read.
  Post& expires(Deadline deadline) { return expires_ = deadline, *this; }
  // The time that the send may wait for room; without this call, the society's patience (30 s).
  Post& patience(Deadline deadline) { return patience_ = deadline, *this; }
  // The trace to which the message belongs.
  Post& trace(TraceContext context) { return trace_ = context, *this; }

 private:
  friend class Agent;

  std::vector<Name> names_;
  Name group_;
  Content content_;
  Conversation conversation_ = 0;
  Name reply_to_;
  std::vector<std::pair<std::string, std::string>> headers_;
  Deadline expires_;
  Deadline patience_;
  TraceContext trace_;
};

}  // namespace coracle
