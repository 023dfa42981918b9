// The state of coracle top: the counts of the agents, their order, and the lines that show them.
// Pure: it inspects nothing and draws nothing.
// Tests: tools/top/tests/top_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/ending.hpp"
#include "coracle/inspection.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::command {

// The counts of one agent at one time.
struct Measured {
  std::string name;
  std::string node;
  std::string does;  // "waits for lab/bob", "runs"
  Incarnation life;
  // False: the policy forbids it, its node is silent, or nobody has looked yet.
  bool is_known = false;
  Time at = {};                 // when they were read
  std::optional<Duration> age;  // of this life
  std::uint64_t handled = 0;    // messages that it has sent and consumed in this life
  std::uint64_t queued = 0;
  std::uint64_t errors = 0;
  std::uint64_t restarts = 0;
  RunTime running;
};

// A line of the table: an agent, or the sum of those whose names begin alike.
struct TopRow {
  std::string name;
  std::string node;
  std::string does;
  std::size_t agents = 1;
  bool is_known = false;
  double rate = 0;  // messages that it sends and consumes in a second
  std::uint64_t queued = 0;
  std::uint64_t errors = 0;
  std::uint64_t restarts = 0;
  std::optional<double> cpu;  // its share of a processor, or the sum of theirs
};

class Top {
 public:
  enum class Order : std::uint8_t { rate, queue, cpu, errors, name };
  // The keys that stand for no character.
  enum Key : int { up = -1, down = -2, page_up = -3, page_down = -4, home = -5 };

  // Takes the counts of all agents. The first rate of an agent is that of its whole life so far;
  // later ones are those since its counts were read before. While the table is paused, nothing
  // changes.
  void take(std::vector<Measured> all);
  // Obeys a key: r, m, c, e, n sort by rate, mailbox, processor, errors, name; f folds; space
  // pauses; q ends. Returns false at the end.
  bool obey(int key);

  // All rows, folded and sorted.
  std::vector<TopRow> rows() const;
  // The lines of a screen, escaped; each takes at most `columns` cells.
  std::vector<std::string> lines(std::size_t columns, std::size_t height);
  // The lines of the table alone.
  std::vector<std::string> table(std::size_t columns) const;

 private:
  struct Counted {
    Measured counts;
    double rate = 0;
    std::optional<double> cpu = {};
  };

  static double rate_of(const Measured& now, const Counted* former);
  static std::optional<double> cpu_of(const Measured& now, const Counted* former);

  std::map<std::string, Counted> agents_;
  Order order_ = Order::rate;
  std::size_t parts_ = 0;  // of the names, beyond which they are folded; 0: they are not
  std::size_t first_ = 0;  // the first row that is shown
  std::size_t page_ = 1;   // the rows on a screen
  bool is_paused_ = false;
};

// The beginning of `text`, which is escaped already, in at most `cells` cells of a terminal; a '~'
// stands for the rest. Filled up with blanks if `fill`.
std::string fitted(std::string_view text, std::size_t cells, bool fill);

}  // namespace coracle::command
