// Erlang: two nodes with distribution over loopback. bench_peer.erl does the work and checks its
// counts; this program starts the nodes and the daemon by which they find each other, and makes
// numbers of the times that they took.
//
// Settings: the defaults (no delay, a scheduler for each processor, native code by the just-in-time
// compiler). Nothing limits the growth of a mailbox, so in flood at most 4,096 messages are under
// way, and the receiver acknowledges each 1,024 that it has taken.
#include "common/foreign.hpp"

namespace {

using peer::require;

// The daemon, with a port of its own. The daemon answers when the constructor returns.
class Daemon {
 public:
  Daemon()
      : port_(peer::free_port()),
        program_({"epmd", "-address", "127.0.0.1", "-port", std::to_string(port_)}) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool is_there = false;
    for (int i = 0; i < 500 && !is_there; ++i) {
      const int probe = socket(AF_INET, SOCK_STREAM, 0);
      is_there = connect(probe, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
      close(probe);
      if (!is_there) usleep(10'000);
    }
    require(is_there, "epmd does not answer");
  }
  int port() const { return port_; }

 private:
  int port_;
  peer::Helper program_;
};

std::string node(const char* name) { return std::string(name) + "@127.0.0.1"; }

// The command that starts a node which calls bench_peer:WHAT(OTHER, SIZE, NANOSECONDS).
std::vector<std::string> command(const char* name, const char* what, const char* other,
                                 const peer::Work& work, const std::string& daemon) {
  setenv("ERL_EPMD_PORT", daemon.c_str(), 1);
  setenv("ERL_CRASH_DUMP_SECONDS", "0", 1);
  setenv("HOME", "/", 0);
  const std::string call = std::string("bench_peer:") + what + "('" + node(other) + "', " +
                           std::to_string(work.size) + ", " +
                           std::to_string(std::llround(work.seconds * 1e9)) + ").";
  return {"erl",
          "-noshell",
          "-noinput",
          "-start_epmd",
          "false",
          "-name",
          node(name),
          "-setcookie",
          "peer" + daemon,
          "-kernel",
          "inet_dist_use_interface",
          "{127,0,0,1}",
          "-pa",
          PEER_BEAM_FOLDER,
          "-eval",
          call};
}

peer::Printed run_first(const char* what, const peer::Work& work, peer::Channel& channel) {
  const Daemon daemon;
  const std::string port = std::to_string(daemon.port());
  channel.tell(port);
  return peer::printed_by(command("first", what, "second", work, port));
}

void run_second(const char* what, const peer::Work& work, peer::Channel& channel) {
  const peer::Helper second(command("second", what, "first", work, channel.hear()));
  channel.finish(0);  // the nodes have compared their counts
}

peer::Result ping(peer::Rounds&, const peer::Work& work, peer::Channel& channel) {
  std::vector<double> times = run_first("ping", work, channel).times;
  for (double& time : times) time /= peer::Rounds::batch;
  return peer::result_of_rounds(times, peer::Rounds::batch);
}

void pong(const peer::Work& work, peer::Channel& channel) { run_second("pong", work, channel); }

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  const auto [count, marks] = run_first("drink", work, channel);
  if (marks.size() != 1 + count / peer::Intake::batch) {
    throw peer::Failure("the first node did not report all times");
  }
  return peer::result_of_marks(marks, peer::Intake::batch, work);
}

void pour(const peer::Work& work, peer::Channel& channel) { run_second("pour", work, channel); }

std::string version() { return PEER_OTP_VERSION; }

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"erlang", version, ping, pong, drink, pour});
}
