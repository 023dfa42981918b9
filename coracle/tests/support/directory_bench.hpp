// A directory with a clock moved by hand, one lease, and short ways to use them in tests.
#pragma once

#include "coracle/directory.hpp"
#include "support/manual_clock.hpp"
#include "support/run_now.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test {

// Records the events it gets: "arrived lab/a", "ended lab/a fenced", "joined lab/a to g" …
class Diary final : public DirectoryWatcher {
 public:
  void on_change(const DirectoryEvent& event) noexcept override {
    const std::string name = event.name.str();
    switch (event.kind) {
      case DirectoryEvent::Kind::arrived: lines.push_back("arrived " + name); break;
      case DirectoryEvent::Kind::changed: lines.push_back("changed " + name); break;
      case DirectoryEvent::Kind::ended:
        lines.push_back("ended " + name + " " + to_string(event.ending.reason));
        break;
      case DirectoryEvent::Kind::joined:
        lines.push_back("joined " + name + " to " + event.group.str());
        break;
      case DirectoryEvent::Kind::left:
        lines.push_back("left " + name + " from " + event.group.str());
        break;
      case DirectoryEvent::Kind::lease_ended: return;
    }
    last = event;
  }

  // Returns all lines so far, and forgets them.
  std::string read() {
    std::string all;
    for (const std::string& line : std::exchange(lines, {}))
      all += all.empty() ? line : "; " + line;
    return all;
  }

  std::vector<std::string> lines;
  DirectoryEvent last;
};

// The objects that directory tests begin with.
struct DirectoryBench {
  explicit DirectoryBench(DirectoryLimits limits = {})
      : directory(local_directory(clock, 1, limits)), lease(open("ann")) {}

  LeaseId open(const std::string& identity, Duration term = std::chrono::seconds(10)) {
    return run_now(directory->open_lease(identity, term)).value();
  }
  Result<Incarnation> claim(const Name& name, LeaseId with, Properties properties = {}) {
    Claim claim(name, with);
    claim.properties = std::move(properties);
    return run_now(directory->claim(std::move(claim)));
  }
  Incarnation claim(const Name& name) { return claim(name, lease).value(); }
  Result<Incarnation> take_over(const Name& name, LeaseId with) {
    return run_now(directory->take_over(Claim(name, with)));
  }
  Result<void> leave(const Name& name, Incarnation incarnation,
                     EndReason reason = EndReason::stopped) {
    return run_now(directory->leave(name, incarnation, {name, incarnation, reason, "why"}));
  }
  std::optional<Entry> look_up(const Name& name) { return run_now(directory->look_up(name)); }
  // Returns the names that fit, separated by spaces.
  std::string search(Query query) {
    std::string names;
    for (const Entry& entry : run_now(directory->search(std::move(query))))
      names += (names.empty() ? "" : " ") + entry.name.str();
    return names;
  }
  std::string members(const Name& group) {
    std::string names;
    for (const Name& name : *run_now(directory->members(group)))
      names += (names.empty() ? "" : " ") + name.str();
    return names;
  }
  Result<void> join(const Name& group, const Name& member) {
    return run_now(directory->join(group, member));
  }

  ManualClock clock;
  std::shared_ptr<Directory> directory;
  LeaseId lease;
};

// Returns whether `result` failed with `errc`, and with a sentence of some length.
template <class T>
bool fails_with(const Result<T>& result, Errc errc) {
  return !result && result.error().errc() == errc && result.error().sentence().size() > 20;
}

}  // namespace coracle::test
