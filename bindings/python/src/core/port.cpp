#include "port.hpp"

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
  coracle_agent_options options{};
  options.size = sizeof options;
  options.name = text_of(name_, "name");
  std::vector<coracle_property> properties;
  if (PyDict_Check(options_.ptr())) {
    const nb::dict given = nb::borrow<nb::dict>(options_);
    const auto number = [&](const char* key) {
      return given.contains(key) ? nb::cast<std::uint64_t>(nb::int_(nb::handle(given[key]))) : 0;
    };
    options.mailbox_messages = std::uint32_t(number("mailbox_messages"));
    options.mailbox_bytes = number("mailbox_bytes");
    options.overflow = coracle_overflow(number("overflow"));
    options.take_over = number("take_over") != 0;
    if (given.contains("redirect")) options.redirect = text_of(given["redirect"], "redirect");
    if (given.contains("properties")) properties = properties_of(given["properties"]);
    options.properties = properties.data();
    options.property_count = properties.size();
  }
  if (!hub.is_none()) hub_ = &Hub::of(hub);
  hub_owner_ = std::move(hub);
  nb::object opened = begin(self, Gives::port, [&](coracle_port*, const coracle_begin* at) {
    return coracle_port_open(node, &options, nullptr, at);
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
    coracle_port_close(closed);
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
    hub_->on_end(each);
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

nb::list Port::drop_in_hand(nb::handle self, nb::handle reason) {
  nb::list refusals;
  const char* const text = text_of(reason, "reason");
  while (in_hand_.first != nullptr) {
    Message& message = *in_hand_.first;
    message.leave_hand();
    coracle_message_info info{};
    info.size = sizeof info;
    coracle_error* const gone = coracle_message_read(message.handle(), &info);
    coracle_error_free(gone);
    if (gone != nullptr) continue;
    if (!info.is_request) {
      coracle_error_free(coracle_message_give_back(std::exchange(message.handle_, nullptr)));
      continue;
    }
    refusals.append(begin(self, Gives::nothing, [&](coracle_port* port, const coracle_begin* at) {
      return coracle_refuse(port, message.handle(), text, at);
    }));
  }
  return refusals;
}

namespace {

#define WANTED_ARGUMENTS                                                                    \
  nb::kw_only(), nb::arg("from_") = nb::none(), nb::arg("type") = nb::none(),               \
      nb::arg("conversation") = 0, nb::arg("tap") = 0, nb::arg("addressed") = false,        \
      nb::arg("within") = nb::none()

#define POST_ARGUMENTS                                                                      \
  nb::arg("to") = nb::none(), nb::arg("content") = "", nb::kw_only(),                       \
      nb::arg("group") = nb::none(), nb::arg("type") = nb::none(), nb::arg("conversation") = 0, \
      nb::arg("reply_to") = nb::none(), nb::arg("headers") = nb::none(),                    \
      nb::arg("expires") = nb::none(), nb::arg("patience") = nb::none()

void define_sends(nb::class_<Port>& port) {
  port.def("send",
      [](nb::handle self, nb::handle to, nb::handle content, nb::handle group, nb::handle type,
         std::uint64_t conversation, nb::handle reply_to, nb::handle headers, nb::handle expires,
         nb::handle patience) {
        Outgoing outgoing(to, content, type);
        outgoing.add(group, conversation, reply_to, headers, expires, patience);
        return Port::of(self).send(self, outgoing);
      }, POST_ARGUMENTS,
      "Sends to an agent, to the sender of a message, to each agent of a list, or to a group.\n\n"
      "It ends when every mailbox has taken the message. `content` may be a str, bytes, or a value "
      "of dicts,\nlists and dataclasses. Times are in seconds.")
      .def("track",
      [](nb::handle self, nb::handle to, nb::handle content, nb::handle group, nb::handle type,
         std::uint64_t conversation, nb::handle reply_to, nb::handle headers, nb::handle expires,
         nb::handle patience) {
        Outgoing outgoing(to, content, type);
        outgoing.add(group, conversation, reply_to, headers, expires, patience);
        return Port::of(self).begin(self, Gives::receipt,
            [&](coracle_port* from, const coracle_begin* at) {
              return coracle_track(from, &outgoing.post, nullptr, at);
            });
      }, POST_ARGUMENTS, "Sends as send() does, and gives a Receipt.")
      .def("ask",
      [](nb::handle self, nb::handle to, nb::handle content, nb::handle type, nb::handle within) {
        const Outgoing outgoing(to, content, type);
        return Port::of(self).begin(self, Gives::message,
            [&](coracle_port* from, const coracle_begin* at) {
              return coracle_ask(from, &outgoing.post, span_of(within), nullptr, at);
            });
      }, nb::arg("to"), nb::arg("content") = "", nb::kw_only(), nb::arg("type") = nb::none(),
      nb::arg("within") = nb::none(),
      "Sends a request to one agent, and gives its reply.\n\nFails with Expired after `within` "
      "seconds, with Refused, or with Unanswered when the other\nagent keeps the request no longer.")
      .def("reply",
      [](nb::handle self, const Message& request, nb::handle content, nb::handle type) {
        const Outgoing outgoing(nb::none(), content, type);
        return Port::of(self).reply(self, request, outgoing);
      }, nb::arg("request"), nb::arg("content") = "", nb::kw_only(), nb::arg("type") = nb::none(),
      "Replies to a request.")
      .def("refuse",
      [](nb::handle self, const Message& request, nb::handle reason) {
        const char* const text = text_of(reason, "reason");
        return Port::of(self).begin(self, Gives::nothing,
            [&](coracle_port* from, const coracle_begin* at) {
              return coracle_refuse(from, request.handle(), text, at);
            });
      }, nb::arg("request"), nb::arg("reason"),
      "Refuses a request; its sender is told the reason.");
}

void define_receives(nb::class_<Port>& port) {
  port.def("receive",
      [](nb::handle self, nb::handle from, nb::handle type, std::uint64_t conversation,
         std::uint64_t tap, bool addressed, nb::handle within) {
        const Wanted wanted{from, type, within, conversation, tap, addressed};
        return Port::of(self).receive(self, wanted, false);
      }, WANTED_ARGUMENTS,
      "Receives the oldest message that fits all conditions; None if none came within that time.")
      .def("_next",
      [](nb::handle self, nb::handle from, nb::handle type, std::uint64_t conversation,
         std::uint64_t tap, bool addressed, nb::handle within) {
        const Wanted wanted{from, type, within, conversation, tap, addressed};
        return Port::of(self).receive(self, wanted, true);
      }, WANTED_ARGUMENTS)
      .def("try_receive",
      [](Port& self, nb::handle from, nb::handle type, std::uint64_t conversation,
         std::uint64_t tap, bool addressed) {
        return self.try_receive({from, type, nb::none(), conversation, tap, addressed});
      }, nb::kw_only(), nb::arg("from_") = nb::none(), nb::arg("type") = nb::none(),
      nb::arg("conversation") = 0, nb::arg("tap") = 0, nb::arg("addressed") = false,
      "The oldest message that fits, or None; it does not wait.")
      .def("receive_many",
      [](nb::handle self, std::size_t most, nb::handle from, nb::handle type,
         std::uint64_t conversation, std::uint64_t tap, bool addressed, nb::handle within) {
        const coracle_match match =
            Wanted{from, type, within, conversation, tap, addressed}.match();
        return Port::of(self).begin(self, Gives::batch,
            [&](coracle_port* me, const coracle_begin* at) {
              return coracle_receive_many(me, &match, most, nullptr, at);
            });
      }, nb::arg("most") = 1024, WANTED_ARGUMENTS,
      "Receives all messages that fit, up to `most`, as a list; waits for the first one.")
      .def("new_conversation", [](nb::handle self) {
        return Port::of(self).begin(self, Gives::number,
            [](coracle_port* me, const coracle_begin* at) {
              return coracle_new_conversation(me, nullptr, at);
            });
      }, "The number of a conversation that nobody else uses.");
}

}  // namespace

void define_port(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, (void*)Port::traverse},
                                {Py_tp_clear, (void*)Port::clear},
                                {0, nullptr}};
  nb::class_<Port> port(module, "Port", nb::type_slots(slots), nb::is_weak_referenceable());
  port.def(nb::init<nb::object, nb::object>(), nb::arg("name"), nb::arg("options") = nb::none())
      .def_prop_ro("name", &Port::name, "The name in the society.")
      .def_prop_ro("is_open", &Port::is_open, "Whether this agent is in the society.")
      .def("close", &Port::close, "Leaves the society; unread messages stay for the next holder.")
      .def_rw("_waits", &Port::waits)
      .def("_drop_in_hand", [](nb::handle self, nb::handle reason) {
        return Port::of(self).drop_in_hand(self, reason);
      });
  define_sends(port);
  define_receives(port);
  define_society(port);
  define_tuples(port);
  // The same, for types: its calls give results, not operations.
  nb::class_<BlockingPort, Port>(module, "BlockingPort")
      .def(nb::init<nb::object, nb::object>(), nb::arg("name"), nb::arg("options") = nb::none());
  nb::class_<Receipt>(module, "Receipt", nb::is_final(), "Tells how far a message has come.")
      .def("reached", [](const Receipt& self, coracle_stage stage, nb::handle within) {
             return Port::of(self.owner).begin(self.owner, Gives::truth,
                 [&](coracle_port*, const coracle_begin* at) {
                   return coracle_receipt_reached(self.handle, stage, span_of(within), nullptr, at);
                 });
           }, nb::arg("stage") = CORACLE_CONSUMED, nb::arg("within") = nb::none(),
           "Waits until the message has reached the stage at every target: then True.\n\nFalse when "
           "it will not come that far, or did not within that time.");
}

}  // namespace coracle::py
