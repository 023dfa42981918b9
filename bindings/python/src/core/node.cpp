#include "node.hpp"

#include "port.hpp"
#include "roles/role.hpp"
#include "society.hpp"

#include <csignal>

namespace coracle::py {

Node* Node::first_ = nullptr;

namespace {

// Threads that begin here get no signals, which the main thread shall see.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

AgentOptions::AgentOptions(nb::handle name, nb::handle dict) {
  given.size = sizeof given;
  given.name = text_of(name, "name");
  if (!PyDict_Check(dict.ptr())) return;
  const auto find = [&](const char* key) {
    const nb::handle found = PyDict_GetItemString(dict.ptr(), key);
    return found ? found : nb::handle(Py_None);
  };
  const auto number = [&](const char* key) {
    const nb::handle found = find(key);
    return found.is_none() ? 0 : nb::cast<std::uint64_t>(nb::int_(found));
  };
  given.mailbox_messages = std::uint32_t(number("mailbox_messages"));
  given.mailbox_bytes = number("mailbox_bytes");
  given.overflow = coracle_overflow(number("overflow"));
  given.take_over = number("take_over") != 0;
  given.redirect = text_of(find("redirect"), "redirect");
  properties_ = properties_of(find("properties"));
  given.properties = properties_.data();
  given.property_count = properties_.size();
}

Node::Node(nb::handle realization, nb::handle identity, unsigned workers, std::size_t content_limit,
           nb::handle connect_time, nb::handle patience, nb::object hub)
    : hub_(std::move(hub)) {
  coracle_node_options options{};
  options.size = sizeof options;
  options.realization = text_of(realization, "realization");
  options.identity = text_of(identity, "identity");
  options.workers = workers;
  options.content_limit = content_limit;
  options.connect_time = span_of(connect_time);
  options.patience = span_of(patience);
  is_run_by_loop_ = !hub_.is_none() && workers == 0;
  if (is_run_by_loop_) options.loop = Hub::of(hub_).loop();
  coracle_error* error = nullptr;
  {
    const nb::gil_scoped_release others_run;
    const SignalsElsewhere here;
    error = coracle_node_open(&options, &handle_);
  }
  check(error);
  after_ = first_;
  if (after_ != nullptr) after_->before_ = this;
  first_ = this;
}

Node::~Node() { close(); }

coracle_node* Node::handle() const {
  if (handle_ == nullptr) raise(CORACLE_BAD_HANDLE, "this node is closed; open another one");
  return handle_;
}

coracle_node* Node::handle_of_loop() const {
  if (!is_run_by_loop_) {
    raise(CORACLE_UNSUPPORTED,
          "a role needs a node that the asyncio loop runs: open coracle.Node() without `workers`");
  }
  return handle();
}

void Node::keep(Link& link, Role& role) {
  link.node = this;
  link.role = &role;
  link.role->self.inc_ref();
  links_.insert(&link);
}

void Node::forget(Link& link) {
  const Role* const role = std::exchange(link.role, nullptr);
  links_.erase(&link);
  link.clear();
  if (role != nullptr) role->self.dec_ref();
}

nb::object Node::open_port(nb::handle self, nb::handle port) {
  return Port::of(port).open(port, handle(), nb::borrow(self), hub_);
}

void Node::start_space(nb::handle name) {
  coracle_agent_options options{};
  options.size = sizeof options;
  options.name = text_of(name, "name");
  coracle_node* const on = handle();
  coracle_error* error = nullptr;
  {
    const nb::gil_scoped_release others_run;
    error = coracle_space_start(on, &options);
  }
  check(error);
}

nb::tuple Node::stop(nb::handle within) {
  const coracle_span longest = span_of(within);
  coracle_stop_report report{};
  report.size = sizeof report;
  coracle_node* const stopped = handle();
  coracle_error* error = nullptr;
  {
    const nb::gil_scoped_release others_run;
    error = coracle_node_stop(stopped, longest, &report);
  }
  check(error);
  return nb::make_tuple(report.clean, report.still_alive, report.undelivered, report.kept,
                        str_of(report.text));
}

void Node::close() {
  coracle_node* const closed = std::exchange(handle_, nullptr);
  if (closed == nullptr) return;
  (before_ != nullptr ? before_->after_ : first_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
  {
    const nb::gil_scoped_release others_run;
    coracle_node_close(closed);
  }
  while (!links_.empty()) {  // roles that never ran
    Link& link = **links_.begin();
    const nb::object role = nb::borrow(link.role->self);
    forget(link);
    Role::of(role).on_end();
  }
}

void Node::close_all() {
  while (first_ != nullptr) first_->close();
}

void define_node(nb::module_& module) {
  nb::class_<Node>(module, "Node", nb::is_final())
      .def(nb::init<nb::handle, nb::handle, unsigned, std::size_t, nb::handle, nb::handle,
                    nb::object>(),
           nb::arg("realization").none(), nb::arg("identity").none(), nb::arg("workers"),
           nb::arg("content_limit"), nb::arg("connect_time").none(), nb::arg("patience").none(),
           nb::arg("hub").none())
      .def("open_port",
           [](nb::handle self, nb::handle port) {
             return nb::inst_ptr<Node>(self)->open_port(self, port);
           })
      .def("start_space", &Node::start_space)
      .def("stop", &Node::stop, nb::arg("within").none())
      .def("close", &Node::close);
  module.def("_close_all", &Node::close_all);
  module.def(
      "version", [] { return str_of(coracle_version()); }, "The version of the library.");
}

}  // namespace coracle::py
