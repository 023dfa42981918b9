// The open requests of one worker's agents, and the numbers that the worker gives out.
#pragma once

#include "coracle/ending.hpp"
#include "coracle/message.hpp"
#include "request_table.hpp"
#include "runtime/inspection/timeline.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace coracle::detail {

class Mailbox;
class NodeCore;
class Worker;

class Requests {
 public:
  Requests(NodeCore& node, unsigned worker) noexcept : node_(node), worker_(worker) {}

  std::uint64_t open(Asking& asking) { return table_.open(asking, next_number()); }
  // Requires that the request is open.
  void close(std::uint64_t tag) noexcept {
    table_.close(tag);
    if (!not_for_next_holder.empty()) not_for_next_holder.erase(tag);
  }
  // Returns nullptr when the request is not open any more.
  Asking* find(std::uint64_t tag) const noexcept { return table_.find(tag); }
  // Calls see(tag, asking) for each open request.
  template <class See>
  void each(See see) const {
    table_.each(see);
  }
  // Notes the present time, so that begun() knows it.
  void note_time(Time present) { times_.note(conversations_, present); }
  // Returns about when the request was opened.
  std::optional<Time> begun(std::uint64_t tag) const noexcept {
    return times_.before(tag >> RequestTable::slot_bits >> worker_bits);
  }
  // Ends the request with an error, if it is open.
  void fail(std::uint64_t tag, Errc error, std::string_view text) noexcept;
  // Ends with an error the accepted requests to `asked` that are not for its next holder.
  void fail_all_of(const Mailbox& asked, Errc error, const std::string& text,
                   const std::vector<std::uint64_t>& still_queued) noexcept;
  // Returns a conversation that nobody on this node has, and no request.
  Conversation new_conversation() noexcept;

  std::unordered_set<std::uint64_t> not_for_next_holder;  // requests that end with their agent
  bool gave_up = false;                                   // some have ended without a reply

 private:
  static constexpr unsigned worker_bits = 8;  // of a number

  std::uint64_t next_number() noexcept;

  NodeCore& node_;
  const unsigned worker_;
  RequestTable table_;
  std::uint64_t conversations_ = 0;
  Timeline times_;
};

// Gives a reply to the agent that waits for it, or drops the reply as late.
void answer(Worker& home, MessageRecord* reply) noexcept;
// Ends the wait for the reply to a request that ended without being read.
void answer_for(Worker& home, const MessageRecord& request, Outcome outcome) noexcept;
// An agent has ended: the agents on all workers that wait for its reply get an error, unless the
// request is in `still_queued`, for the next holder of the name.
void fail_requests_to(Mailbox& ended, Worker& home, EndReason reason, const std::string& last_words,
                      const std::vector<std::uint64_t>& still_queued) noexcept;

}  // namespace coracle::detail
