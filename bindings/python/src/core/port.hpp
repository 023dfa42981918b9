// A port: an agent for which Python acts. It belongs to an asyncio loop, or its calls wait.
#pragma once

#include "content.hpp"
#include "hub.hpp"
#include "message.hpp"

#include <string>
#include <vector>

namespace coracle::py {

// The wishes of a receive, as Python gives them.
struct Wanted {
  nb::handle from, type, within;
  std::uint64_t conversation = 0, tap = 0;
  bool addressed = false;

  bool is_open() const {
    return from.is_none() && type.is_none() && within.is_none() && conversation == 0 && tap == 0 &&
           !addressed;
  }
  coracle_match match() const;
};

// A message to send, as Python gives it, and as the library takes it.
class Outgoing {
 public:
  Outgoing(nb::handle to, nb::handle content, nb::handle type);
  Outgoing(const Outgoing&) = delete;
  void add(nb::handle group, std::uint64_t conversation, nb::handle reply_to, nb::handle headers,
           nb::handle expires, nb::handle patience);
  bool is_to_one() const { return post.to != nullptr || post.to_sender_of != nullptr; }
  coracle_post post{};

 private:
  std::vector<nb::object> kept_;
  std::vector<const char*> many_;
  std::vector<coracle_header> headers_;
  Content content_;
};

class Port {
 public:
  Port(nb::object name, nb::object options);
  ~Port();
  Port(const Port&) = delete;
  static Port& of(nb::handle self) { return *nb::inst_ptr<Port>(self); }
  static InHand* in_hand(nb::handle self) { return self ? &of(self).in_hand_ : nullptr; }
  static int traverse(PyObject* self, visitproc visit, void* arg);
  static int clear(PyObject* self);

  const nb::object& name() const { return name_; }
  nb::object open(nb::handle self, coracle_node* node, nb::object owner, nb::object hub);
  void on_open(coracle_port* opened) { handle_ = opened; }
  bool is_open() const { return handle_ != nullptr; }
  void close();
  // The agent has failed; those who watch it or wait for it are told the text.
  void fail(nb::handle text);

  nb::object send(nb::handle self, const Outgoing& outgoing);
  nb::object reply(nb::handle self, const Message& request, const Outgoing& outgoing);
  nb::object receive(nb::handle self, const Wanted& wanted, bool ends_iteration);
  nb::object try_receive(const Wanted& wanted);

  // Begins an operation by `call(port, begin)`, and returns it; a port that waits returns its
  // result.
  template <class Call>
  nb::object begin(nb::handle self, Gives gives, Call call, nb::handle type = nb::handle(),
                   bool ends_iteration = false, std::string takes_from = {}) {
    nb::object made = make<Operation>(gives, nb::borrow(self));
    Operation::of(made).type = nb::borrow(type);
    Operation::of(made).ends_iteration = ends_iteration;
    Operation::of(made).takes_from = std::move(takes_from);
    return begun(std::move(made), [&](const coracle_begin* at) { return call(handle_, at); });
  }
  template <class Call>
  nb::object begun(nb::object made, Call call) {
    if (hub_ != nullptr) {
      hub_->require_here();
      return hub_->begin(std::move(made), call);
    }
    Operation& operation = Operation::of(made);
    const coracle_begin at = operation.begin_alone(made);
    coracle_error* const error = call(&at);
    if (error != nullptr) {
      operation.on_failed_begin();
      raise(exception_of(error));
    }
    return waits ? operation.wait() : made;
  }

  // An event of this port's stream.
  void on_stream(coracle_event& event);
  // That receive of the stream was cancelled.
  void forget(nb::handle operation);

  bool waits = true;  // for each result, if there is no asyncio loop

 private:
  void open_stream();
  void close_stream();
  nb::object receive_next(nb::object made);
  void fail_receives(nb::handle exception);

  nb::object name_, options_, owner_, hub_owner_;
  Hub* hub_ = nullptr;
  coracle_port* handle_ = nullptr;
  InHand in_hand_;
  bool has_received_ = false;
  // Receives without a condition share a stream.
  coracle_stream* stream_ = nullptr;
  std::uint64_t stream_key_ = 0;
  std::vector<nb::object> receives_;
};

class BlockingPort : public Port {
 public:
  using Port::Port;
};

void define_port(nb::module_& module);

}  // namespace coracle::py
