#include "operation.hpp"

#include "hub.hpp"
#include "message.hpp"
#include "port.hpp"
#include "roles/results.hpp"
#include "society.hpp"

#include <poll.h>

#include <memory>

namespace coracle::py {

// A loop on which one operation at a time waits. Those that are free are used again.
struct WaitLoop {
  WaitLoop() {
    check(coracle_loop_open(&loop));
    check(coracle_loop_descriptor(loop, &descriptor));
  }
  ~WaitLoop() { coracle_loop_close(loop); }
  WaitLoop(const WaitLoop&) = delete;

  static WaitLoop* get() {
    if (free.empty()) return new WaitLoop;
    WaitLoop* const found = free.back().release();
    free.pop_back();
    return found;
  }
  static void put(WaitLoop* used) {
    if (free.size() < 16) free.emplace_back(used);
    else delete used;
  }

  coracle_loop* loop = nullptr;
  int descriptor = -1;
  // Guarded by the interpreter's lock. It is never destroyed, because threads may outlive `main`.
  static std::vector<std::unique_ptr<WaitLoop>>& free;
};
std::vector<std::unique_ptr<WaitLoop>>& WaitLoop::free =
    *new std::vector<std::unique_ptr<WaitLoop>>;

namespace {

nb::object cancellation(nb::handle message) {
  const nb::object type = nb::module_::import_("asyncio").attr("CancelledError");
  return message.is_none() ? type() : type(message);
}

}  // namespace

void Operation::drop(coracle_event& event) {
  coracle_error_free(event.error);
  if (event.message != nullptr) coracle_error_free(coracle_message_give_back(event.message));
  coracle_messages_free(event.messages);
  coracle_receipt_free(event.receipt);
  coracle_port_close(event.port);
  coracle_entries_free(event.entries);
  coracle_tuple_free(event.tuple);
  coracle_result_free(event.result);
}

Operation::~Operation() {
  if (state_ == State::failed && !was_asked_ && hub != nullptr) {
    nb::error_scope keep;
    try {
      nb::module_::import_("coracle._log").attr("never_asked")(result_);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("coracle.Operation");
    }
  }
  if (waits_ != nullptr) delete waits_;  // cancels what has not ended
}

int Operation::traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Operation& my = of(self);
  Py_VISIT(my.port_.ptr());
  Py_VISIT(my.result_.ptr());
  Py_VISIT(my.hub_owner.ptr());
  Py_VISIT(my.type.ptr());
  Py_VISIT(my.first_.first.ptr());
  Py_VISIT(my.first_.second.ptr());
  for (const Callback& each : my.others_) {
    Py_VISIT(each.first.ptr());
    Py_VISIT(each.second.ptr());
  }
  return 0;
}

int Operation::clear(PyObject* self) {
  Operation& my = of(self);
  const Callback first = std::move(my.first_);
  const std::vector<Callback> others = std::move(my.others_);
  const nb::object port = std::move(my.port_), result = std::move(my.result_);
  my.was_asked_ = true;
  return 0;
}

coracle_begin Operation::begin_at(nb::handle self_, Hub& at) {
  self = self_;
  hub = &at;
  hub_owner = nb::borrow(at.self);
  is_here_ = false;
  at.on_begin(*this);
  return {at.loop(), reinterpret_cast<std::uintptr_t>(this)};
}

void Operation::begin_here(nb::handle self_, Hub& at) {
  self = self_;
  hub = &at;
  hub_owner = nb::borrow(at.self);
  is_here_ = true;
}

coracle_begin Operation::begin_alone(nb::handle) {
  waits_ = WaitLoop::get();
  return {waits_->loop, 0};
}

void Operation::on_failed_begin() {
  if (hub != nullptr) hub->on_failed_begin(*this);
  if (waits_ != nullptr) WaitLoop::put(std::exchange(waits_, nullptr));
  state_ = State::cancelled;
}

nb::object Operation::result_of(coracle_event& event) {
  switch (gives_) {
    case Gives::nothing:
      return nb::none();
    case Gives::message:
      if (event.message == nullptr) return nb::none();
      return make<Message>(std::exchange(event.message, nullptr), Port::in_hand(port_));
    case Gives::batch:
      return messages_of(event.messages, Port::in_hand(port_));
    case Gives::receipt:
      return make<Receipt>(std::exchange(event.receipt, nullptr), port_);
    case Gives::port:
      Port::of(port_).on_open(std::exchange(event.port, nullptr));
      return port_;
    case Gives::entries:
      return entries_of(event.entries);
    case Gives::names:
      return names_of(event.entries);
    case Gives::number:
      return nb::int_(event.number);
    case Gives::truth:
      return nb::bool_(event.number != 0);
    case Gives::reason:
      return nb::cast(coracle_end_reason(event.number));
    case Gives::tuple:
      return tuple_of(event.tuple);
    case Gives::value:
      return value_of(event.result, 0, type);
    case Gives::values:
      return values_of(event.result, type);
    case Gives::decision:
      return decision_of(event.result);
    case Gives::settlement:
      return settlement_of(event.result);
    case Gives::outcome:
      return outcome_of(event.result);
  }
  return nb::none();
}

void Operation::on_event(coracle_event& event) {
  if (state_ != State::pending) {
    if (event.tuple != nullptr && !takes_from.empty()) put_back(port_, takes_from, event.tuple);
    return drop(event);
  }
  try {
    if (event.error != nullptr) {
      nb::object exception = exception_of(std::exchange(event.error, nullptr));
      fail(std::move(exception));
    } else {
      nb::object found = result_of(event);
      if (found.is_none() && ends_iteration) fail(nb::handle(PyExc_StopAsyncIteration)());
      else end(std::move(found));
    }
  } catch (nb::python_error& error) {
    fail(nb::borrow(error.value()));
  }
  drop(event);  // what the result did not take
  if (gives_ != Gives::receipt) port_.reset();
}

void Operation::end(nb::object result) {
  state_ = State::ended;
  result_ = std::move(result);
}

void Operation::fail(nb::object exception) {
  state_ = State::failed;
  const bool is_stop = ends_iteration && is_stopped(exception);
  result_ = is_stop ? nb::handle(PyExc_StopAsyncIteration)() : std::move(exception);
}

void Operation::call(const Callback& callback, nb::handle self) {
  PyObject* const context = callback.second.ptr();
  if (context != nullptr && PyContext_Enter(context) != 0) throw nb::python_error();
  PyObject* const returned = PyObject_CallOneArg(callback.first.ptr(), self.ptr());
  if (context != nullptr) {
    nb::error_scope keep;  // of the call
    if (PyContext_Exit(context) != 0) PyErr_Clear();
  }
  if (returned == nullptr) throw nb::python_error();
  Py_DECREF(returned);
}

void Operation::call_back(nb::handle self) {
  const Callback first = std::move(first_);
  first_ = {};
  if (!others_.empty()) {  // only the first one may continue at once, without a turn of asyncio
    for (const Callback& each : std::exchange(others_, {}))
      hub->call_soon(each.first, self, each.second);
  }
  if (first.first) call(first, self);
}

bool Operation::cancel(nb::handle me, nb::handle message) {
  if (hub != nullptr && !hub->is_closed()) hub->pick();  // perhaps it has ended
  if (state_ != State::pending) return false;
  result_ = cancellation(message);
  state_ = State::cancelled;
  if (hub != nullptr) {
    if (!hub->is_closed()) {
      if (is_here_) Port::of(port_).forget(me);
      else check(coracle_cancel(hub->loop(), reinterpret_cast<std::uintptr_t>(this)));
    }
    if (has_callbacks()) hub->on_end(nb::borrow(me));
  } else if (waits_ != nullptr) {
    state_ = State::pending;  // until its event comes; another thread may wait for it
    check(coracle_cancel(waits_->loop, 0));
  }
  return true;
}

void Operation::require_done() const {
  if (state_ != State::pending) return;
  nb::object error = nb::module_::import_("asyncio").attr("InvalidStateError")("it has not ended");
  raise(error);
}

nb::object Operation::result() {
  require_done();
  was_asked_ = true;
  if (state_ != State::ended) raise(result_);
  return result_;
}

nb::object Operation::exception() {
  require_done();
  was_asked_ = true;
  if (state_ == State::cancelled) raise(result_);
  return state_ == State::failed ? result_ : nb::object(nb::none());
}

nb::object Operation::cancelled_error() const {
  return is_cancelled() && result_.is_valid() ? result_ : cancellation(nb::none());
}

nb::object Operation::cancel_message() const {
  const nb::object given = cancelled_error().attr("args");
  return nb::len(given) == 0 ? nb::object(nb::none()) : nb::object(given[0]);
}

void Operation::add_callback(nb::handle self, nb::object callback, nb::object context) {
  if (context.is_none()) context = nb::steal(PyContext_CopyCurrent());
  if (hub == nullptr) raise(CORACLE_BAD_ARGUMENT, "a thread waits for this operation, not asyncio");
  if (is_done()) return hub->call_soon(callback, self, context);
  if (!first_.first) first_ = {std::move(callback), std::move(context)};
  else others_.emplace_back(std::move(callback), std::move(context));
}

int Operation::remove_callback(nb::handle callback) {
  int removed = 0;
  const auto is_it = [&](const Callback& each) { return each.first && each.first.equal(callback); };
  if (is_it(first_)) first_ = {}, ++removed;
  removed += int(std::erase_if(others_, is_it));
  return removed;
}

nb::object Operation::loop() const {
  if (hub == nullptr) raise(CORACLE_BAD_ARGUMENT, "a thread waits for this operation, not asyncio");
  return hub->asyncio_loop();
}

PyObject* Operation::iterator(PyObject* self) { return Py_NewRef(self); }

PySendResult Operation::send(PyObject* self, PyObject*, PyObject** result) {
  Operation& my = of(self);
  if (my.state_ == State::pending) {
    my.is_blocking = true;
    *result = Py_NewRef(self);
    return PYGEN_NEXT;
  }
  my.was_asked_ = true;
  if (my.state_ == State::ended) {
    *result = Py_NewRef(my.result_.ptr());
    return PYGEN_RETURN;
  }
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(my.result_.ptr())), my.result_.ptr());
  *result = nullptr;
  return PYGEN_ERROR;
}

PyObject* Operation::next(PyObject* self) {
  PyObject* result = nullptr;
  if (send(self, nullptr, &result) != PYGEN_RETURN) return result;
  // An exception with a tuple as its value would be taken apart, so that it is made here.
  PyObject* const stop = PyObject_CallOneArg(PyExc_StopIteration, result);
  Py_DECREF(result);
  if (stop != nullptr) {
    PyErr_SetObject(PyExc_StopIteration, stop);
    Py_DECREF(stop);
  }
  return nullptr;
}

bool Operation::take_event() {
  coracle_event event;
  std::size_t count = 0;
  check(coracle_loop_take(waits_->loop, &event, 1, &count));
  if (count == 0) return false;
  on_event(event);
  WaitLoop::put(std::exchange(waits_, nullptr));
  return true;
}

nb::object Operation::wait() {
  if (hub != nullptr) raise(CORACLE_BAD_ARGUMENT, "asyncio waits for this operation: await it");
  while (state_ == State::pending) {
    if (waits_ == nullptr) raise(CORACLE_BAD_HANDLE, "this operation has not begun");
    pollfd readable{waits_->descriptor, POLLIN, 0};
    {
      const nb::gil_scoped_release others_run;
      ::poll(&readable, 1, -1);
    }
    if (waits_ == nullptr || take_event()) continue;
    if (PyErr_CheckSignals() == 0) continue;
    nb::python_error interrupted;
    coracle_error_free(coracle_cancel(waits_->loop, 0));
    state_ = State::cancelled;  // a message that comes now goes back
    throw interrupted;
  }
  return result();
}

void define_operation(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, (void*)Operation::traverse},
                                {Py_tp_clear, (void*)Operation::clear},
                                {Py_am_await, (void*)Operation::iterator},
                                {Py_am_send, (void*)Operation::send},
                                {Py_tp_iter, (void*)Operation::iterator},
                                {Py_tp_iternext, (void*)Operation::next},
                                {0, nullptr}};
  nb::class_<Operation>(
      module, "Operation", nb::is_final(), nb::type_slots(slots), nb::is_weak_referenceable(),
      "An operation that has begun. `await` it for its result; it is a future of asyncio.")
      .def_rw("_asyncio_future_blocking", &Operation::is_blocking)
      .def("done", &Operation::is_done, "Whether it has ended.")
      .def("cancelled", &Operation::is_cancelled, "Whether it was cancelled.")
      .def(
          "cancel",
          [](nb::handle self, nb::handle message) {
            return Operation::of(self).cancel(self, message);
          },
          nb::arg("msg") = nb::none(),
          "Ends it early; a message that it would have received stays in its mailbox.")
      .def("result", &Operation::result, "The result, or the failure as an exception.")
      .def("exception", &Operation::exception, "The failure, or None.")
      .def(
          "add_done_callback",
          [](nb::handle self, nb::object callback, nb::object context) {
            Operation::of(self).add_callback(self, std::move(callback), std::move(context));
          },
          nb::arg("callback"), nb::kw_only(), nb::arg("context") = nb::none(),
          "Calls a function with this operation when it has ended.")
      .def(
          "remove_done_callback",
          [](Operation& self, nb::handle callback) { return self.remove_callback(callback); },
          nb::arg("callback"), "Removes a function, and returns how often it was added.")
      .def("get_loop", &Operation::loop, "The loop of asyncio.")
      // asyncio.gather() uses these two of each future that was cancelled.
      .def_prop_ro("_cancel_message", &Operation::cancel_message)
      .def("_make_cancelled_error", &Operation::cancelled_error)
      .def("_wait", &Operation::wait);
}

}  // namespace coracle::py
