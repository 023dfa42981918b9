#include "message.hpp"

#include "content.hpp"
#include "overheard.hpp"

#include <cstring>

namespace coracle::py {

InHand::~InHand() {
  for (Message* each = first; each != nullptr; each = each->after_) each->whose_ = nullptr;
}

Message::Message(coracle_message* received, InHand* whose) : handle_(received), whose_(whose) {
  if (whose_ == nullptr) return;
  after_ = whose_->first;
  if (after_ != nullptr) after_->before_ = this;
  whose_->first = this;
}

Message::~Message() { free(); }

void Message::leave_hand() {
  if (whose_ != nullptr) {
    (before_ != nullptr ? before_->after_ : whose_->first) = after_;
    if (after_ != nullptr) after_->before_ = before_;
  }
  whose_ = nullptr;
}

void Message::free() {
  leave_hand();
  coracle_message_free(handle_);
  handle_ = nullptr;
}

coracle_message_info Message::info() const {
  coracle_message_info info{};
  info.size = sizeof info;
  check(coracle_message_read(handle_, &info));
  return info;
}

nb::object Message::bytes() const {
  const void* data = nullptr;
  std::size_t size = 0;
  check(coracle_message_content(handle_, &data, &size));
  return nb::bytes(data, size);
}

nb::object Message::text() const {
  const void* data = nullptr;
  std::size_t size = 0;
  check(coracle_message_content(handle_, &data, &size));
  PyObject* const text = PyUnicode_DecodeUTF8(static_cast<const char*>(data), size, "strict");
  if (text != nullptr) return nb::steal(text);
  PyErr_Clear();
  raise(CORACLE_BAD_ENCODING, "the content is not a text in UTF-8; read `bytes` instead");
}

nb::object Message::content() const {
  const coracle_message_info about = info();
  if (std::strncmp(about.type, "text/", 5) == 0) return text();
  if (std::strcmp(about.type, value_type) == 0) return from_cbor(about.content, about.content_size);
  return nb::bytes(about.content, about.content_size);
}

nb::dict Message::headers() const {
  nb::dict all;
  for (std::size_t each = 0;; ++each) {
    const char *key = nullptr, *value = nullptr;
    check(coracle_message_header_at(handle_, each, &key, &value));
    if (key == nullptr) return all;
    all[str_of(key)] = str_of(value);
  }
}

nb::object Message::header(nb::handle key, nb::object otherwise) const {
  const char* value = nullptr;
  check(coracle_message_header(handle_, text_of(key, "key"), &value));
  return value == nullptr ? otherwise : nb::object(str_of(value));
}

void Message::give_back() {
  check(coracle_message_give_back(handle_));
  leave_hand();
  handle_ = nullptr;
}

namespace {

nb::object repr(const Message& message) {
  if (message.handle() == nullptr) return nb::str("<coracle.Message that was given back>");
  const coracle_message_info info = message.info();
  PyObject* const text =
      PyUnicode_FromFormat("<coracle.Message from '%s' to '%s', %s, %zu bytes>", info.source,
                           info.target, info.type, info.content_size);
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

void define_envelope(nb::class_<Message>& message) {
  message
      .def_prop_ro(
          "source", [](const Message& m) { return str_of(m.info().source); },
          "The name of the agent that sent it.")
      .def_prop_ro(
          "target", [](const Message& m) { return str_of(m.info().target); },
          "The agent or the group to which it was sent.")
      .def_prop_ro(
          "type", [](const Message& m) { return str_of(m.info().type); },
          "The type of the content, for example \"text/plain\".")
      .def_prop_ro(
          "reply_to",
          [](const Message& m) -> nb::object {
            const char* const name = m.info().reply_to;
            return *name == 0 ? nb::none() : nb::object(str_of(name));
          },
          "The agent to which replies shall go, if it is not the source.")
      .def_prop_ro(
          "conversation", [](const Message& m) { return m.info().conversation; },
          "The number that a request and its reply share.")
      .def_prop_ro(
          "sequence", [](const Message& m) { return m.info().sequence; },
          "Counts the messages of the source.")
      .def_prop_ro(
          "is_request", [](const Message& m) { return m.info().is_request; },
          "Whether the sender waits for a reply.")
      .def_prop_ro(
          "redelivered", [](const Message& m) { return m.info().redelivered; },
          "Whether it may have been read before.")
      .def_prop_ro(
          "earlier", [](const Message& m) { return m.info().earlier; },
          "Whether it was sent to a group before this agent joined.")
      .def_prop_ro("headers", &Message::headers, "The headers as a dict.")
      .def("header", &Message::header, nb::arg("key"), nb::arg("default") = nb::none(),
           "The value of a header.");
}

void define_content(nb::class_<Message>& message) {
  message
      .def_prop_ro("content", &Message::content,
                   "A str for text, a value for \"application/cbor\", and otherwise bytes.")
      .def_prop_ro("bytes", &Message::bytes, "The content as bytes.")
      .def_prop_ro("text", &Message::text, "The content as a str.")
      .def("_value",
           [](const Message& m) {
             const coracle_message_info info = m.info();
             return from_cbor(info.content, info.content_size);
           })
      .def(
          "value",
          [](nb::handle self, nb::handle type) {
            const nb::object found = self.attr("_value")();
            if (type.is_none()) return found;
            return nb::module_::import_("coracle._typed").attr("build")(type, found);
          },
          nb::arg("type") = nb::none(),
          "The content as a value; with a dataclass, an object of it.\n\nFails with BadEncoding "
          "when the content is not CBOR, and with WrongType when it does not fit.");
}

}  // namespace

void define_message(nb::module_& module) {
  nb::class_<Message> message(
      module, "Message", nb::is_final(),
      "A message that was received.\n\nIt is acknowledged when the program keeps no reference to "
      "it, or by acknowledge().\nA request that ends so without a reply tells its sender that it "
      "is unanswered.");
  define_envelope(message);
  define_overheard(message);
  define_content(message);
  message
      .def("acknowledge", &Message::acknowledge, "Consumes the message now; it can still be read.")
      .def("give_back", &Message::give_back, "Puts the message back into its mailbox.")
      .def("keep_open", &Message::keep,
           "Keeps a request open when this object ends: another agent will reply.")
      .def("free", &Message::free, "Acknowledges the message now; it cannot be read afterwards.")
      .def("__repr__", &repr);
}

}  // namespace coracle::py
