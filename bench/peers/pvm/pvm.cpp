// PVM: two tasks on one host, connected by a socket (PVM's direct route) once they have met through
// the daemon.
//
// Settings: the direct route and raw data; all others are the defaults. The program starts its own
// daemon, with a folder of its own; the daemon ends with the program.
#include "common/peer.hpp"

#include <pvm3.h>

#include <filesystem>
#include <optional>

namespace {

using peer::require;

constexpr int tag = 1;

// Sets the place where the daemon and its tasks meet.
void set_folder(const std::string& folder) {
  setenv("PVM_ROOT", "/usr/lib/pvm3", 1);
  setenv("PVM_TMP", folder.c_str(), 1);
  setenv("TMPDIR", folder.c_str(), 1);
  setenv("PVM_ALLOW_ROOT", "1", 1);
}

class Daemon {
 public:
  explicit Daemon(peer::Channel& channel) : folder_("/tmp/peer-pvm-XXXXXX") {
    require(mkdtemp(folder_.data()) != nullptr, "mkdtemp");
    set_folder(folder_);
    program_.emplace(std::vector<std::string>{"pvmd"});
    const std::string place = folder_ + "/pvmd." + std::to_string(getuid());
    for (int i = 0; i < 500 && !std::filesystem::exists(place); ++i) usleep(10'000);
    require(std::filesystem::exists(place), "pvmd does not answer");
    channel.tell(folder_);
  }
  ~Daemon() {
    pvm_exit();
    program_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

 private:
  std::string folder_;
  std::optional<peer::Helper> program_;
};

// Checks the result of a PVM call; a negative result is a failure.
int checked(int result, const char* call) {
  errno = 0;
  require(result >= 0, std::string(call) + " gave " + std::to_string(result));
  return result;
}

int enroll() {
  const int own = checked(pvm_mytid(), "pvm_mytid");
  checked(pvm_setopt(PvmRoute, PvmRouteDirect), "pvm_setopt");
  return own;
}

void give(int to, std::vector<char>& message) {
  checked(pvm_initsend(PvmDataRaw), "pvm_initsend");
  checked(pvm_pkbyte(message.data(), static_cast<int>(message.size()), 1), "pvm_pkbyte");
  checked(pvm_send(to, tag), "pvm_send");
}

// Returns the task that sent the message.
int take(int from, std::vector<char>& message) {
  const int buffer = checked(pvm_recv(from, tag), "pvm_recv");
  int bytes = 0;
  int found = 0;
  int source = 0;
  checked(pvm_bufinfo(buffer, &bytes, &found, &source), "pvm_bufinfo");
  require(bytes == static_cast<int>(message.size()), "a message has another size");
  checked(pvm_upkbyte(message.data(), bytes, 1), "pvm_upkbyte");
  return source;
}

// The second task leaves before the first one ends the daemon.
void leave(peer::Channel& channel) {
  pvm_exit();
  channel.tell("left");
}

// Exchanges the numbers of the two tasks.
int meet(peer::Channel& channel, int own) {
  channel.tell(std::to_string(own));
  return std::stoi(channel.hear());
}

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  const Daemon daemon(channel);
  const int other = meet(channel, enroll());
  std::vector<char> ball(work.size, 'x');
  do {
    rounds.stamp(ball.data());
    give(other, ball);
    take(other, ball);
  } while (rounds.take(ball.data(), ball.size()));
  peer::set_number(ball.data(), peer::farewell);
  give(other, ball);
  channel.hear();  // it has left
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  set_folder(channel.hear());
  const int other = meet(channel, enroll());
  std::vector<char> ball(work.size);
  std::uint64_t count = 0;
  for (;;) {
    take(other, ball);
    if (peer::is_farewell(ball.data())) break;
    give(other, ball);
    ++count;
  }
  leave(channel);
  channel.finish(count);
}

// Nothing limits the growth of what has arrived and was not read, so at most 4,096 messages are
// under way, and the receiver acknowledges each 1,024 that it has taken.
constexpr std::uint64_t window = 4096;
constexpr std::uint64_t step = 1024;

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  const Daemon daemon(channel);
  const int other = meet(channel, enroll());
  peer::Intake intake(work);
  std::vector<char> message(work.size);
  std::vector<char> word(peer::least_size);
  for (;;) {
    take(other, message);
    if (!intake.take(message.data(), message.size())) break;
    if (intake.taken() % step == 0) give(other, word);
  }
  give(other, word);  // all messages have arrived
  channel.hear();
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  set_folder(channel.hear());
  const int other = meet(channel, enroll());
  peer::Source source(work);
  std::vector<char> message(work.size, 'x');
  std::vector<char> word(peer::least_size);
  std::uint64_t taken = 0;
  bool goes_on = true;
  while (goes_on) {
    goes_on = source.fill(message.data());
    while (source.sent() > taken + window) {
      take(other, word);
      taken += step;
    }
    give(other, message);
  }
  while (taken + step <= source.sent()) {
    take(other, word);
    taken += step;
  }
  take(other, word);
  leave(channel);
  channel.finish(source.sent());
}

std::string version() { return std::string("PVM ") + pvm_version(); }

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"pvm", version, ping, pong, drink, pour});
}
