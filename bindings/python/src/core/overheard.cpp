#include "overheard.hpp"

namespace coracle::py {

namespace {

PyObject* notice_type = nullptr;  // the interpreter's end takes it

// Zero is none.
template <class Enum>
nb::object some(Enum value) {
  return int(value) == 0 ? nb::none() : nb::cast(value);
}

nb::object notice_of(const Message& message) {
  const coracle_message_info info = message.info();
  if (info.notice == CORACLE_NO_NOTICE) return nb::none();
  return nb::handle(notice_type)(info.notice, some(info.outcome), some(info.drop_reason),
                                 str_of(info.receiver));
}

}  // namespace

void define_overheard(nb::class_<Message>& message) {
  message
      .def_prop_ro(
          "tap", [](const Message& m) { return m.info().tap; },
          "The number of the tap that overheard it; 0 if it was addressed.")
      .def_prop_ro(
          "gap", [](const Message& m) { return m.info().gap; },
          "Of a gap marker: the number of copies that are missing before the next one.")
      .def_prop_ro(
          "gap_reason", [](const Message& m) { return some(m.info().gap_reason); },
          "Of a gap marker: the GapReason; otherwise None.")
      .def_prop_ro("notice", &notice_of,
                   "The Notice of what has become of a message that was overheard; None if this is "
                   "no notice.")
      .def_prop_ro(
          "kind", [](const Message& m) { return m.info().copied_kind; },
          "Of a copy: the MessageKind of the message that was overheard; otherwise PLAIN.");
}

void define_overheard_values(nb::module_& module) {
  module.def("_set_notice", [](nb::object type) {
    Py_XDECREF(notice_type);
    notice_type = type.release().ptr();
  });
  nb::enum_<coracle_gap_reason>(module, "GapReason", nb::is_arithmetic(),
                                "The reason for which copies are missing.")
      .value("MAILBOX", CORACLE_GAP_MAILBOX, "Too many copies were waiting.")
      .value("RATE", CORACLE_GAP_RATE, "The rate of the tap was exceeded.")
      .value("NOTICES", CORACLE_GAP_NOTICES, "Notices are missing, and no copies.")
      .value("UNKNOWN", CORACLE_GAP_UNKNOWN, "A node has died, or is out of reach.");
  nb::enum_<coracle_notice>(module, "NoticeStage", nb::is_arithmetic(),
                            "How far a message has come that was overheard.")
      .value("KEPT", CORACLE_NOTICE_KEPT, "It is in the mailbox of an agent that is there.")
      .value("HANDED_OUT", CORACLE_NOTICE_HANDED_OUT, "An agent has received it.")
      .value("ENDED", CORACLE_NOTICE_ENDED, "It has its outcome.");
  nb::enum_<coracle_outcome>(module, "Outcome", nb::is_arithmetic(), "How a message has ended.")
      .value("CONSUMED", CORACLE_OUTCOME_CONSUMED)
      .value("EXPIRED", CORACLE_OUTCOME_EXPIRED)
      .value("REFUSED", CORACLE_OUTCOME_REFUSED)
      .value("UNDELIVERABLE", CORACLE_OUTCOME_UNDELIVERABLE)
      .value("DROPPED", CORACLE_OUTCOME_DROPPED)
      .value("STORE_LOST", CORACLE_OUTCOME_STORE_LOST);
  nb::enum_<coracle_drop_reason>(module, "DropReason", nb::is_arithmetic(),
                                 "Why a message was dropped.")
      .value("OLDEST", CORACLE_DROPPED_OLDEST)
      .value("NEWEST", CORACLE_DROPPED_NEWEST)
      .value("REPLACED", CORACLE_DROPPED_REPLACED)
      .value("LATE_REPLY", CORACLE_DROPPED_LATE_REPLY)
      .value("RECEIVER_GONE", CORACLE_DROPPED_RECEIVER_GONE);
  nb::enum_<coracle_copied_kind>(module, "MessageKind", nb::is_arithmetic(),
                                 "The kinds of messages that were overheard.")
      .value("PLAIN", CORACLE_COPIED_PLAIN)
      .value("REQUEST", CORACLE_COPIED_REQUEST)
      .value("REPLY", CORACLE_COPIED_REPLY)
      .value("FAILURE", CORACLE_COPIED_FAILURE, "A reply that says why there is none.");
}

}  // namespace coracle::py
