// The functions of a port, as Python sees them.
#include "port.hpp"
#include "roles/calls.hpp"
#include "society.hpp"

namespace coracle::py {

namespace {

#define WANTED_ARGUMENTS                                                                        \
  nb::kw_only(), nb::arg("from_") = nb::none(), nb::arg("type") = nb::none(),                   \
                 nb::arg("conversation") = 0, nb::arg("tap") = 0, nb::arg("addressed") = false, \
                 nb::arg("within") = nb::none()

#define POST_ARGUMENTS                                                                      \
  nb::arg("to") = nb::none(), nb::arg("content") = "", nb::kw_only(),                       \
  nb::arg("group") = nb::none(), nb::arg("type") = nb::none(), nb::arg("conversation") = 0, \
  nb::arg("reply_to") = nb::none(), nb::arg("headers") = nb::none(),                        \
  nb::arg("expires") = nb::none(), nb::arg("patience") = nb::none()

void define_sends(nb::class_<Port>& port) {
  port.def(
          "send",
          [](nb::handle self, nb::handle to, nb::handle content, nb::handle group, nb::handle type,
             std::uint64_t conversation, nb::handle reply_to, nb::handle headers,
             nb::handle expires, nb::handle patience) {
            Outgoing outgoing(to, content, type);
            outgoing.add(group, conversation, reply_to, headers, expires, patience);
            return Port::of(self).send(self, outgoing);
          },
          POST_ARGUMENTS,
          "Sends to an agent, to the sender of a message, to each agent of a list, or to a "
          "group.\n\n"
          "It ends when every mailbox has taken the message. `content` may be a str, bytes, or a "
          "value "
          "of dicts,\nlists and dataclasses. Times are in seconds.")
      .def(
          "track",
          [](nb::handle self, nb::handle to, nb::handle content, nb::handle group, nb::handle type,
             std::uint64_t conversation, nb::handle reply_to, nb::handle headers,
             nb::handle expires, nb::handle patience) {
            Outgoing outgoing(to, content, type);
            outgoing.add(group, conversation, reply_to, headers, expires, patience);
            return Port::of(self).begin(self, Gives::receipt,
                                        [&](coracle_port* from, const coracle_begin* at) {
                                          return coracle_track(from, &outgoing.post, nullptr, at);
                                        });
          },
          POST_ARGUMENTS, "Sends as send() does, and gives a Receipt.")
      .def(
          "ask",
          [](nb::handle self, nb::handle to, nb::handle content, nb::handle type,
             nb::handle within) {
            const Outgoing outgoing(to, content, type);
            return Port::of(self).begin(
                self, Gives::message, [&](coracle_port* from, const coracle_begin* at) {
                  return coracle_ask(from, &outgoing.post, span_of(within), nullptr, at);
                });
          },
          nb::arg("to"), nb::arg("content") = "", nb::kw_only(), nb::arg("type") = nb::none(),
          nb::arg("within") = nb::none(),
          "Sends a request to one agent, and gives its reply.\n\nFails with Expired after `within` "
          "seconds, with Refused, or with Unanswered when the other\nagent keeps the request no "
          "longer.")
      .def(
          "reply",
          [](nb::handle self, const Message& request, nb::handle content, nb::handle type) {
            const Outgoing outgoing(nb::none(), content, type);
            return Port::of(self).reply(self, request, outgoing);
          },
          nb::arg("request"), nb::arg("content") = "", nb::kw_only(), nb::arg("type") = nb::none(),
          "Replies to a request.")
      .def(
          "refuse",
          [](nb::handle self, const Message& request, nb::handle reason) {
            const char* const text = text_of(reason, "reason");
            return Port::of(self).begin(self, Gives::nothing,
                                        [&](coracle_port* from, const coracle_begin* at) {
                                          return coracle_refuse(from, request.handle(), text, at);
                                        });
          },
          nb::arg("request"), nb::arg("reason"),
          "Refuses a request; its sender is told the reason.");
}

void define_receives(nb::class_<Port>& port) {
  port.def(
          "receive",
          [](nb::handle self, nb::handle from, nb::handle type, std::uint64_t conversation,
             std::uint64_t tap, bool addressed, nb::handle within) {
            const Wanted wanted{from, type, within, conversation, tap, addressed};
            return Port::of(self).receive(self, wanted, false);
          },
          WANTED_ARGUMENTS,
          "Receives the oldest message that fits all conditions; None if none came within that "
          "time.")
      .def(
          "_next",
          [](nb::handle self, nb::handle from, nb::handle type, std::uint64_t conversation,
             std::uint64_t tap, bool addressed, nb::handle within) {
            const Wanted wanted{from, type, within, conversation, tap, addressed};
            return Port::of(self).receive(self, wanted, true);
          },
          WANTED_ARGUMENTS)
      .def(
          "try_receive",
          [](Port& self, nb::handle from, nb::handle type, std::uint64_t conversation,
             std::uint64_t tap, bool addressed) {
            return self.try_receive({from, type, nb::none(), conversation, tap, addressed});
          },
          nb::kw_only(), nb::arg("from_") = nb::none(), nb::arg("type") = nb::none(),
          nb::arg("conversation") = 0, nb::arg("tap") = 0, nb::arg("addressed") = false,
          "The oldest message that fits, or None; it does not wait.")
      .def(
          "receive_many",
          [](nb::handle self, std::size_t most, nb::handle from, nb::handle type,
             std::uint64_t conversation, std::uint64_t tap, bool addressed, nb::handle within) {
            const coracle_match match =
                Wanted{from, type, within, conversation, tap, addressed}.match();
            return Port::of(self).begin(
                self, Gives::batch, [&](coracle_port* me, const coracle_begin* at) {
                  return coracle_receive_many(me, &match, most, nullptr, at);
                });
          },
          nb::arg("most") = 1024, WANTED_ARGUMENTS,
          "Receives all messages that fit, up to `most`, as a list; waits for the first one.")
      .def(
          "new_conversation",
          [](nb::handle self) {
            return Port::of(self).begin(self, Gives::number,
                                        [](coracle_port* me, const coracle_begin* at) {
                                          return coracle_new_conversation(me, nullptr, at);
                                        });
          },
          "The number of a conversation that nobody else uses.");
}

}  // namespace

void define_port(nb::module_& module) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, (void*)Port::traverse}, {Py_tp_clear, (void*)Port::clear}, {0, nullptr}};
  nb::class_<Port> port(module, "Port", nb::type_slots(slots), nb::is_weak_referenceable());
  port.def(nb::init<nb::object, nb::object>(), nb::arg("name"), nb::arg("options") = nb::none())
      .def_prop_ro("name", &Port::name, "The name in the society.")
      .def_prop_ro("is_open", &Port::is_open, "Whether this agent is in the society.")
      .def("close", &Port::close, "Leaves the society; unread messages stay for the next holder.")
      .def_rw("_waits", &Port::waits)
      .def("_fail", &Port::fail);
  define_sends(port);
  define_receives(port);
  define_society(port);
  define_tuples(port);
  define_calls(port);
  define_decisions(port);
  // The same, for types: its calls give results, not operations.
  nb::class_<BlockingPort, Port>(module, "BlockingPort")
      .def(nb::init<nb::object, nb::object>(), nb::arg("name"), nb::arg("options") = nb::none());
  nb::class_<Receipt>(module, "Receipt", nb::is_final(), "Tells how far a message has come.")
      .def(
          "reached",
          [](const Receipt& self, coracle_stage stage, nb::handle within) {
            return Port::of(self.owner)
                .begin(self.owner, Gives::truth, [&](coracle_port*, const coracle_begin* at) {
                  return coracle_receipt_reached(self.handle, stage, span_of(within), nullptr, at);
                });
          },
          nb::arg("stage") = CORACLE_CONSUMED, nb::arg("within") = nb::none(),
          "Waits until the message has reached the stage at every target: then True.\n\nFalse when "
          "it will not come that far, or did not within that time.");
}

}  // namespace coracle::py
