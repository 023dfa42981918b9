#include "port.hpp"

#include "node.hpp"
#include "society.hpp"

namespace coracle::py {

coracle_match Wanted::match() const {
  coracle_match match{};
  match.size = sizeof match;
  match.from = text_of(from, "from_");
  match.type = text_of(type, "type");
  match.conversation = conversation;
  match.tap = tap;
  match.addressed = addressed;
  match.longest = span_of(within);
  return match;
}

Outgoing::Outgoing(nb::handle to, nb::handle content, nb::handle type) : content_(content, type) {
  post.size = sizeof post;
  content_.put_in(post);
  if (to.is_none()) return;
  if (PyUnicode_Check(to.ptr())) {
    post.to = text_of(to, "to");
  } else if (nb::isinstance<Message>(to)) {
    post.to_sender_of = Message::of(to).handle();
  } else {
    for (nb::handle each : nb::iter(to)) {
      kept_.push_back(nb::borrow(each));
      many_.push_back(text_of(each, "to"));
      if (many_.back() == nullptr) raise(CORACLE_BAD_ARGUMENT, "a name in `to` is None");
    }
    static const char* const nobody = nullptr;
    post.many = many_.empty() ? &nobody : many_.data();
    post.many_count = many_.size();
  }
}

void Outgoing::add(nb::handle group, std::uint64_t conversation, nb::handle reply_to,
                   nb::handle headers, nb::handle expires, nb::handle patience) {
  post.group = text_of(group, "group");
  post.conversation = conversation;
  post.reply_to = text_of(reply_to, "reply_to");
  post.expires = span_of(expires);
  post.patience = span_of(patience);
  if (headers.is_none()) return;
  for (auto [key, value] : nb::cast<nb::dict>(headers)) {
    kept_.push_back(nb::borrow(key));
    kept_.push_back(nb::borrow(value));
    headers_.push_back({text_of(key, "a header's key"), text_of(value, "a header's value")});
  }
  post.headers = headers_.data();
  post.header_count = headers_.size();
}

Port::Port(nb::object name, nb::object options)
    : name_(std::move(name)), options_(std::move(options)) {
  text_of(name_, "name");
}

Port::~Port() { close(); }

int Port::traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Port& my = of(self);
  Py_VISIT(my.options_.ptr());
  Py_VISIT(my.owner_.ptr());
  Py_VISIT(my.hub_owner_.ptr());
  for (const nb::object& each : my.receives_) Py_VISIT(each.ptr());
  return 0;
}

int Port::clear(PyObject* self) {
  Port& my = of(self);
  my.close();
  const nb::object options = std::move(my.options_), owner = std::move(my.owner_);
  return 0;
}

nb::object Port::open(nb::handle self, coracle_node* node, nb::object owner, nb::object hub) {
  if (is_open() || owner_) raise(CORACLE_BAD_ARGUMENT, "this agent has been started before");
  const AgentOptions options(name_, options_);
  if (!hub.is_none()) hub_ = &Hub::of(hub);
  hub_owner_ = std::move(hub);
  nb::object opened = begin(self, Gives::port, [&](coracle_port*, const coracle_begin* at) {
    return coracle_port_open(node, &options.given, nullptr, at);
  });
  owner_ = std::move(owner);
  return opened;
}

void Port::close() {
  coracle_port* const closed = std::exchange(handle_, nullptr);
  if (closed == nullptr) return;
  if (hub_ != nullptr) {
    close_stream();
    if (!receives_.empty())
      fail_receives(exception_of(CORACLE_STOPPED, "this agent has left the society"));
    {  // another thread, which stops the node, may have to call a function of Python before
      const nb::gil_scoped_release others_run;
      coracle_port_close(closed);
    }
    if (!hub_->is_closed()) hub_->pick();
  } else {
    const nb::gil_scoped_release others_run;
    coracle_port_close(closed);
  }
}

nb::object Port::send(nb::handle self, const Outgoing& outgoing) {
  if (hub_ != nullptr && outgoing.is_to_one()) {
    hub_->require_here();
    bool is_sent = false;
    check(coracle_try_send(handle_, &outgoing.post, &is_sent));
    hub_->pick();
    if (is_sent) return hub_->nothing();
  }
  return begin(self, Gives::nothing, [&](coracle_port* port, const coracle_begin* at) {
    return coracle_send(port, &outgoing.post, at);
  });
}

nb::object Port::reply(nb::handle self, const Message& request, const Outgoing& outgoing) {
  if (hub_ != nullptr) {
    hub_->require_here();
    bool is_sent = false;
    check(coracle_try_reply(handle_, request.handle(), &outgoing.post, &is_sent));
    hub_->pick();
    if (is_sent) return hub_->nothing();
  }
  return begin(self, Gives::nothing, [&](coracle_port* port, const coracle_begin* at) {
    return coracle_reply(port, request.handle(), &outgoing.post, at);
  });
}

nb::object Port::receive(nb::handle self, const Wanted& wanted, bool ends_iteration) {
  nb::object made = make<Operation>(Gives::message, nb::borrow(self));
  Operation::of(made).ends_iteration = ends_iteration;
  // A stream takes more memory than one receive, and less time.
  if (hub_ != nullptr && wanted.is_open() && std::exchange(has_received_, true))
    return receive_next(std::move(made));
  const coracle_match match = wanted.match();
  return begun(std::move(made), [&](const coracle_begin* at) {
    return coracle_receive(handle_, &match, nullptr, at);
  });
}

nb::object Port::receive_next(nb::object made) {
  hub_->require_here();
  if (stream_ == nullptr) open_stream();
  Operation::of(made).begin_here(made, *hub_);
  receives_.push_back(made);
  coracle_error* const error = coracle_stream_next(stream_);
  if (error != nullptr) {
    receives_.pop_back();
    raise(exception_of(error));
  }
  hub_->pick();
  return made;
}

void Port::open_stream() {
  stream_key_ = hub_->name_stream(this);
  const coracle_begin at{hub_->loop(), stream_key_};
  coracle_error* const error = coracle_stream_open(handle_, nullptr, &at, &stream_);
  if (error == nullptr) return;
  hub_->forget_stream(stream_key_);
  raise(exception_of(error));
}

void Port::close_stream() {
  if (stream_ == nullptr) return;
  hub_->forget_stream(stream_key_);
  coracle_stream_free(std::exchange(stream_, nullptr));
}

void Port::on_stream(coracle_event& event) {
  if (event.error != nullptr) {
    const nb::object exception = exception_of(std::exchange(event.error, nullptr));
    close_stream();
    return fail_receives(exception);
  }
  if (receives_.empty()) return Operation::drop(event);
  const nb::object first = std::move(receives_.front());
  receives_.erase(receives_.begin());
  Operation& operation = Operation::of(first);
  operation.on_event(event);
  if (operation.has_callbacks()) hub_->on_end(first);
}

void Port::fail_receives(nb::handle exception) {
  for (const nb::object& each : std::exchange(receives_, {})) {
    Operation::of(each).fail(nb::borrow(exception));
    if (Operation::of(each).has_callbacks()) hub_->on_end(each);
  }
}

// The stream cannot be asked for one less, so that another one takes its place.
void Port::forget(nb::handle operation) {
  if (std::erase_if(receives_, [&](const nb::object& each) { return each.is(operation); }) == 0)
    return;
  close_stream();
  if (receives_.empty()) return;
  open_stream();
  for (std::size_t each = 0; each < receives_.size(); ++each) check(coracle_stream_next(stream_));
  hub_->pick();
}

nb::object Port::try_receive(const Wanted& wanted) {
  if (hub_ != nullptr) hub_->require_here();
  const coracle_match match = wanted.match();
  coracle_message* message = nullptr;
  coracle_error* error = nullptr;
  if (hub_ != nullptr) {
    error = coracle_try_receive(handle_, &match, &message);
  } else {
    const nb::gil_scoped_release others_run;
    error = coracle_try_receive(handle_, &match, &message);
  }
  check(error);
  if (hub_ != nullptr) hub_->pick();
  return message == nullptr ? nb::none() : make<Message>(message, &in_hand_);
}

void Port::fail(nb::handle text) {
  const char* const why = text_of(text, "text");
  for (Message* each = in_hand_.first; each != nullptr;) {  // requests end with their reader
    Message& message = *each;
    each = message.after_;
    coracle_message_info info{};
    info.size = sizeof info;
    coracle_error* const gone = coracle_message_read(message.handle(), &info);
    coracle_error_free(gone);
    if (gone != nullptr || info.is_request) continue;
    message.leave_hand();
    coracle_error_free(coracle_message_give_back(std::exchange(message.handle_, nullptr)));
  }
  if (is_open()) check(coracle_port_fail(handle_, why));
}

}  // namespace coracle::py
