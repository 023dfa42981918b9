// An operation that has begun: the future of asyncio for its result, or a result that a thread
// waits for.
#pragma once

#include "errors.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::py {

class Hub;
class Port;
struct WaitLoop;

// The kind of the result, by which an event becomes an object.
enum class Gives {
  nothing,
  message,
  batch,
  receipt,
  port,
  entries,
  names,
  number,
  truth,
  reason,
  tuple,
  value,
  values,
  decision,
  settlement,
  outcome
};

class Operation {
 public:
  Operation(Gives gives, nb::object port) : gives_(gives), port_(std::move(port)) {}
  ~Operation();
  Operation(const Operation&) = delete;
  static Operation& of(nb::handle self) { return *nb::inst_ptr<Operation>(self); }
  static int traverse(PyObject* self, visitproc visit, void* arg);
  static int clear(PyObject* self);

  // --- the beginning ---
  // Where the event shall come: to the hub, or for a thread that waits to a loop of its own.
  coracle_begin begin_at(nb::handle self, Hub& hub);
  coracle_begin begin_alone(nb::handle self);
  // The call has failed, so no event will come.
  void on_failed_begin();
  // It waits for the stream of its port; the library does not know it.
  void begin_here(nb::handle self, Hub& hub);

  // --- the end ---
  void on_event(coracle_event& event);
  // Nobody wants the result of an event: messages go back to their mailbox.
  static void drop(coracle_event& event);
  void end(nb::object result);
  void fail(nb::object exception);
  bool has_callbacks() const { return bool(first_.first); }
  // Calls the callbacks that were added, each in its context.
  void call_back(nb::handle self);

  // --- the future, as asyncio knows it ---
  bool is_done() const { return state_ != State::pending; }
  bool is_cancelled() const { return state_ == State::cancelled; }
  bool cancel(nb::handle self, nb::handle message);
  nb::object result();
  nb::object exception();
  void add_callback(nb::handle self, nb::object callback, nb::object context);
  int remove_callback(nb::handle callback);
  nb::object loop() const;
  nb::object cancelled_error() const;
  nb::object cancel_message() const;
  static PyObject* iterator(PyObject* self);
  static PyObject* next(PyObject* self);
  static PySendResult send(PyObject* self, PyObject* value, PyObject** result);
  // Waits without the interpreter's lock; a signal's exception ends the wait.
  nb::object wait();

  Hub* hub = nullptr;  // of the asyncio loop
  nb::object hub_owner;
  nb::handle self;              // not owned
  bool ends_iteration = false;  // no message, and the node's stop, are the end of a loop
  bool is_blocking = false;
  nb::object type;         // of values; None is any
  std::string takes_from;  // the space, if it takes a tuple
  // The neighbours among those that have begun; the hub's.
  Operation *before = nullptr, *after = nullptr;

 private:
  enum class State { pending, ended, failed, cancelled };
  using Callback = std::pair<nb::object, nb::object>;

  nb::object result_of(coracle_event& event);
  void call(const Callback& callback, nb::handle self);
  void require_done() const;
  bool take_event();

  const Gives gives_;
  State state_ = State::pending;
  bool is_here_ = false;    // see begin_here()
  bool was_asked_ = false;  // somebody has seen the failure
  nb::object port_, result_;
  Callback first_;
  std::vector<Callback> others_;
  WaitLoop* waits_ = nullptr;
};

void define_operation(nb::module_& module);

}  // namespace coracle::py
