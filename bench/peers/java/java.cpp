// JADE and Pekko: two Java virtual machines with loopback between them. JadePeer.java and
// PekkoPeer.java do the work and check the counts; this program starts them, and makes numbers of
// the times that they took.
//
// Settings: the defaults; JADE without protocols to other platforms, Pekko with Artery over TCP.
// Nothing limits the growth of a mailbox, so in flood at most 4,096 messages are under way, and the
// receiver acknowledges each 1,024 that it has taken. A virtual machine compiles while it runs, so
// it gets one more second to warm up.
#include "common/foreign.hpp"

#include <filesystem>

namespace {

using peer::require;

constexpr std::uint64_t batch = 256;  // of messages of a flood

std::vector<std::string> command(const char* part, const peer::Work& work,
                                 const std::string& port) {
  return {PEER_JAVA,
          "-cp",
          PEER_CLASSES,
          PEER_CLASS,
          part,
          port,
          std::to_string(work.size),
          std::to_string(std::llround(work.seconds * 1e9))};
}

// A folder where a program may leave files, as JADE does.
class Folder {
 public:
  Folder() : path_("/tmp/peer-java-XXXXXX") {
    require(mkdtemp(path_.data()) != nullptr, "mkdtemp");
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::current_path("/", ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  std::string path_;
};

peer::Printed run_first(const char* part, const peer::Work& work, peer::Channel& channel) {
  const Folder folder;
  const std::string port = std::to_string(peer::free_port());
  channel.tell(port);
  return peer::printed_by(command(part, work, port));
}

void run_second(const char* part, const peer::Work& work, peer::Channel& channel) {
  const peer::Helper second(command(part, work, channel.hear()));
  channel.finish(0);  // the first machine has compared the counts
}

peer::Result ping(peer::Rounds&, const peer::Work& work, peer::Channel& channel) {
  std::vector<double> times = run_first("ping", work, channel).times;
  for (double& time : times) time /= peer::Rounds::batch;
  return peer::result_of_rounds(times, peer::Rounds::batch);
}

void pong(const peer::Work& work, peer::Channel& channel) { run_second("pong", work, channel); }

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  const auto [count, marks] = run_first("drink", work, channel);
  if (marks.size() != 1 + count / batch) throw peer::Failure("some times were not reported");
  return peer::result_of_marks(marks, batch, work);
}

void pour(const peer::Work& work, peer::Channel& channel) { run_second("pour", work, channel); }

std::string version() { return PEER_VERSION; }

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {PEER_NAME, version, ping, pong, drink, pour});
}
