// ONC RPC (Sun RPC) over TCP, by libtirpc; the two processes find each other without rpcbind.
//
// Settings: the defaults, but no delay at both ends. Ping-pong is a call that returns its argument;
// flood consists of calls without a result and without waiting, which the client's buffer puts
// together (its documentation calls that batching).
#include "common/peer.hpp"

#include <rpc/rpc.h>

#include <cstdarg>

#include <arpa/inet.h>
#include <netinet/tcp.h>

namespace {

using peer::require;

constexpr rpcprog_t program = 0x20000c0a;  // from the range that everybody may use
constexpr rpcvers_t edition = 1;
constexpr rpcproc_t bounce = 1;
constexpr rpcproc_t take = 2;

// Bytes of a fixed number, as XDR writes them.
struct Ball {
  std::vector<char> bytes;
};

bool_t xdr_ball(XDR* stream, Ball* ball) {
  return xdr_opaque(stream, ball->bytes.data(), static_cast<u_int>(ball->bytes.size()));
}

bool_t encoded(XDR* stream, ...) {
  va_list arguments;
  va_start(arguments, stream);
  Ball* const ball = va_arg(arguments, Ball*);
  va_end(arguments);
  return xdr_ball(stream, ball);
}

bool_t nothing(XDR*, ...) { return TRUE; }

// The server's handling of a ball; the server ends after the farewell. The library passes nothing
// but the call to its function, so this is the only variable of the program.
struct Service {
  Ball ball;
  std::function<bool(const Ball&)> on_ball;
  bool goes_on = true;
};
Service* service = nullptr;

void dispatch(svc_req* request, SVCXPRT* transport) {
  char* const place = reinterpret_cast<char*>(&service->ball);
  if (request->rq_proc == NULLPROC) {
    svc_sendreply(transport, nothing, nullptr);
    return;
  }
  if (!svc_getargs(transport, encoded, place)) {
    svcerr_decode(transport);
    return;
  }
  service->goes_on = service->on_ball(service->ball);
  if (request->rq_proc == bounce) svc_sendreply(transport, encoded, place);
}

// Serves until the farewell.
void serve(peer::Channel& channel, const peer::Work& work,
           std::function<bool(const Ball&)> on_ball) {
  Service mine{{std::vector<char>(work.size)}, std::move(on_ball)};
  service = &mine;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  require(inet_pton(AF_INET, work.address.c_str(), &address.sin_addr) == 1, "--address");
  socklen_t length = sizeof(address);
  const int on = 1;
  require(setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0, "no delay");
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  require(bind(listener, raw, length) == 0 && listen(listener, 1) == 0, "bind");
  require(getsockname(listener, raw, &length) == 0, "getsockname");
  SVCXPRT* const transport = svctcp_create(listener, 0, 0);
  require(transport != nullptr, "svctcp_create");
  require(svc_register(transport, program, edition, dispatch, 0) != 0, "svc_register");
  channel.tell(std::string(reinterpret_cast<const char*>(&address), sizeof(address)));
  while (mine.goes_on) {
    fd_set ready = svc_fdset;
    const int count = select(FD_SETSIZE, &ready, nullptr, nullptr, nullptr);
    if (count > 0) svc_getreqset(&ready);
  }
}

class Client {
 public:
  explicit Client(peer::Channel& channel) {
    const std::string text = channel.hear();
    sockaddr_in address{};
    std::memcpy(&address, text.data(), sizeof(address));
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    require(setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0, "no delay");
    require(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0,
            "connect");
    handle_ = clnttcp_create(&address, program, edition, &socket_, 0, 0);
    require(handle_ != nullptr, "clnttcp_create");
  }
  ~Client() {
    clnt_destroy(handle_);
    close(socket_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Waits for the ball that comes back.
  void call(Ball& ball) {
    char* const place = reinterpret_cast<char*>(&ball);
    const timeval patience = {60, 0};
    check(clnt_call(handle_, bounce, encoded, place, encoded, place, patience));
  }
  // Waits for nothing. The call reports that its time is over, as intended.
  void post(Ball& ball) {
    char* const place = reinterpret_cast<char*>(&ball);
    const timeval at_once = {0, 0};
    const clnt_stat status = clnt_call(handle_, take, encoded, place, nullptr, nullptr, at_once);
    if (status != RPC_TIMEDOUT) check(status);
  }

 private:
  void check(clnt_stat status) {
    if (status != RPC_SUCCESS) throw peer::Failure(clnt_sperrno(status));
  }

  int socket_ = -1;
  CLIENT* handle_ = nullptr;
};

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Client client(channel);
  Ball ball{std::vector<char>(work.size, 'x')};
  do {
    rounds.stamp(ball.bytes.data());
    client.call(ball);
  } while (rounds.take(ball.bytes.data(), ball.bytes.size()));
  peer::set_number(ball.bytes.data(), peer::farewell);
  client.call(ball);
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  std::uint64_t count = 0;
  serve(channel, work, [&count](const Ball& ball) {
    if (peer::is_farewell(ball.bytes.data())) return false;
    ++count;
    return true;
  });
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  peer::Intake intake(work);
  serve(channel, work,
        [&intake](const Ball& ball) { return intake.take(ball.bytes.data(), ball.bytes.size()); });
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  Client client(channel);
  Ball message{std::vector<char>(work.size, 'x')};
  peer::Source source(work);
  while (source.fill(message.bytes.data())) client.post(message);
  // A call with a result flushes the buffer.
  client.call(message);
  channel.finish(source.sent());
}

std::string version() { return PEER_TIRPC_VERSION; }

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"onc-rpc", version, ping, pong, drink, pour});
}
