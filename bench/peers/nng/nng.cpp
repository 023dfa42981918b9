// nng over TCP.
//
// Settings: the defaults (no delay; it does not put several messages into one write), but room for
// 128 messages in the queues of the sender and the receiver, where the default has none. It uses a
// pair of sockets, as its own performance tests do; PUSH and PULL were ten times slower in flood.
#include "common/peer.hpp"

#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>

namespace {

void require_ok(int code, const char* what) {
  if (code != 0) throw peer::Failure(std::string(what) + ": " + nng_strerror(code));
}

class Socket {
 public:
  Socket() {
    require_ok(nng_pair0_open(&socket_), "nng_pair0_open");
    for (const char* const queue : {NNG_OPT_SENDBUF, NNG_OPT_RECVBUF}) {
      require_ok(nng_socket_set_int(socket_, queue, 128), queue);
    }
  }
  ~Socket() { nng_close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void serve(peer::Channel& channel) {
    nng_listener listener;
    int port = 0;
    require_ok(nng_listen(socket_, "tcp://127.0.0.1:0", &listener, 0), "nng_listen");
    require_ok(nng_listener_get_int(listener, NNG_OPT_TCP_BOUND_PORT, &port), "its port");
    channel.tell("tcp://127.0.0.1:" + std::to_string(port));
  }
  void join(peer::Channel& channel) {
    require_ok(nng_dial(socket_, channel.hear().c_str(), nullptr, 0), "nng_dial");
  }
  void give(std::vector<char>& ball) {
    require_ok(nng_send(socket_, ball.data(), ball.size(), 0), "nng_send");
  }
  std::size_t take(std::vector<char>& ball) {
    std::size_t size = ball.size();
    require_ok(nng_recv(socket_, ball.data(), &size, 0), "nng_recv");
    return size;
  }

 private:
  nng_socket socket_ = NNG_SOCKET_INITIALIZER;
};

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Socket socket;
  socket.join(channel);
  std::vector<char> ball(work.size, 'x');
  std::size_t size = 0;
  do {
    rounds.stamp(ball.data());
    socket.give(ball);
    size = socket.take(ball);
  } while (rounds.take(ball.data(), size));
  peer::set_number(ball.data(), peer::farewell);
  socket.give(ball);
  socket.take(ball);  // the answer proves that the farewell has left before the close
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  Socket socket;
  socket.serve(channel);
  std::vector<char> ball(work.size);
  std::uint64_t count = 0;
  for (;; ++count) {
    socket.take(ball);
    socket.give(ball);
    if (peer::is_farewell(ball.data())) break;
  }
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Socket socket;
  socket.join(channel);
  std::vector<char> message(work.size);
  peer::Intake intake(work);
  std::size_t size = 0;
  do {
    size = socket.take(message);
  } while (intake.take(message.data(), size));
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  Socket socket;
  socket.serve(channel);
  std::vector<char> message(work.size, 'x');
  peer::Source source(work);
  bool goes_on = true;
  while (goes_on) {
    goes_on = source.fill(message.data());
    socket.give(message);
  }
  channel.finish(source.sent());
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"nng", nng_version, ping, pong, drink, pour});
}
