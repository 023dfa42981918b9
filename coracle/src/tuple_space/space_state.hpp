// The state of a space beside its tuples: the agents that wait, and the replies that are still due.
#pragma once

#include "coracle/tuple_space.hpp"
#include "runtime/receipts/tracked_reply.hpp"
#include "tuple_space/eval_board.hpp"
#include "tuple_space/store.hpp"

#include <deque>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace coracle {

using detail::Loan;
using detail::no_loan;

// The reply to a request, if it is due already.
struct SpaceAnswer {
  bool now = true;
  Content content;
  Loan loan = no_loan;
};

struct TupleSpace::State {
  State(TupleSpace& whose, const TupleSpaceOptions& settings)
      : space(whose), options(settings), board(settings.evaluation_tries) {}

  // Decides on a request; keeps the request when its time has not come.
  SpaceAnswer handle(Message& request);
  // Takes a result, or an offer of an evaluator that is known; returns false for anything else.
  bool take_in(const Message& message);
  // Forgets an evaluator; a job that was lost with it too often fails.
  void lose(const Name& evaluator);
  void fail_job(const std::string& function, const std::string& why);
  // Puts back the tuples that came back, and ends everything that ends by `now`.
  void advance(Time now);
  // The time when something ends next.
  Time next_end() const noexcept;
  // Returns whether nothing is left to send, now or later.
  bool is_settled() const noexcept;
  // Restores the tuples that the keeper has. Throws the keeper's errors.
  void recover();
  // Reports to the keeper which tuples have gone, and makes it write; replies are sent after that.
  Result<void> save();
  // Called with the outcome of each reply that carried a tuple to be taken.
  static void on_outcome(void* self, std::uint32_t loan, Outcome outcome) noexcept;

  TupleSpace& space;
  const TupleSpaceOptions& options;
  detail::TupleStore store;
  detail::EvalBoard board;
  std::shared_ptr<detail::ReplyOutcomes> outcomes;
  Conversation wake = 0;
  bool woken = false;
  bool unsaved = false;

  // The agents that wait for a tuple or for notices, by slot.
  struct Asker {
    Message request;
    Time until;
    Address listener;
    Conversation conversation = 0;
    std::uint64_t missed = 0;
  };
  std::vector<Asker> askers;
  std::vector<std::uint32_t> free_askers;
  std::vector<detail::Grant> grants;
  // Replies that are due to requests that were kept.
  std::vector<std::pair<Message, SpaceAnswer>> answers;
  std::vector<std::pair<Loan, Outcome>> came_back;
  // Evaluations of functions that no evaluator offers, in the order of their ends.
  std::deque<std::pair<Message, Time>> unoffered;
  bool offers_changed = false;
  // Evaluators whose offer is being checked.
  std::set<std::pair<Name, std::uint64_t>> joining;
  // Requests of other nodes that were done lately: a request that comes again is not done again.
  std::unordered_set<std::uint64_t> done;
  std::deque<std::uint64_t> done_in_order;
  TupleSpaceCounts counts;

 private:
  SpaceAnswer act(Message& request, const Content& content, const detail::TupleRequest& what);
  SpaceAnswer out(const Message& request, const Content& content, const detail::TupleRequest& what);
  void put_out(Content content, Time until, std::uint64_t key = 0);
  void put_out_result(Content content);
  SpaceAnswer find(Message& request, const Content& content, const detail::TupleRequest& what);
  SpaceAnswer listen(Message& request, const Content& content, const detail::TupleRequest& what);
  SpaceAnswer eval(Message& request, const detail::TupleRequest& what);
  void look_at_unoffered(Time now);
  static std::uint64_t key_of(const Message& request) noexcept;
  bool remember(std::uint64_t key);
  bool comes_again(const Message& request);
  std::uint32_t new_asker();
  void free_asker(std::uint32_t slot);
  Message take_request(std::uint32_t slot);
  void check(const detail::TupleRequest& what) const;
  Time end_of(std::int64_t span) const;
};

// A reply that reports a failure.
Content tuple_failure(Errc errc, std::string text);

}  // namespace coracle
