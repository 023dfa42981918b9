// The conversations that the player's agents begin.
#pragma once

#include "work.hpp"

#include "coracle/acl/protocols/initiation.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace coracle::player {

// A conversation from its first messages to the answer of the command that began it.
class Conversation {
 public:
  Conversation(const acl::Protocol& protocol, acl::Message opening, Work& work);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  virtual ~Conversation() = default;

  const std::string& id() const noexcept { return initiation_.conversation_id(); }
  bool is_over() const noexcept { return initiation_.is_over(); }
  Time deadline() const noexcept { return initiation_.deadline(); }

  // Takes a message; returns false if it belongs to no session.
  bool hear(const acl::Message& message, Work& work);
  void on_time(Work& work);
  // Cancels all sessions; what comes after that is not reported.
  void cancel(Work& work);
  // Called when it is over.
  virtual void finish() {}

 protected:
  virtual void on_reply(const acl::Message& reply, Work& work) = 0;
  virtual void go_on(Work&) {}
  virtual std::string cancel_content() const { return {}; }
  acl::Initiation& initiation() noexcept { return initiation_; }
  std::span<const acl::Session> sessions() const noexcept { return initiation_.sessions(); }

 private:
  // Gives the messages of the initiation to the agent.
  void pass_on(Work& work);

  acl::Initiation initiation_;
  bool is_cancelled_ = false;
};

// Answers the command with all replies, when it is over.
std::unique_ptr<Conversation> begin_request(std::int64_t command, acl::Message opening, Work& work);
std::unique_ptr<Conversation> begin_call(std::int64_t command, acl::Message opening, bool accepts,
                                         Work& work);
// Reports all replies.
std::unique_ptr<Conversation> begin_subscription(acl::Message opening, Work& work);
// Reports the entries of which a directory facilitator tells.
std::unique_ptr<Conversation> begin_df_subscription(const acl::AgentId& df,
                                                    const fm::Search& search, Work& work);

// Asks an agent to act, and answers the command with the fields that `fields_of` reads in its
// inform.
using FieldsOf = std::function<json::object(const acl::Message& inform)>;
std::unique_ptr<Conversation> begin_question(std::int64_t command, const acl::AgentId& whom,
                                             const acl::sl::Term& act, FieldsOf fields_of,
                                             Work& work);

// The elements of a result or a notice, as JSON.
template <class Description>
json::array entries_in(const acl::sl::Term& elements) {
  json::array entries;
  const auto* const all = acl::sl::elements_of(elements);
  if (all == nullptr) return entries;
  for (const auto& each : *all) entries.push_back(to_json(acl::from_term<Description>(each.value)));
  return entries;
}

}  // namespace coracle::player
