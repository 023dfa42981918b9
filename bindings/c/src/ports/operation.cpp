#include "operation.hpp"

#include "coracle/support/here.hpp"

namespace coracle::c {

namespace {

// Begins an operation whose results are events.
template <class Where>
void begin_at(Where& where, const OperationPtr& operation, const NodeObject& node) {
  operation->announce();
  const Loop::Calling calling(node);
  detail::FromOutside::begin(where, operation);
}

template <class Where>
OperationPtr operate_at(Where& where, const NodePtr& node, const PortPtr& port,
                        const coracle_begin* begin, const void* result, Operation::Work work) {
  if (begin != nullptr) {
    if (result != nullptr) {
      fail_argument("with a coracle_begin, the result comes as an event: give NULL for its place");
    }
    const auto loop = object_of<Loop>(begin->loop);
    begin_at(where, std::make_shared<Operation>(node, port, std::move(work), loop, begin->key),
             *node);
    return nullptr;
  }
  if (detail::is_on_worker()) {
    throw Failure(CORACLE_WRONG_THREAD,
                  "this call waits, and a function of a behaviour must not wait: begin the "
                  "operation with a coracle_begin, or call it from a thread of your own");
  }
  auto operation = std::make_shared<Operation>(node, port, std::move(work), nullptr, 0);
  detail::FromOutside::begin(where, operation);
  operation->wait(*node->node);
  return operation;
}

}  // namespace

namespace {

// A wait that is called off ends as it does when its node stops.
bool is_end_of_wait(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return known.errc() == Errc::stopped;
  } catch (...) {
    return false;
  }
}

}  // namespace

void Operation::on_end(std::exception_ptr error) noexcept {
  if (error && is_called_off() && is_end_of_wait(error))
    error = std::make_exception_ptr(Error(Errc::cancelled, "it was cancelled while it waited"));
  {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    is_over_ = 1;
  }
  is_over_.notify_all();
  if (!is_event_) return;
  const auto loop = loop_.lock();
  if (loop && loop->on_end(key_, self())) return;
  held()->give_back();  // nobody will take it
}

void Operation::wait(Node& node) {
  detail::FromOutside::take_turns(node, [this] { return is_over_ != 0; });
  is_over_.wait(0);
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void Operation::put(Message message) {
  has_message = true;
  held()->put(std::move(message));
}

void Operation::put_next(Message message) {
  has_messages = true;
  held()->put(std::move(message));
}

void Operation::announce() { std::shared_ptr(loop_)->add(key_, self()); }

void Operation::forget() {
  if (const auto loop = loop_.lock()) loop->forget(key_, self());
  call_off();
  held()->give_back();
}

void Operation::publish(Message message) {
  held()->put(std::move(message));
  const auto loop = loop_.lock();
  if (!loop || !loop->on_part(key_, self())) held()->give_back();
}

coracle_messages* Operation::take_messages() {
  auto node = node_.lock();
  if (!has_messages || !node) return nullptr;
  return new_handle(std::make_shared<MessagesObject>(std::move(node), held()));
}

coracle_message* Operation::take_message() {
  if (!has_message) return nullptr;
  Message message = held()->take();
  auto node = node_.lock();
  if (!message || !node) {
    throw Error(Errc::stopped,
                "the message went back to its mailbox: the port was closed, another agent took "
                "over its name, or its node was stopped");
  }
  return new_handle(std::make_shared<MessageObject>(std::move(node), std::move(message)));
}

coracle_receipt* Operation::take_receipt() {
  const auto from = port_.lock();
  auto* const receipt = std::get_if<Receipt>(&result);
  if (receipt == nullptr || !from) return nullptr;
  return new_handle(std::make_shared<ReceiptObject>(from, std::move(*receipt)));
}

coracle_entries* Operation::take_entries() {
  auto* const entries = std::get_if<std::vector<EntriesObject::One>>(&result);
  if (entries == nullptr) return nullptr;
  return new_handle(std::make_shared<EntriesObject>(std::move(*entries)));
}

coracle_port* Operation::take_port() {
  auto node = node_.lock();
  auto* const joined = std::get_if<std::unique_ptr<Port>>(&result);
  if (joined == nullptr || !node) return nullptr;
  return new_handle(PortObject::own(std::move(node), std::move(*joined)));
}

coracle_tuple* Operation::take_tuple() {
  auto* const tuple = std::get_if<TupleFields>(&result);
  if (tuple == nullptr) return nullptr;
  return new_handle(std::make_shared<TupleObject>(std::move(*tuple)));
}

coracle_result* Operation::take_result() {
  auto* const found = std::get_if<std::shared_ptr<ResultObject>>(&result);
  return found == nullptr ? nullptr : new_handle(std::move(*found));
}

bool Operation::describe(coracle_event& event) {
  event = {};
  event.key = key_;
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    if (publishes_) {
      has_message = !held()->is_empty();
      // A message may have gone back to its mailbox, because its port has ended.
      if (!has_message && (is_over_ == 0 || std::exchange(is_told_, true))) return false;
    }
    if (!has_message || !publishes_) error = error_;
  }
  try {
    if (error) std::rethrow_exception(error);
    event.message = take_message();
    event.messages = take_messages();
    event.receipt = take_receipt();
    event.entries = take_entries();
    event.port = take_port();
    event.tuple = take_tuple();
    event.result = take_result();
    event.number = number;
  } catch (...) {
    event.error = error_of(std::current_exception());
  }
  return true;
}

OperationPtr operate(const PortPtr& port, const coracle_begin* begin, const void* result,
                     Operation::Work work) {
  return operate_at(*port->port, port->node, port, begin, result, std::move(work));
}

OperationPtr operate(const NodePtr& node, const coracle_begin* begin, const void* result,
                     Operation::Work work) {
  return operate_at(*node->node, node, nullptr, begin, result, std::move(work));
}

void begin(const PortPtr& port, const OperationPtr& operation) {
  begin_at(*port->port, operation, *port->node);
}

void require_place(const coracle_begin* begin, const void* result) {
  if (begin == nullptr && result == nullptr)
    fail_argument("the pointer for the result is NULL; the call would lose its result");
}

}  // namespace coracle::c
