// Many nodes that have nothing to do, each in a process of its own with a few agents: the time
// until all of them are there, what they take of the machine, and how soon the loss of half of them
// is noticed.
#include "harness/figures/usage.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/directory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>

#include <time.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

constexpr unsigned agents_of_node = 5;
constexpr unsigned most_nodes = 1000;

// Ends when only so many nodes are left.
class Observer : public Player {
 public:
  explicit Observer(std::size_t left) : left_(left) {}

 protected:
  Task<> play() override {
    for (;;) {
      const std::vector<LeaseId> leases = co_await node().directory().leases();
      if (leases.size() <= left_) co_return;
      co_await pause(std::chrono::milliseconds(5));
    }
  }

 private:
  const std::size_t left_;
};

// The bytes of a process that are its own, not those of files.
double own_bytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("RssAnon:")) return 1024 * std::stod(line.substr(8));
  }
  throw NotDone("a node has ended");
}

double processor_time(pid_t process) {
  clockid_t clock{};
  timespec taken{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &taken) != 0)
    throw NotDone("a node has ended");
  return 1e9 * static_cast<double>(taken.tv_sec) + static_cast<double>(taken.tv_nsec);
}

double sockets(pid_t process) {
  double found = 0;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), ignored)) {
    found += std::filesystem::read_symlink(entry.path(), ignored).string().starts_with("socket:");
  }
  return found;
}

// The nodes, each of which reports when its agents are there.
class Crowd {
 public:
  Crowd(MeetingPlace& place, const Options& here, unsigned count) {
    if (pipe(there_) != 0) throw NotDone("no pipe could be made");
    for (unsigned number = 0; number < count; ++number) {
      nodes_.emplace_back([this, &place, here, number] { live(place, here, number); });
      bytes_before_ += own_bytes(nodes_.back().process());
    }
    close(there_[1]);
  }
  Crowd(const Crowd&) = delete;
  ~Crowd() { close(there_[0]); }

  void wait_for_all() {
    char said = 0;
    for (std::size_t come = 0; come < nodes_.size(); ++come)
      if (read(there_[0], &said, 1) != 1) throw NotDone("the nodes did not come");
  }
  void kill_half() {
    for (std::size_t left = nodes_.size() / 2; nodes_.size() > left;) nodes_.pop_back();
  }

  double bytes() const { return sum(own_bytes) - bytes_before_; }
  // A sum over all nodes.
  template <class Figure>
  double sum(Figure figure) const {
    double all = 0;
    for (const Partner& node : nodes_) all += figure(node.process());
    return all;
  }

 private:
  void live(MeetingPlace& place, Options here, unsigned number) {
    place.enter(here);
    Society society(here);
    for (unsigned each = 0; each < agents_of_node; ++each)
      society.node().create<Resting>(placed(fmt::format("quiet/{}/{}", number, each), 0));
    if (write(there_[1], "x", 1) != 1) throw NotDone("nobody is there");
    while (true) let_pass(std::chrono::hours(1));
  }

  int there_[2] = {-1, -1};
  double bytes_before_ = 0;
  std::deque<Partner> nodes_;
};

// Milliseconds, percent of a processor, bytes and sockets of a node, milliseconds.
std::vector<double> be_quiet(const Options& options, unsigned count) {
  MeetingPlace place;
  Options here = place.here(options);
  Crowd crowd(place, here, count);
  const Time begun = clock_now();
  place.serve(here);
  crowd.wait_for_all();
  const double ready = nanoseconds(clock_now() - begun) / 1e6;
  Society society(here);
  let_pass(seconds(options.interval(0.5, 35)));  // the work of the beginning is over by then
  const double before = crowd.sum(processor_time);
  const Usage own = usage_of_process();
  let_pass(seconds(options.interval(0.5, 5)));
  const Usage used = usage_of_process() - own;
  const double processor = 100 * (crowd.sum(processor_time) - before + used.both()) / used.passed;
  const double memory = crowd.bytes() / count;
  const double open = crowd.sum(sockets) / count;
  society.node().create<Observer>("observer", count - count / 2 + 1);
  crowd.kill_half();
  const Time killed = clock_now();
  society.wait();
  const double noticed = nanoseconds(clock_now() - killed) / 1e6;
  return {ready, processor, memory, open, noticed};
}

}  // namespace

std::vector<Metric> run_quiet(const Options& options, Progress& progress) {
  if (!has_service(options)) throw BadRequest("quiet: write --realization distributed:");
  const unsigned count = options.count.value_or(options.quick ? 6 : 200);
  if (count < 2 || count > most_nodes)
    throw BadRequest(fmt::format("quiet: --count is a number of nodes from 2 to {}", most_nodes));
  std::vector<std::vector<double>> parts(5);
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    progress.step(fmt::format("{} nodes, repeat {}/{}", count, repeat + 1, options.repeats()));
    const auto found = measured_in_child([&] { return be_quiet(options, count); });
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part].push_back(found.at(part));
  }
  const Params params = {{"nodes", std::int64_t{count}}, {"agents", std::int64_t{agents_of_node}}};
  const char* const names[][2] = {{"there", "ms"},
                                  {"processor", "%"},
                                  {"memory", "bytes/node"},
                                  {"sockets", "sockets/node"},
                                  {"loss noticed", "ms"}};
  std::vector<Metric> metrics;
  for (std::size_t part = 0; part < parts.size(); ++part)
    metrics.push_back({names[part][0], names[part][1], params, summarize(parts[part], count), {}});
  return metrics;
}

}  // namespace coracle::bench
