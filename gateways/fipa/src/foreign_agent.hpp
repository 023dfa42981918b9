// A foreign agent in the society: an agent whose messages go to another platform, and which sends
// those that come from there.
#pragma once

#include "words.hpp"

#include "coracle/agent.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::fipa {

class ForeignAgent final : public Agent {
 public:
  // `gate` is the agent to which the messages go; `id` names the foreign agent.
  ForeignAgent(Address gate, acl::AgentId id) : gate_(gate), id_(std::move(id)) {}

  Task<> run() override;

 private:
  std::string id_of(std::uint64_t request) const;
  std::uint64_t request_of(std::string_view id) const noexcept;
  Task<> pass(Message message);
  Task<> deliver(const Deliver& what);

  const Address gate_;
  const acl::AgentId id_;
  std::map<std::uint64_t, Message> asked_;  // requests of our agents, by their numbers
  std::uint64_t last_ = 0;
};

}  // namespace coracle::fipa
