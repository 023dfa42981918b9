#include "hub.hpp"

#include "port.hpp"

namespace coracle::py {

namespace {

constexpr int most_steps = 128;  // before asyncio's other callbacks have their turn
constexpr std::size_t most_events = 64;

}  // namespace

Hub::Hub(nb::object asyncio_loop)
    : asyncio_loop_(std::move(asyncio_loop)),
      call_soon_(asyncio_loop_.attr("call_soon")),
      thread_(PyThread_get_thread_ident()) {
  check(coracle_loop_open(&loop_));
  check(coracle_loop_set_picking(loop_, true));
}

int Hub::traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Hub& my = of(self);
  Py_VISIT(my.asyncio_loop_.ptr());
  Py_VISIT(my.call_soon_.ptr());
  Py_VISIT(my.turn_.ptr());
  Py_VISIT(my.nothing_.ptr());
  for (const Operation* each = my.begun_; each != nullptr; each = each->after)
    Py_VISIT(each->self.ptr());
  for (const nb::object& each : my.ended_) Py_VISIT(each.ptr());
  return 0;
}

int Hub::clear(PyObject* self) {
  Hub& my = of(self);
  my.drop_begun(nb::handle());
  const nb::object loop = std::move(my.asyncio_loop_), soon = std::move(my.call_soon_),
                   nothing = std::move(my.nothing_);
  const std::deque<nb::object> ended = std::move(my.ended_);
  return 0;
}

int Hub::descriptor() {
  check(coracle_loop_descriptor(loop_, &descriptor_));
  return descriptor_;
}

void Hub::require_here() const {
  if (!is_here()) [[unlikely]] {
    raise(
        CORACLE_WRONG_THREAD,
        "this agent belongs to the asyncio loop of another thread; use loop.call_soon_threadsafe() "
        "or asyncio.run_coroutine_threadsafe()");
  }
  if (is_closed()) [[unlikely]]
    raise(CORACLE_BAD_HANDLE, "the node of this agent is closed");
}

void Hub::on_begin(Operation& operation) {
  operation.self.inc_ref();
  operation.after = begun_;
  if (begun_ != nullptr) begun_->before = &operation;
  begun_ = &operation;
}

void Hub::remove(Operation& operation) {
  (operation.before != nullptr ? operation.before->after : begun_) = operation.after;
  if (operation.after != nullptr) operation.after->before = operation.before;
  operation.before = operation.after = nullptr;
}

void Hub::on_failed_begin(Operation& operation) {
  remove(operation);
  operation.self.dec_ref();
}

void Hub::on_end(nb::object operation) {
  ended_.push_back(std::move(operation));
  need_turn();
}

void Hub::need_turn() {
  if (is_turning_ || is_due_) return;
  if (is_closed() && nb::cast<bool>(asyncio_loop_.attr("is_closed")())) return ended_.clear();
  if (!turn_) turn_ = self.attr("turn");
  call_soon_(turn_);
  is_due_ = true;
}

void Hub::call_soon(nb::handle callback, nb::handle argument, nb::handle context) {
  call_soon_(callback, argument, nb::arg("context") = context);
}

void Hub::on_event(coracle_event& event) {
  if (event.key & 1) {
    const auto port = streams_.find(event.key);
    if (port != streams_.end()) port->second->on_stream(event);
    else Operation::drop(event);
    return;
  }
  Operation& operation = *reinterpret_cast<Operation*>(event.key);
  remove(operation);
  nb::object owned = nb::steal(operation.self);
  operation.on_event(event);
  if (operation.has_callbacks()) ended_.push_back(std::move(owned));
}

std::size_t Hub::take(Take how) {
  coracle_event events[most_events];
  std::size_t all = 0;
  for (std::size_t count = most_events; count == most_events && !is_closed(); all += count) {
    coracle_error* const error = how(loop_, events, most_events, &count);
    if (error != nullptr) {  // for example after a fork: nothing will ever come
      const nb::object exception = exception_of(error);
      asyncio_loop_.attr("remove_reader")(descriptor_);
      close();
      raise(exception);
    }
    for (std::size_t each = 0; each < count; ++each) on_event(events[each]);
  }
  return all;
}

void Hub::pick() {
  if (take(coracle_loop_pick) != 0 && !ended_.empty()) need_turn();
}

const nb::object& Hub::nothing() {
  if (!nothing_) {
    nothing_ = make<Operation>(Gives::nothing, nb::object());
    Operation& operation = Operation::of(nothing_);
    operation.begin_here(nothing_, *this);
    operation.end(nb::none());
  }
  return nothing_;
}

void Hub::on_readable() {
  if (!is_turning_) take(coracle_loop_take);
  turn();
}

void Hub::turn() {
  is_due_ = false;
  if (is_turning_) return;
  is_turning_ = true;
  try {
    for (int steps = 0; steps < most_steps && !ended_.empty(); ++steps) {
      const nb::object operation = std::move(ended_.front());
      ended_.pop_front();
      Operation::of(operation).call_back(operation);
    }
  } catch (...) {  // of one callback; the others continue
    on_turned();
    throw;
  }
  on_turned();
}

void Hub::on_turned() {
  is_turning_ = false;
  if (!ended_.empty()) need_turn();
}

std::uint64_t Hub::name_stream(Port* port) {
  const std::uint64_t key = next_stream_;
  next_stream_ += 2;
  streams_.emplace(key, port);
  return key;
}

void Hub::close() {
  if (is_closed()) return;
  drop_begun(exception_of(CORACLE_STOPPED, "the node was closed before this had ended"));
  if (!ended_.empty()) need_turn();
}

void Hub::drop_begun(nb::handle exception) {
  coracle_loop_close(std::exchange(loop_, nullptr));
  while (begun_ != nullptr) {
    Operation& operation = *begun_;
    remove(operation);
    nb::object owned = nb::steal(operation.self);
    if (!exception || operation.is_done()) continue;
    operation.fail(nb::borrow(exception));
    ended_.push_back(std::move(owned));
  }
  turn_.reset();
}

void define_hub(nb::module_& module) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, (void*)Hub::traverse}, {Py_tp_clear, (void*)Hub::clear}, {0, nullptr}};
  nb::class_<Hub>(module, "Hub", nb::is_final(), nb::type_slots(slots))
      .def("__init__",
           [](nb::pointer_and_handle<Hub> self, nb::object asyncio_loop) {
             (new (self.p) Hub(std::move(asyncio_loop)))->self = self.h;
           })
      .def("descriptor", &Hub::descriptor)
      .def("turn", &Hub::turn)
      .def("on_readable", &Hub::on_readable)
      .def("close", &Hub::close)
      .def_rw("count", &Hub::count)
      .def_prop_ro("is_closed", &Hub::is_closed);
}

}  // namespace coracle::py
