// ZeroMQ over TCP.
//
// Settings: the defaults (no delay, batches of waiting messages, 1,000 messages in each queue, one
// I/O thread). Ping-pong uses REQ and REP, as ZeroMQ's own latency test does; flood uses PUSH and
// PULL.
#include "common/peer.hpp"

#include <zmq.h>

namespace {

using peer::require;

// A context with its only socket.
class Socket {
 public:
  explicit Socket(int type) : context_(zmq_ctx_new()), socket_(zmq_socket(context_, type)) {
    require(socket_ != nullptr, "zmq_socket");
  }
  ~Socket() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void serve(peer::Channel& channel) {
    char address[128];
    std::size_t length = sizeof(address);
    require(zmq_bind(socket_, "tcp://127.0.0.1:*") == 0, "zmq_bind");
    require(zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, address, &length) == 0, "its address");
    channel.tell(address);
  }
  void join(peer::Channel& channel) {
    require(zmq_connect(socket_, channel.hear().c_str()) == 0, "zmq_connect");
  }
  void give(const std::vector<char>& ball) {
    require(zmq_send(socket_, ball.data(), ball.size(), 0) >= 0, "zmq_send");
  }
  std::size_t take(std::vector<char>& ball) {
    const int size = zmq_recv(socket_, ball.data(), ball.size(), 0);
    require(size >= 0, "zmq_recv");
    return static_cast<std::size_t>(size);
  }

 private:
  void* context_;
  void* socket_;
};

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Socket socket(ZMQ_REQ);
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
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  Socket socket(ZMQ_REP);
  socket.serve(channel);
  std::vector<char> ball(work.size);
  std::uint64_t count = 0;
  for (;; ++count) {
    socket.take(ball);
    if (peer::is_farewell(ball.data())) break;
    socket.give(ball);
  }
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Socket socket(ZMQ_PULL);
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
  Socket socket(ZMQ_PUSH);
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

std::string version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"zeromq", version, ping, pong, drink, pour});
}
