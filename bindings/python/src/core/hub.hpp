// The events of one asyncio loop. All its nodes and agents share one descriptor.
#pragma once

#include "operation.hpp"

#include <deque>
#include <unordered_map>

namespace coracle::py {

class Hub {
 public:
  explicit Hub(nb::object asyncio_loop);
  ~Hub() { drop_begun(nb::handle()); }
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
  bool is_here() const { return PyThread_get_thread_ident() == thread_; }

  // The operation begins; the hub owns it until its event comes.
  void on_begin(Operation& operation);
  void on_failed_begin(Operation& operation);
  // Begins a new operation by `call(begin)`, and returns it.
  template <class Call>
  nb::object begin(nb::object made, Call call) {
    Operation& operation = Operation::of(made);
    const coracle_begin at = operation.begin_at(made, *this);
    coracle_error* const error = call(&at);
    if (error != nullptr) {
      operation.on_failed_begin();
      raise(exception_of(error));
    }
    pick();
    return made;
  }
  // The operation has ended; its callbacks wait for a turn.
  void on_end(nb::object operation);
  // Takes the events that came during a call; those that waited for them continue in a turn.
  void pick();
  // Without a wait, an operation has succeeded, and gives None.
  const nb::object& nothing();
  void call_soon(nb::handle callback, nb::handle argument, nb::handle context);
  // The descriptor is readable: runs the nodes, and takes the events.
  void on_readable();
  // Lets those continue that waited for what has ended.
  void turn();

  // A key for the events of a port's stream. It is never used again.
  std::uint64_t name_stream(Port* port);
  void forget_stream(std::uint64_t key) { streams_.erase(key); }

  // Operations that have not ended fail.
  void close();

  nb::handle self;     // of Python; not owned
  unsigned count = 0;  // the nodes that are open

 private:
  using Take = coracle_error* (*)(coracle_loop*, coracle_event*, size_t, size_t*);
  // Returns the number of events.
  std::size_t take(Take how);
  void need_turn();
  void on_turned();
  // Operations that have not ended fail so; without an exception, nobody is told.
  void drop_begun(nb::handle exception);
  void on_event(coracle_event& event);
  void remove(Operation& operation);

  coracle_loop* loop_ = nullptr;
  nb::object asyncio_loop_, call_soon_, turn_;
  unsigned long thread_;
  Operation* begun_ = nullptr;
  std::deque<nb::object> ended_;
  nb::object nothing_;
  std::unordered_map<std::uint64_t, Port*> streams_;
  std::uint64_t next_stream_ = 1;  // odd, as the address of an operation never is
  int descriptor_ = -1;
  bool is_turning_ = false, is_due_ = false;
};

void define_hub(nb::module_& module);

}  // namespace coracle::py
