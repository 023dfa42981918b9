// Tuple spaces: agents leave tuples for each other, and find tuples by their form (the paper's
// section 2.1 emulates tuple spaces on its messages, as here). A space is an agent with a name;
// other agents use it by a Space:
//
//   Space board(*this, "board");
//   co_await board.out("task", 7, "sort");
//   auto [what, number, how] = co_await board.in("task", any<int>, any<std::string>);
//
// Tests: coracle/tests/tuple_store_test.cpp, tests/tuples.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/detail/tuple_messages.hpp"
#include "coracle/tuple.hpp"
#include "coracle/tuple_keeper.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace coracle {

namespace detail {
struct SpaceAccess;
class SpaceRequest;
}

// The limits of a space, and its patience.
struct TupleSpaceOptions {
  // The largest tuple, in bytes: 8 for each field, and the bytes of texts and byte fields.
  std::size_t tuple_bytes = std::size_t{64} << 10;
  // The largest number of tuples, and of waiting `in`, `rd` and notifications.
  std::size_t tuples = 16'000'000;
  std::size_t waiting = 1'000'000;
  // The largest number of open evaluations, and of evaluators.
  std::size_t evaluations = 100'000;
  std::size_t evaluators = 1'000;
  // After that time, an agent that waits must ask again, and keeps its position: so agents that
  // have died are forgotten.
  Duration ask_again = std::chrono::seconds(20);
  // A tuple for an agent that cannot be reached comes back after that time.
  Duration answer_within = std::chrono::seconds(10);
  // The time that an evaluation waits for the first offer of a function that nobody has offered
  // yet.
  Duration offer_within = std::chrono::seconds(1);
  // The number of times that an evaluation is begun before it is given up.
  std::uint32_t evaluation_tries = 5;
  // Lets the tuples survive the space and its node, if set (coracle/durable/tuples.hpp): replies
  // wait until the changes are on the disk.
  std::shared_ptr<TupleKeeper> keeper = nullptr;
};

// The counts of a space.
struct TupleSpaceCounts {
  std::size_t tuples = 0;
  // Handed out, and not yet known to be read.
  std::size_t lent = 0;
  std::size_t waiting = 0;
  std::size_t evaluations = 0;
  // Since the space began: tuples that came back because nobody read them, tuples that expired,
  // evaluations that were begun again, requests that were invalid.
  std::uint64_t given_back = 0;
  std::uint64_t expired = 0;
  std::uint64_t evaluated_again = 0;
  std::uint64_t refused = 0;
};

// A space. It performs its operations one after the other, in the order in which it reads its
// requests. A tuple that was taken is gone when its taker has read the reply. When it is known that
// the taker has not read it (the taker died, or its deadline came first), the tuple is there again,
// at its old position. Only where a node falls silent with a reply under way may a tuple be read
// twice.
class TupleSpace : public Agent {
 public:
  explicit TupleSpace(TupleSpaceOptions options = {});
  ~TupleSpace() override;

  // Serves until the node stops.
  Task<> run() override { return work_as_space(); }
  // The options of the space.
  const TupleSpaceOptions& options() const noexcept { return options_; }
  // The counts of the space, for agents on its worker.
  TupleSpaceCounts counts() const noexcept;

 protected:
  // The body of run().
  Task<> work_as_space();
  // Is called with each tuple that comes back because nobody read it.
  virtual void on_given_back(const TupleFields& tuple);

 private:
  struct State;

  void take_in(const Message& message);
  void take_in_all(Message message);
  Task<> save();
  Task<> settle_all();
  Task<> give_out_jobs();
  Task<> keep_evaluator(Name who, detail::EvalOffer offer);
  Task<> say(const Message& request, Content answer, std::uint32_t loan);
  Task<> give(std::uint32_t first);
  Task<> wake();

  TupleSpaceOptions options_;
  std::unique_ptr<State> state_;
};

// The time that a tuple, or a notification, stays: for ever unless set.
struct Lease {
  Duration span = Duration(-1);
};

// The result of an operation that does not wait, or that waits until a deadline: a tuple or
// nothing.
template <class... Fields>
using MaybeTuple = std::optional<detail::TupleOf<Fields...>>;

// The notices of the tuples that come to a space. The agent's mailbox holds the notices; those that
// do not fit there are missed, and counted.
class NoticesBase {
 public:
  // The number of notices missed so far.
  std::uint64_t missed() const noexcept { return missed_; }
  // Begins the lease of the notification anew. Fails with Errc::expired when it has ended.
  Task<> renew(Lease lease);
  // Ends the notification; notices that have come stay. If the deadline passes first, the space has
  // gone, or it will end the notification when it reads the request.
  Task<> end(Deadline deadline = Deadline::never());

 protected:
  friend class Space;
  NoticesBase(Agent& agent, Address space, Conversation conversation, std::uint64_t number) noexcept
      : agent_(&agent), space_(space), conversation_(conversation), number_(number) {}
  // The next content; nothing when the deadline has passed, or the notification has ended.
  Task<std::optional<Content>> next_content(Deadline deadline);
  // The two halves of that: the match of the notices, and what becomes of one that was received.
  Match wanted() const;
  Content take(Message& notice);

 private:
  Agent* agent_;
  Address space_;
  Conversation conversation_;
  std::uint64_t number_;
  std::uint64_t missed_ = 0;
};

// The same, for tuples of these fields.
template <class... Fields>
class Notices : public NoticesBase {
 public:
  using NoticesBase::NoticesBase;
  explicit Notices(NoticesBase base) noexcept : NoticesBase(std::move(base)) {}

  // The next tuple; nothing when the deadline passes.
  Task<MaybeTuple<Fields...>> next(Deadline deadline = Deadline::never()) {
    const std::optional<Content> content = co_await next_content(deadline);
    if (!content) co_return std::nullopt;
    co_return detail::tuple_of<Fields...>(content->as<detail::TupleNotice>().fields);
  }
};

// An agent's access to a space. Every operation fails as Agent::ask() does, and with
// Errc::too_large, Errc::limit_reached, Errc::wrong_type and Errc::bad_encoding when the space
// reports them.
class Space {
 public:
  // The space of that name, for `agent`.
  Space(Agent& agent, Target name) : agent_(agent), space_(agent.find(name)) {}

  // Stores a tuple; returns when the space has it.
  template <class... Fields>
  Task<> out(const Fields&... fields) {
    return put(detail::TupleAct::out, Lease(), detail::fields_of(fields...));
  }
  // The same, for a limited time.
  template <class... Fields>
  Task<> out(Lease lease, const Fields&... fields) {
    return put(detail::TupleAct::out, lease, detail::fields_of(fields...));
  }
  // Takes the oldest tuple that fits; waits until there is one. Agents that wait are served in the
  // order in which they began to wait.
  template <class... Fields>
  Task<detail::TupleOf<Fields...>> in(const Fields&... pattern) {
    return surely<Fields...>(find(detail::TupleAct::in, detail::fields_of(pattern...)));
  }
  // The same; returns nothing when the deadline passes.
  template <class... Fields>
  Task<MaybeTuple<Fields...>> in(Deadline deadline, const Fields&... pattern) {
    return maybe<Fields...>(find(detail::TupleAct::in, detail::fields_of(pattern...), deadline));
  }
  // Reads the oldest tuple that fits, which stays in the space; waits until there is one.
  template <class... Fields>
  Task<detail::TupleOf<Fields...>> rd(const Fields&... pattern) {
    return surely<Fields...>(find(detail::TupleAct::rd, detail::fields_of(pattern...)));
  }
  // The same; returns nothing when the deadline passes.
  template <class... Fields>
  Task<MaybeTuple<Fields...>> rd(Deadline deadline, const Fields&... pattern) {
    return maybe<Fields...>(find(detail::TupleAct::rd, detail::fields_of(pattern...), deadline));
  }
  // Takes the oldest tuple that fits, if there is one now.
  template <class... Fields>
  Task<MaybeTuple<Fields...>> inp(const Fields&... pattern) {
    return maybe<Fields...>(find(detail::TupleAct::inp, detail::fields_of(pattern...)));
  }
  // Reads the oldest tuple that fits, if there is one now.
  template <class... Fields>
  Task<MaybeTuple<Fields...>> rdp(const Fields&... pattern) {
    return maybe<Fields...>(find(detail::TupleAct::rdp, detail::fields_of(pattern...)));
  }
  // Requests the evaluation of a function by an agent that offers it (evaluator.hpp); returns when
  // the space has accepted the request. The result is a tuple in the space, exactly once, whichever
  // agents die; or ("eval failed", function, reason). Fails with Errc::refused when nobody offers
  // the function.
  template <class... Fields>
  Task<> eval(std::string function, const Fields&... arguments) {
    return put(detail::TupleAct::eval, Lease(), detail::fields_of(function, arguments...));
  }
  // Notifies this agent of each tuple that fits and comes from now on, until the lease ends.
  template <class... Fields>
  Task<Notices<Fields...>> notify(Lease lease, const Fields&... pattern) {
    return told<Fields...>(listen(lease, detail::fields_of(pattern...)));
  }

 private:
  friend struct detail::SpaceAccess;

  Task<> put(detail::TupleAct act, Lease lease, TupleFields fields,
             detail::SpaceRequest* under_way = nullptr);
  Task<std::optional<Content>> find(detail::TupleAct act, TupleFields pattern,
                                    Deadline deadline = Deadline::never(),
                                    detail::SpaceRequest* under_way = nullptr);
  Task<NoticesBase> listen(Lease lease, TupleFields pattern);

  template <class... Fields>
  static Task<MaybeTuple<Fields...>> maybe(Task<std::optional<Content>> finding) {
    const std::optional<Content> found = co_await finding;
    if (!found) co_return std::nullopt;
    co_return detail::tuple_of<Fields...>(found->as<detail::TupleRequest>().fields);
  }
  template <class... Fields>
  static Task<detail::TupleOf<Fields...>> surely(Task<std::optional<Content>> finding) {
    const std::optional<Content> found = co_await finding;
    co_return detail::tuple_of<Fields...>(found.value().as<detail::TupleRequest>().fields);
  }
  template <class... Fields>
  static Task<Notices<Fields...>> told(Task<NoticesBase> listening) {
    co_return Notices<Fields...>(co_await listening);
  }

  Agent& agent_;
  Address space_;
};

}  // namespace coracle
