#include "role.hpp"

namespace coracle::py {

namespace {

// An object that answers later: a coroutine, an async generator, a future.
bool is_later(nb::handle returned) {
  if (PyCoro_CheckExact(returned.ptr()) || PyAsyncGen_CheckExact(returned.ptr())) return true;
  const PyAsyncMethods* const methods = Py_TYPE(returned.ptr())->tp_as_async;
  return methods != nullptr && methods->am_await != nullptr;
}

}  // namespace

Role::Role(nb::object name, nb::object options)
    : name_(std::move(name)), options_(std::move(options)) {
  text_of(name_, "name");
}

int Role::traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Role& my = of(self);
  Py_VISIT(my.options_.ptr());
  Py_VISIT(my.hub_owner_.ptr());
  Py_VISIT(my.context_.ptr());
  return 0;
}

int Role::clear(PyObject* self) {
  Role& my = of(self);
  my.close();
  const nb::object options = std::move(my.options_), hub = std::move(my.hub_owner_),
                   context = std::move(my.context_);
  return 0;
}

void Role::prepare(nb::object hub, nb::object takes, nb::object gives) {
  hub_owner_ = std::move(hub);
  takes_ = std::move(takes);
  gives_ = std::move(gives);
  context_ = nb::steal(PyContext_CopyCurrent());
}

Hub& Role::hub() const {
  if (!hub_owner_) raise(CORACLE_BAD_HANDLE, "this role was not started; use node.start()");
  return Hub::of(hub_owner_);
}

bool Role::is_here() const { return hub().is_here(); }

bool Role::has(const char* function) const {
  return !nb::hasattr(self.attr(function), "_is_default");
}

nb::object Role::taken(const void* data, std::size_t size, const char* what) const {
  return fit(takes_, from_cbor(data, size), what);
}

nb::object Role::given(nb::handle value, const char* what) const {
  return fit(gives_, nb::borrow(value), what);
}

nb::object Role::call_in_context(nb::handle function, nb::handle arguments) {
  const bool is_entered = PyContext_Enter(context_.ptr()) == 0;
  if (!is_entered) PyErr_Clear();  // by a call that is under way
  PyObject* const returned = PyObject_Call(self.attr(function).ptr(), arguments.ptr(), nullptr);
  if (is_entered) {
    nb::error_scope keep;
    if (PyContext_Exit(context_.ptr()) != 0) PyErr_Clear();
  }
  if (returned == nullptr) throw nb::python_error();
  return nb::steal(returned);
}

void Role::call(nb::handle function, nb::handle arguments, nb::handle question) {
  if (!is_here()) {  // the thread that stops the node
    hub().asyncio_loop().attr("call_soon_threadsafe")(self.attr("_call"), function, arguments,
                                                      question);
    return;
  }
  try {
    const nb::object returned = call_in_context(function, arguments);
    if (is_later(returned))
      (void)call_in_context(nb::str("_answer_later"), nb::make_tuple(question, returned));
    else if (!question.is_none()) Question::of(question).answer(returned);
  } catch (nb::python_error& error) {
    self.attr("_on_error")(question, error.value());
  }
}

void Role::end(nb::object failure) {
  if (failure.is_none() && current_ == nullptr && !open_questions_.empty()) {
    for (Question* const each : open_questions_) check(coracle_question_end(each->handle()));
    return;
  }
  wants_end_ = true;
  failure_ = std::move(failure);
  if (current_ == nullptr || !is_here()) return;
  wants_end_ = false;
  check(coracle_agent_end(current_, failure_.is_none() ? nullptr : text_of(failure_, "failure")));
}

void Role::on_end() {
  if (is_here()) self.attr("_on_end")();
  else hub().asyncio_loop().attr("call_soon_threadsafe")(self.attr("_on_end"));
}

Called::Called(void* context, coracle_agent* agent, Find find) : role_(find(context, agent)) {
  if (role_ == nullptr) return;
  owner_ = nb::borrow(role_->self);
  if (agent == nullptr || role_->current_ != nullptr || !role_->is_here()) return;
  role_->current_ = agent;
  is_current_ = true;
  if (role_->wants_end_) guarded([&] { role_->end(role_->failure_); });
}

Called::~Called() {
  if (is_current_) role_->current_ = nullptr;
}

void end_link(void* context) {
  const nb::gil_scoped_acquire held;
  const std::unique_ptr<Link> link(static_cast<Link*>(context));
  if (link->role == nullptr) return;
  const nb::object role = nb::borrow(link->role->self);
  Called::guarded([&] {
    link->node->forget(*link);
    Role::of(role).on_end();
  });
}

void define_role(nb::module_& module) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, (void*)Role::traverse}, {Py_tp_clear, (void*)Role::clear}, {0, nullptr}};
  nb::class_<Role>(module, "Role", nb::type_slots(slots), nb::is_weak_referenceable())
      .def(
          "__init__",
          [](nb::pointer_and_handle<Role> self, nb::object name, nb::object options) {
            (new (self.p) Role(std::move(name), std::move(options)))->self = self.h;
          },
          nb::arg("name"), nb::arg("options") = nb::none())
      .def_prop_ro(
          "name", [](const Role& role) { return role.name(); }, "The name of its agent.")
      .def("_prepare", &Role::prepare, nb::arg("hub"), nb::arg("takes").none(),
           nb::arg("gives").none())
      .def("_call", &Role::call, nb::arg("function"), nb::arg("arguments"),
           nb::arg("question").none())
      .def("_end", &Role::end, nb::arg("failure").none())
      .def("_close", &Role::close);
}

}  // namespace coracle::py
