// Blocking stream sockets by hand: the least that two processes need. PEER_TCP chooses the family.
//
// Settings: TCP with no delay. Ping-pong has one write and one read for each message; flood puts as
// many messages into each write as 64 KiB hold, and reads as much at once.
#include "common/peer.hpp"

#include <netinet/tcp.h>
#include <sys/un.h>
#include <sys/utsname.h>

namespace {

using peer::require;

constexpr std::size_t bytes_at_once = 64 * 1024;

// Both families work alike: the listener sends its address, in the kernel's form.
struct Address {
  sockaddr_storage raw{};
  socklen_t length = PEER_TCP ? sizeof(sockaddr_in) : sizeof(sa_family_t);

  Address() {
    raw.ss_family = PEER_TCP ? AF_INET : AF_UNIX;  // for unix: a name that the kernel chooses
    if (PEER_TCP) {
      reinterpret_cast<sockaddr_in*>(&raw)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
  }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&raw); }
};

void hurry(int socket) {
  const int on = 1;
  if (!PEER_TCP) return;
  require(setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0, "no delay");
}

int accepted(peer::Channel& channel) {
  Address address;
  const int listener = socket(address.raw.ss_family, SOCK_STREAM, 0);
  require(bind(listener, address.get(), address.length) == 0, "bind");
  require(listen(listener, 1) == 0, "listen");
  address.length = sizeof(address.raw);
  require(getsockname(listener, address.get(), &address.length) == 0, "getsockname");
  channel.tell(std::string(reinterpret_cast<const char*>(&address.raw), address.length));
  const int end = accept(listener, nullptr, nullptr);
  require(end >= 0, "accept");
  hurry(end);
  return end;
}

int connected(peer::Channel& channel) {
  const std::string text = channel.hear();
  Address address;
  std::memcpy(&address.raw, text.data(), text.size());
  const int end = socket(address.raw.ss_family, SOCK_STREAM, 0);
  require(connect(end, address.get(), static_cast<socklen_t>(text.size())) == 0, "connect");
  hurry(end);
  return end;
}

void write_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t some = send(socket, data, size, MSG_NOSIGNAL);
    require(some > 0, "send");
    data += some;
    size -= static_cast<std::size_t>(some);
  }
}

void read_all(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t some = recv(socket, data, size, 0);
    require(some > 0, "recv");
    data += some;
    size -= static_cast<std::size_t>(some);
  }
}

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  const int socket = connected(channel);
  std::vector<char> ball(work.size, 'x');
  do {
    rounds.stamp(ball.data());
    write_all(socket, ball.data(), ball.size());
    read_all(socket, ball.data(), ball.size());
  } while (rounds.take(ball.data(), ball.size()));
  peer::set_number(ball.data(), peer::farewell);
  write_all(socket, ball.data(), ball.size());
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  const int socket = accepted(channel);
  std::vector<char> ball(work.size);
  std::uint64_t count = 0;
  while (true) {
    read_all(socket, ball.data(), ball.size());
    if (peer::is_farewell(ball.data())) break;
    write_all(socket, ball.data(), ball.size());
    ++count;
  }
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  const int socket = connected(channel);
  peer::Intake intake(work);
  std::vector<char> room(std::max(bytes_at_once, 2 * work.size));
  std::size_t filled = 0;
  bool goes_on = true;
  while (goes_on) {
    const ssize_t some = recv(socket, room.data() + filled, room.size() - filled, 0);
    require(some > 0, "recv");
    filled += static_cast<std::size_t>(some);
    std::size_t read = 0;
    for (; goes_on && filled - read >= work.size; read += work.size) {
      goes_on = intake.take(room.data() + read, work.size);
    }
    filled -= read;
    std::memmove(room.data(), room.data() + read, filled);
  }
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  const int socket = accepted(channel);
  peer::Source source(work);
  const std::size_t messages = std::max(bytes_at_once / work.size, std::size_t{1});
  std::vector<char> room(messages * work.size, 'x');
  bool goes_on = true;
  while (goes_on) {
    std::size_t filled = 0;
    for (; goes_on && filled < room.size(); filled += work.size) {
      goes_on = source.fill(room.data() + filled);
    }
    write_all(socket, room.data(), filled);
  }
  channel.finish(source.sent());
}

std::string version() {
  utsname kernel{};
  uname(&kernel);
  return std::string("Linux ") + kernel.release;
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {PEER_TCP ? "tcp" : "unix", version, ping, pong, drink, pour});
}
