// Messages, receipts, and content as values of Python.
#pragma once

#include "errors.hpp"

namespace coracle::py {

class Message;

// The messages that a port has received and that still live: the port's agent may fail.
class InHand {
 public:
  InHand() = default;
  InHand(const InHand&) = delete;
  ~InHand();
  Message* first = nullptr;
};

class Message {
 public:
  Message(coracle_message* handle, InHand* whose);
  ~Message();
  Message(const Message&) = delete;
  static Message& of(nb::handle self) { return *nb::inst_ptr<Message>(self); }

  coracle_message* handle() const { return handle_; }
  coracle_message_info info() const;
  nb::object bytes() const;
  nb::object text() const;
  nb::object content() const;
  nb::dict headers() const;
  nb::object header(nb::handle key, nb::object otherwise) const;
  void give_back();
  void acknowledge() { check(coracle_message_acknowledge(handle_)); }
  void keep() { check(coracle_message_keep(handle_)); }
  void free();

 private:
  friend class InHand;
  friend class Port;
  void leave_hand();

  coracle_message* handle_;
  InHand* whose_;
  Message *before_ = nullptr, *after_ = nullptr;
};

struct Receipt {
  explicit Receipt(coracle_receipt* of, nb::object port) : handle(of), owner(std::move(port)) {}
  ~Receipt() { coracle_receipt_free(handle); }
  Receipt(const Receipt&) = delete;
  coracle_receipt* const handle;
  nb::object owner;  // the port that waits
};

void define_message(nb::module_& module);

}  // namespace coracle::py
