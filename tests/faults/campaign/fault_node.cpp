// coracle-fault-node: a node of a campaign. Its writers send numbered messages to the readers of
// the other nodes; its reader and all other agents note their events in a diary, one line each:
//
//   B                        all agents of this node are there
//   A READER N               a message for that reader was accepted
//   T READER N               the sender was notified that the message is stored
//   O READER N OUTCOME       the sender was notified of its outcome
//   R NODE LIFE N MARK       the reader has read it; MARK is 1 if it is marked redelivered
//   V NODE                   the reader of that node is there, and is watched
//   W NODE REASON            ... and has ended
//   E TEXT                   something is wrong
//   L BALANCED TEXT          the ledger of the node, when it ended
//
// The time in microseconds is behind each. Only the judge (judge.py) reads the diary. The node
// lives until SIGTERM; after SIGUSR1 it sends nothing new.
#include "coracle/coracle.hpp"
#include "coracle/realizations/open.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

struct Settings {
  std::string realization, diary, me, life;
  unsigned rate = 0;  // messages a second to each peer
  std::vector<std::string> peers;
};

// A line that was written here survives the process.
class Diary {
 public:
  explicit Diary(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (file_ < 0) throw Error(Errc::no_such_file, "the diary " + path + " cannot be opened");
  }
  ~Diary() { ::close(file_); }
  Diary(const Diary&) = delete;
  Diary& operator=(const Diary&) = delete;

  void note(const std::string& what) {
    const auto now = steady_clock().now().time_since_epoch();
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const std::string line = what + " " + std::to_string(micros) + "\n";
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }

 private:
  const int file_;
};

// The state that all agents of the node share.
struct Common {
  explicit Common(Settings all) : settings(std::move(all)), diary(settings.diary) {}

  const Settings settings;
  Diary diary;
  std::atomic<bool> is_calm = false;
};

std::string reader_of(const std::string& node) { return "reader/" + node; }

// Notes why it ends, unless it ends with its node.
class Noting : public Agent {
 public:
  explicit Noting(Common& common) : common_(common) {}

  Task<> run() final {
    try {
      co_await work();
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      common_.diary.note("E " + std::string(name().view()) + ": " + error.sentence());
      throw;
    }
  }

 protected:
  virtual Task<> work() = 0;

  Common& common_;
};

// Sends to one reader, as long as not too many messages lack an outcome.
class Writer final : public Noting {
 public:
  Writer(Common& common, std::string peer) : Noting(common), peer_(std::move(peer)) {}

 private:
  Task<> work() override {
    const Duration pause_between = Duration(1s) / common_.settings.rate;
    const Name reader(reader_of(peer_));
    for (std::uint64_t number = 1;; ++number) {
      while (common_.is_calm || without_outcome_ >= window) co_await pause(10ms);
      Post post(reader, Content(text_of(number)));
      Receipt receipt = co_await track(std::move(post));
      note("A", number);
      ++without_outcome_;
      spawn(follow(number, std::move(receipt)));
      co_await pause(pause_between);
    }
  }

  static constexpr unsigned window = 300;  // well below the limit of a mailbox

  // Some texts are longer.
  std::string text_of(std::uint64_t number) const {
    std::string text = common_.settings.me + " " + common_.settings.life + " ";
    text += std::to_string(number) + " ";
    if (number % 64 == 0) text.append(20'000, 'x');
    return text;
  }
  void note(const char* what, std::uint64_t number, const char* more = nullptr) {
    std::string line = std::string(what) + " " + peer_ + " " + std::to_string(number);
    if (more != nullptr) line += std::string(" ") + more;
    common_.diary.note(line);
  }
  Task<> follow(std::uint64_t number, Receipt receipt) {
    try {
      (void)co_await receipt.reached(Stage::stored);
      if (receipt.first().stage == Stage::stored) note("T", number);
      (void)co_await receipt.reached(Stage::consumed);
    } catch (const Error&) {
      co_return;  // the node ends
    }
    --without_outcome_;
    const auto outcome = receipt.first().outcome;
    if (outcome) note("O", number, to_string(*outcome));
  }

  const std::string peer_;
  unsigned without_outcome_ = 0;
};

class Reader final : public Noting {
 public:
  using Noting::Noting;

 private:
  Task<> work() override {
    for (unsigned count = 1;; ++count) {
      const Message message = co_await receive();
      std::istringstream words{std::string(message.text())};
      std::string node, life, number;
      words >> node >> life >> number;
      common_.diary.note("R " + node + " " + life + " " + number +
                         (message.redelivered() ? " 1" : " 0"));
      if (count % 4 == 0) co_await pause(1ms);  // the message is read, but not acknowledged
    }
  }
};

// Notes when the reader of another node starts and ends.
class Watcher final : public Noting {
 public:
  Watcher(Common& common, std::string peer) : Noting(common), peer_(std::move(peer)) {}

 private:
  Task<> work() override {
    const Name reader(reader_of(peer_));
    for (;;) {
      const auto found = node().directory().try_look_up(reader);
      if (!found || !*found) {
        co_await pause(20ms);
        continue;
      }
      common_.diary.note("V " + peer_);
      std::string why = "absent";
      try {
        const Ending ending = co_await watch(reader);
        why = to_string(ending.reason);
      } catch (const Error& error) {
        if (error.errc() != Errc::no_such_agent) throw;
      }
      common_.diary.note("W " + peer_ + " " + why);
    }
  }

  const std::string peer_;
};

// Makes an agent as soon as the previous incarnation does not hold its name any more. Returns false
// when a signal ends the wait.
bool adopt_soon(Node& node, const sigset_t& told, const std::string& name,
                const std::function<std::unique_ptr<Agent>()>& make) {
  constexpr timespec soon{.tv_sec = 0, .tv_nsec = 50'000'000};
  for (;;) {
    try {
      node.adopt(AgentSpec(name), make());
      return true;
    } catch (const Error& error) {
      if (error.errc() != Errc::name_taken) throw;
    }
    if (::sigtimedwait(&told, nullptr, &soon) == SIGTERM) return false;
  }
}

Settings settings_from(char** words) {
  Settings settings;
  settings.realization = words[1];
  settings.diary = words[2];
  settings.me = words[3];
  settings.life = words[4];
  settings.rate = static_cast<unsigned>(std::strtoul(words[5], nullptr, 10));
  for (char** word = words + 6; *word != nullptr; ++word) settings.peers.emplace_back(*word);
  return settings;
}

int run(Settings settings) {
  // This happens before any thread is made, so that the signals interrupt none of them.
  sigset_t told;
  sigemptyset(&told);
  sigaddset(&told, SIGTERM);
  sigaddset(&told, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &told, nullptr);

  Common common(std::move(settings));
  const std::string &me = common.settings.me, &life = common.settings.life;
  Node node(open(common.settings.realization));
  if (!adopt_soon(node, told, reader_of(me), [&] { return std::make_unique<Reader>(common); }))
    return 0;
  for (const std::string& peer : common.settings.peers) {
    const std::string who = me + "." + life + "/" + peer;
    node.adopt(AgentSpec("watcher/" + who), std::make_unique<Watcher>(common, peer));
    node.adopt(AgentSpec("writer/" + who), std::make_unique<Writer>(common, peer));
  }
  common.diary.note("B");
  int signal = 0;
  while (sigwait(&told, &signal) == 0 && signal == SIGUSR1) common.is_calm = true;
  const StopReport report = node.stop(5s);
  std::string account = report.ledger.to_string();
  for (const StopReport::Undelivered& each : report.undelivered)
    account +=
        "; " + std::to_string(each.messages) + " not read for " + std::string(each.name.view());
  common.diary.note(std::string("L ") + (report.ledger.balanced() ? "1 " : "0 ") + account);
  return 0;
}

}  // namespace

}  // namespace coracle::test

int main(int count, char** words) {
  if (count < 7) {
    std::fprintf(stderr, "coracle-fault-node REALIZATION DIARY ME LIFE RATE PEERS...\n");
    return 2;
  }
  try {
    return coracle::test::run(coracle::test::settings_from(words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coracle-fault-node %s.%s: %s\n", words[3], words[4], error.what());
    return 1;
  }
}
