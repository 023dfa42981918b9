// Undertakings that a thread begins on a node without waiting, and the callbacks that report their
// ends.
// <coracle/asio.hpp> makes completion tokens from this header, which itself does not use Asio.
#pragma once

#include "coracle/port.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace coracle::detail {

// Messages for a thread outside the library, until that thread has taken them. A message goes back
// to its mailbox when nobody takes it, or when its agent ends first. Safe to use from every thread.
class HeldMessages {
 public:
  ~HeldMessages() { give_back(); }
  // After those that were put before.
  void put(Message message);
  // Returns the oldest; an empty message when there is none.
  Message take();
  void give_back() noexcept;
  bool is_empty() const;

 private:
  mutable std::mutex mutex_;
  Message first_;  // most operations have one message
  std::vector<Message> others_;
  std::size_t taken_ = 0;  // of the others
};

// An operation that was begun from outside. It ends once, whatever happens to its node.
class Undertaking : public std::enable_shared_from_this<Undertaking> {
 public:
  explicit Undertaking(bool gives_message)
      : held_(gives_message ? std::make_shared<HeldMessages>() : nullptr) {}
  Undertaking(const Undertaking&) = delete;
  virtual ~Undertaking() = default;

  // Ends the undertaking; returns false if it has ended already. May be called from any thread.
  bool end(std::exception_ptr error) noexcept;
  // Ends its wait early, if that is possible. May be called from any thread.
  void call_off() noexcept;
  bool is_called_off() const;
  bool has_ended() const;
  // The holder of the messages that it gives; nullptr when it gives none.
  const std::shared_ptr<HeldMessages>& held() const noexcept { return held_; }

 protected:
  // The work, on a worker: done by the agent of a port, or by no agent.
  virtual Task<> run(Agent* agent);
  // Is called once with the end of the work, on the thread that ends it.
  virtual void on_end(std::exception_ptr error) noexcept = 0;

 private:
  friend struct FromOutside;
  friend class MayBeCalledOff;
  // Begins on a worker; returns false if it was called off before.
  bool begin_at(Worker* worker);
  class EndsAnyway;
  static Task<> perform(EndsAnyway held, Agent* agent);
  static Task<> performed(std::shared_ptr<Undertaking> what, Agent* agent);

  const std::shared_ptr<HeldMessages> held_;
  std::function<void()> ends_early_;  // used by the worker only
  mutable std::mutex mutex_;          // guards the members below
  Worker* worker_ = nullptr;          // set while it may be called off there
  bool is_called_off_ = false;
  bool has_ended_ = false;
};

// While such an object lives, in Undertaking::run(), call_off() calls its function.
class MayBeCalledOff {
 public:
  MayBeCalledOff(Undertaking& what, std::function<void()> how) : what_(what) {
    what_.ends_early_ = std::move(how);
  }
  MayBeCalledOff(const MayBeCalledOff&) = delete;
  ~MayBeCalledOff() { what_.ends_early_ = nullptr; }

 private:
  Undertaking& what_;
};

// The entry points. None throws: a failure ends the undertaking. None waits but take_turns(), and
// the stop of a node without threads.
struct FromOutside {
  // Lets the agent of a port run the undertaking.
  static void begin(Port& port, std::shared_ptr<Undertaking> what);
  // Lets a worker of the node run the undertaking.
  static void begin(Node& node, std::shared_ptr<Undertaking> what);
  // Has a node without threads do `act` as its worker, on this thread, with all that follows.
  // Returns false, and does nothing, if the node has threads or that would have to wait. `act` must
  // not throw.
  static bool at_once(Node& node, const std::function<void()>& act);
  // The thread takes a turn of the node soon after each act in place, or not. If so, messages to
  // other nodes wait for that turn.
  static void set_deferring(Node& node, bool is_so);
  // Sends to one agent, if it has room now; returns false when nothing was sent. Throws as
  // Agent::send() does.
  static bool try_send(Port& port, const Post& post);
  // The same for a reply.
  static bool try_reply(Port& port, const MessageView& request, const Content& content);
  // Ends the port's agent as one that has failed; does not wait for its end.
  static void fail(Port& port, const std::string& text);
  // Waits on a node without threads: takes its turns until `is_so`. Returns at once for other
  // nodes.
  static void take_turns(Node& node, const std::function<bool()>& is_so);
  // For use in an undertaking: makes an agent, or a port.
  static Task<Address> make(AgentSpec spec, std::unique_ptr<Agent> agent);
  static Task<std::unique_ptr<Port>> join(Node& node, AgentSpec spec);
  // Stops a node, and calls `tell` with the result, on a thread of its own; if the node has no
  // threads, before this returns.
  static void stop(Node& node, Deadline deadline,
                   std::function<void(std::exception_ptr, StopReport)> tell);

 private:
  // Has the port's agent act at once; returns false if that is impossible, or `act` says so.
  template <class Act>
  static bool try_act(Port& port, const Act& act);
};

}  // namespace coracle::detail
