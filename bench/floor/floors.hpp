// The least cost of the same work, with which each number is compared. The code is plain, so that
// anyone can check it; it has no names, lifetimes, limits, outcomes or order to keep.
#pragma once

#include "harness/figures/stats.hpp"

#include <coracle/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace coracle::bench {

class Hosts;

// --- one thread, mailboxes in plain deques (calls.cpp) ---

// A message to a mailbox and a message back; ns per round trip.
Run floor_call_round_trip(double seconds);
// The same for `pairs` at once, each thread with its own share of them; messages per second.
Run floor_call_pairs(std::uint32_t pairs, unsigned threads, double seconds);
// Messages from `senders` into one mailbox of 1,024 slots, which is emptied when it is full;
// messages/s.
Run floor_call_flood(std::uint32_t senders, double seconds);

// --- two threads that never sleep, a ring of cache lines each way (rings.cpp) ---

// With `window` messages under way at once; ns per round trip divided by the window. `processor` is
// that of the first thread, the second thread takes the next one; -1 binds none.
Run floor_ring_round_trip(std::uint32_t window, double seconds, int processor);
// In one direction; messages per second.
Run floor_ring_flood(double seconds, int processor);

// --- two processes, blocking sockets (sockets.cpp) ---

enum class Socket { tcp, unix_domain };
// The kind of socket that nodes of that realization use.
Socket socket_of(std::string_view realization);

// Frames of `bytes` over loopback, or by TCP between two hosts; ns per round trip. `processor`
// holds both processes; -1 lets the kernel place them.
Run floor_socket_round_trip(Socket kind, std::size_t bytes, double seconds, int processor);
Run floor_socket_round_trip(const Hosts& hosts, std::size_t bytes, double seconds);
// Frames of `bytes` in one direction, many in each write; frames per second.
Run floor_socket_flood(Socket kind, std::size_t bytes, double seconds, int processor);

// The cost of frames in one direction for each process that handles them: processor time in ns for
// each frame.
struct SplitCost {
  double write = 0;
  double pass_on = 0;  // of the clearinghouse; zero when there is none
  double read = 0;
  std::uint64_t frames = 0;
};
// From one process to another, many frames in each write; through a third process, which looks at
// the target of each frame, if `is_central` (clearinghouse.cpp).
SplitCost floor_split(Socket kind, std::size_t bytes, bool is_central, double seconds);

// --- many processes, blocking sockets (crowd.cpp) ---

inline constexpr std::uint32_t most_socket_pairs = 200;

// `pairs` of processes at full load, with a socket each; with `is_to_one`, one process polls the
// far ends of all sockets. Messages per second, with those of each pair as samples.
Run floor_socket_load(Socket kind, std::size_t bytes, std::uint32_t pairs, bool is_to_one,
                      double seconds);

// --- two processes, one thread each that polls its sockets (web.cpp) ---

// So many connections, each with so many requests under way, and the bytes of one request and of
// one response.
struct WebLoad {
  std::uint32_t connections = 1;
  std::uint32_t outstanding = 1;
  std::size_t request_bytes = 0;
  std::size_t response_bytes = 0;
  double interval = 1;  // in seconds
};
// Requests per second that a server answers without a look at them.
Run floor_web(const WebLoad& load);

// --- Boost.Beast (beast.cpp) ---

// A server of HTTP on this host, with one thread, that sends each body back. Calls `is_there` with
// its port, and serves until `is_over` returns true.
void serve_beast_echo(const std::function<void(std::uint16_t port)>& is_there,
                      const std::function<bool()>& is_over);

// --- omniORB, where it is found (corba.cpp) ---

// A call that returns its argument, to an object in another process; ns per call.
Run floor_corba_call(std::size_t bytes, double seconds, int processor);

// --- memory (objects.cpp) ---

struct ObjectCost {
  double bytes_each = 0;
  double per_second = 0;
};

// `count` objects of 64 bytes on the heap, each found by its name in an unordered_map.
ObjectCost floor_objects(std::uint32_t count);

// --- a file (journal.cpp) ---

// `at_once` records of `record` bytes are appended together to a file in `folder`, which is then
// synced; no sync takes less than `sync`. Records per second.
Run floor_journal(const std::string& folder, std::size_t record, std::size_t at_once, Duration sync,
                  double seconds);

}  // namespace coracle::bench
