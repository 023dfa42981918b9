// A foreign agent in the society: an agent whose messages go to another platform, and which sends
// those that come from there.
#pragma once

#include "gate/words.hpp"

#include "coracle/agent.hpp"
#include "coracle/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::fipa {

class ForeignAgent final : public Agent {
 public:
  // `gate` is the agent to which the messages go; `id` is the name of the foreign agent there. The
  // identifiers of requests to it begin with `requests`, which nobody can guess.
  ForeignAgent(Address gate, std::string id, std::string requests)
      : gate_(gate), id_(std::move(id)), requests_(std::move(requests)) {}

  Task<> run() override;

 private:
  // A request of one of our agents, and the identifier that it has given it.
  struct Asked {
    Message request;
    std::string reply_with;
  };

  using Requests = std::map<std::uint64_t, Asked>;

  // The number in the identifier of a request; zero for another text.
  std::uint64_t request_of(std::string_view id) const noexcept;
  Task<> pass(Message message);
  Task<> deliver(const Deliver& what);
  Task<> answer(Requests::iterator asked, Deliver what);
  // Sends to an agent of the society, behind what waits for room in its mailbox.
  Task<> send_in_order(const Deliver& what);
  Task<> send_waiting(std::string to);
  Task<> report(Deliver what, Error problem);
  Task<> fail(Failed what);
  // Sends to the gate, however long that takes.
  Task<> send_to_gate(Content content);

  const Address gate_;
  const std::string id_;
  const std::string requests_;
  Requests asked_;  // by their numbers
  std::uint64_t last_ = 0;
  std::map<std::string, std::deque<Deliver>> waiting_;  // by the target
  std::size_t waiting_messages_ = 0, waiting_bytes_ = 0;
};

}  // namespace coracle::fipa
