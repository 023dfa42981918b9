#include "floor/floors.hpp"
#include "floor/stream.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace coracle::bench {

namespace {

constexpr std::size_t bytes_at_once = 64 * 1024;

// One end of a connection: it writes an answer, or the next question, for each whole frame.
struct WebEnd {
  int socket;
  std::size_t frame;         // of the other side
  std::size_t received = 0;  // of the present frame
  std::string unwritten = {};

  // Reads what is there; returns the number of frames that it completes, or -1 at the end.
  int read(std::vector<char>& room) {
    for (int frames = 0;;) {
      const ssize_t some = recv(socket, room.data(), room.size(), MSG_DONTWAIT);
      if (some < 0) return errno == EAGAIN ? frames : -1;  // closed with bytes under way
      if (some == 0) return -1;
      received += static_cast<std::size_t>(some);
      frames += static_cast<int>(received / frame);
      received %= frame;
    }
  }
  void write() {
    while (!unwritten.empty()) {
      const ssize_t some =
          send(socket, unwritten.data(), unwritten.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (some <= 0) return;
      unwritten.erase(0, static_cast<std::size_t>(some));
    }
  }
};

Descriptor listening(sockaddr_in& at) {
  Descriptor listener(socket(AF_INET, SOCK_STREAM, 0));
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  if (bind(listener.number(), address, sizeof at) != 0 || listen(listener.number(), 1024) != 0 ||
      getsockname(listener.number(), address, &size) != 0)
    fail_floor("listen");
  return listener;
}

void watch(int poll, int socket, std::uint32_t number) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLET;
  event.data.u32 = number;
  if (epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) != 0) fail_floor("epoll_ctl");
}

// Answers until all connections are closed.
void answer(const Descriptor& listener, const WebLoad& load) {
  const Descriptor poll(epoll_create1(0));
  std::vector<Descriptor> sockets;
  std::vector<WebEnd> ends;
  for (std::uint32_t i = 0; i < load.connections; ++i) {
    sockets.emplace_back(accept(listener.number(), nullptr, nullptr));
    ends.push_back({sockets.back().number(), load.request_bytes});
    watch(poll.number(), sockets.back().number(), i);
  }
  std::vector<char> room(bytes_at_once);
  const std::string response(load.response_bytes, 'y');
  std::array<epoll_event, 64> events{};
  for (std::uint32_t open = load.connections; open > 0;) {
    const int count = epoll_wait(poll.number(), events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      WebEnd& end = ends[events[static_cast<std::size_t>(i)].data.u32];
      const int frames = end.read(room);
      for (int j = 0; j < frames; ++j) end.unwritten += response;
      end.write();
      if (frames >= 0) continue;
      epoll_ctl(poll.number(), EPOLL_CTL_DEL, end.socket, nullptr);
      --open;
    }
  }
}

}  // namespace

Run floor_web(const WebLoad& load) {
  sockaddr_in at{};
  const Descriptor listener = listening(at);
  Partner partner([&] { answer(listener, load); });
  const Descriptor poll(epoll_create1(0));
  std::vector<Descriptor> sockets;
  std::vector<WebEnd> ends;
  const std::string request(load.request_bytes, 'x');
  for (std::uint32_t i = 0; i < load.connections; ++i) {
    sockets.emplace_back(socket(AF_INET, SOCK_STREAM, 0));
    if (connect(sockets.back().number(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0)
      fail_floor("connect");
    ends.push_back({sockets.back().number(), load.response_bytes});
    watch(poll.number(), sockets.back().number(), i);
    for (std::uint32_t j = 0; j < load.outstanding; ++j) ends.back().unwritten += request;
    ends.back().write();
  }
  std::vector<char> room(bytes_at_once);
  std::array<epoll_event, 64> events{};
  Run run;
  const Time start = clock_now();
  Time present = start;
  while (present - start < seconds(load.interval)) {
    for (int round = 0; round < 16; ++round) {
      const int count = epoll_wait(poll.number(), events.data(), events.size(), -1);
      for (int i = 0; i < count; ++i) {
        WebEnd& end = ends[events[static_cast<std::size_t>(i)].data.u32];
        const int frames = end.read(room);
        if (frames < 0) fail_floor("recv");
        run.n += static_cast<std::uint64_t>(frames);
        for (int j = 0; j < frames; ++j) end.unwritten += request;
        end.write();
      }
    }
    present = clock_now();
  }
  run.value = static_cast<double>(run.n) / (nanoseconds(present - start) / 1e9);
  sockets.clear();
  partner.wait();
  return run;
}

}  // namespace coracle::bench
