#include "floor/stream.hpp"

#include "harness/machines/hosts.hpp"
#include "harness/run/failures.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace coracle::bench {

namespace {

Descriptor listening(in_addr where) {
  Descriptor listener(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr = where;
  if (bind(listener.number(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
    fail_floor("bind");
  if (listen(listener.number(), 1) != 0) fail_floor("listen");
  return listener;
}

Ends connected_to(const Descriptor& listener) {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (getsockname(listener.number(), raw, &length) != 0) fail_floor("getsockname");
  Descriptor near(socket(AF_INET, SOCK_STREAM, 0));
  if (connect(near.number(), raw, length) != 0) fail_floor("connect");
  Descriptor far(accept(listener.number(), nullptr, nullptr));
  const int on = 1;
  for (const int end : {near.number(), far.number()}) {
    if (setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0) fail_floor("setsockopt");
  }
  return {std::move(near), std::move(far)};
}

Ends connect_unix() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail_floor("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

[[noreturn]] void fail_floor(const char* call) {
  throw NotDone(std::string("the socket floor could not be measured: ") + call + ": " +
                std::strerror(errno));
}

Ends connected(Socket kind) {
  if (kind == Socket::unix_domain) return connect_unix();
  return connected_to(listening(in_addr{htonl(INADDR_LOOPBACK)}));
}

Ends connected(const Hosts& hosts) {
  in_addr where{};
  inet_pton(AF_INET, hosts.address(1).c_str(), &where);
  hosts.enter(1);
  const Descriptor listener = listening(where);
  hosts.enter(0);
  return connected_to(listener);
}

bool write_all(int socket, const std::vector<char>& frame) {
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t some = send(socket, frame.data() + done, frame.size() - done, MSG_NOSIGNAL);
    if (some <= 0) return false;
    done += static_cast<std::size_t>(some);
  }
  return true;
}

bool read_all(int socket, std::vector<char>& frame) {
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t some = recv(socket, frame.data() + done, frame.size() - done, 0);
    if (some <= 0) return false;
    done += static_cast<std::size_t>(some);
  }
  return true;
}

}  // namespace coracle::bench
