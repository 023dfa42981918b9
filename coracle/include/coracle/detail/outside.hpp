// Undertakings that a thread begins on a node without waiting, and how it is told what came of
// them.
// <coracle/asio.hpp> makes completion tokens of this; nothing here is of Asio.
#pragma once

#include "coracle/port.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace coracle::detail {

// A message for a thread outside, until that has taken it. It goes back to its mailbox when nobody
// takes it, or when its agent ends first. Safe to use from every thread.
class HeldMessage {
 public:
  ~HeldMessage() { give_back(); }
  void put(Message message);
  Message take();
  void give_back() noexcept;
  bool is_empty() const;

 private:
  mutable std::mutex mutex_;
  Message message_;
};

// Something that was begun from outside. It ends once, whatever becomes of its node.
class Undertaking : public std::enable_shared_from_this<Undertaking> {
 public:
  explicit Undertaking(bool gives_message)
      : held_(gives_message ? std::make_shared<HeldMessage>() : nullptr) {}
  Undertaking(const Undertaking&) = delete;
  virtual ~Undertaking() = default;

  // Ends it; false if it has ended. From any thread.
  bool end(std::exception_ptr error) noexcept;
  // Ends early what it waits for, if that can be. From any thread.
  void call_off() noexcept;
  bool is_called_off() const;
  bool has_ended() const;
  // Where a message is that it gives; nullptr when it gives none.
  const std::shared_ptr<HeldMessage>& held() const noexcept { return held_; }

 protected:
  // On a worker: what is to be done, by the agent of a port, or by nobody.
  virtual Task<> run(Agent* agent);
  // How that ended; once, on the thread that ends it.
  virtual void on_end(std::exception_ptr error) noexcept = 0;

 private:
  friend struct FromOutside;
  friend class MayBeCalledOff;
  // On a worker; false if it was called off before.
  bool begin_at(Worker* worker);
  class EndsAnyway;
  static Task<> perform(EndsAnyway held, Agent* agent);
  static Task<> performed(std::shared_ptr<Undertaking> what, Agent* agent);

  const std::shared_ptr<HeldMessage> held_;
  std::function<void()> ends_early_;  // the worker's own
  mutable std::mutex mutex_;          // guards what follows
  Worker* worker_ = nullptr;          // while it may be called off there
  bool is_called_off_ = false;
  bool has_ended_ = false;
};

// While one is there, in Undertaking::run(), call_off() does what it says.
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

// The ways in. None of them waits, and none throws: what fails ends the undertaking.
struct FromOutside {
  // Has the agent of a port do it.
  static void begin(Port& port, std::shared_ptr<Undertaking> what);
  // Has a worker of the node do it.
  static void begin(Node& node, std::shared_ptr<Undertaking> what);
  // In that: makes an agent, or a port.
  static Task<Address> make(AgentSpec spec, std::unique_ptr<Agent> agent);
  static Task<std::unique_ptr<Port>> join(Node& node, AgentSpec spec);
  // Stops a node, and tells how that ended, on a thread of its own.
  static void stop(Node& node, Deadline deadline,
                   std::function<void(std::exception_ptr, StopReport)> tell);
};

}  // namespace coracle::detail
