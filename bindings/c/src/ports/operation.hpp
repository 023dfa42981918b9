// One call of an operation: it waits for its result, or its result becomes an event of a loop.
#pragma once

#include "base/failure.hpp"
#include "base/objects.hpp"
#include "loop.hpp"
#include "result.hpp"

#include "coracle/detail/outside.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

namespace coracle::c {

class Operation;
using OperationPtr = std::shared_ptr<Operation>;

class Operation final : public detail::Undertaking {
 public:
  // The work of a port's agent, or on a worker for no agent. It puts its results into the
  // operation.
  using Work = std::function<Task<>(Agent*, Operation&)>;

  // Without a loop, somebody calls wait(). An operation that publishes has messages as events, and
  // its end as the last event.
  Operation(const NodePtr& node, const PortPtr& port, Work work, const std::shared_ptr<Loop>& loop,
            std::uint64_t key, bool publishes = false)
      : Undertaking(true),
        node_(node),
        port_(port),
        work_(std::move(work)),
        loop_(loop),
        is_event_(loop != nullptr),
        publishes_(publishes),
        key_(key) {}

  // Waits for the end; throws the failure. The operation is one of that node.
  void wait(Node& node);
  // Describes the end in an event, with new handles for its results, or the next message that was
  // published. Returns false if there is nothing to tell.
  bool describe(coracle_event& event);
  // Its loop, which the caller keeps alive, shall expect its events.
  void announce();
  // Nobody wants its events any more: it ends early, and what it holds goes back.
  void forget();
  // Returns a new handle for the message; nullptr if there is none. Fails when the message went
  // back to its mailbox, because the port or its node has ended.
  coracle_message* take_message();
  // Returns a new handle for the list; nullptr if there is none.
  coracle_messages* take_messages();
  coracle_receipt* take_receipt();
  coracle_entries* take_entries();
  coracle_port* take_port();
  coracle_tuple* take_tuple();
  coracle_result* take_result();

  // For the work: the results. A message of a list is put by `put_next`.
  void put(Message message);
  void put_next(Message message);
  // The operation goes on, and this message is one of its events.
  void publish(Message message);
  std::variant<std::monostate, Receipt, std::vector<EntriesObject::One>, std::unique_ptr<Port>,
               TupleFields, std::shared_ptr<ResultObject>>
      result;
  bool has_message = false, has_messages = false;
  std::uint64_t number = 0;

 private:
  OperationPtr self() { return std::static_pointer_cast<Operation>(shared_from_this()); }
  Task<> run(Agent* agent) override { return work_(agent, *this); }
  void on_end(std::exception_ptr error) noexcept override;

  // A worker may be the last owner of an operation, and must not be the last owner of these.
  const std::weak_ptr<NodeObject> node_;
  const std::weak_ptr<PortObject> port_;
  const Work work_;
  const std::weak_ptr<Loop> loop_;
  const bool is_event_;
  const bool publishes_;
  const std::uint64_t key_;
  std::mutex mutex_;  // guards what follows
  std::exception_ptr error_;
  std::atomic<int> is_over_{0};  // wait() waits for its change
  bool is_told_ = false;  // of an operation that publishes: its end
};

// Does `work` in the port's agent. Without `begin`, waits, and returns the operation, which has
// succeeded. With it, returns nullptr, and `result`, the place for the result, must be null.
OperationPtr operate(const PortPtr& port, const coracle_begin* begin, const void* result,
                     Operation::Work work);
// The same on a worker of the node, for no agent.
OperationPtr operate(const NodePtr& node, const coracle_begin* begin, const void* result,
                     Operation::Work work);
// Begins an operation of the port whose results are events.
void begin(const PortPtr& port, const OperationPtr& operation);
// Reports an error if a call that waits has no place for its result.
void require_place(const coracle_begin* begin, const void* result);

}  // namespace coracle::c
