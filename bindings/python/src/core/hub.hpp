// The events of one asyncio loop. All its nodes and agents share one descriptor.
#pragma once

#include "operation.hpp"

#include <deque>

namespace coracle::py {

class Hub {
 public:
  explicit Hub(nb::object asyncio_loop);
  ~Hub() { close(); }
  Hub(const Hub&) = delete;
  static Hub& of(nb::handle self) { return *nb::inst_ptr<Hub>(self); }
  static int traverse(PyObject* self, visitproc visit, void* arg);
  static int clear(PyObject* self);

  coracle_loop* loop() const { return loop_; }
  const nb::object& asyncio_loop() const { return asyncio_loop_; }
  int descriptor();
  bool is_closed() const { return loop_ == nullptr; }
  // Fails on any thread but that of the asyncio loop, and when the hub is closed.
  void require_here() const;

  // The operation begins; the hub owns it until its event comes.
  void on_begin(Operation& operation);
  void on_failed_begin(Operation& operation);
  // The operation has ended; its callbacks wait for the next turn.
  void on_end(nb::object operation);
  // A call may have caused events, or an agent wants its mailbox to be looked at.
  void need_turn();
  void call_soon(nb::handle callback, nb::handle argument, nb::handle context);
  // Takes the events that are there, and lets those continue that waited for them.
  void turn();

  // Numbers of ports that receive one event when something is in their mailbox.
  std::uint64_t watch(Port* port);
  void forget(std::uint64_t key);

  // Operations that have not ended fail.
  void close();

  nb::handle self;  // of Python; not owned
  unsigned count = 0;  // the nodes that are open

 private:
  bool take();
  void on_event(coracle_event& event);
  void remove(Operation& operation);

  coracle_loop* loop_ = nullptr;
  nb::object asyncio_loop_, call_soon_, turn_;
  unsigned long thread_;
  Operation* begun_ = nullptr;
  std::deque<nb::object> ended_;
  std::vector<Port*> watched_;
  std::vector<std::uint32_t> free_;
  int descriptor_ = -1;
  bool is_turning_ = false, is_due_ = false;
};

void define_hub(nb::module_& module);

}  // namespace coracle::py
