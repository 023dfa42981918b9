// coracle top: the agents of a society by their rates, their mailboxes, their use of processors and
// their errors.
#include "commands.hpp"
#include "errand.hpp"
#include "top/sampler.hpp"
#include "top/state.hpp"

#ifdef CORACLE_HAS_CURSES
#include "top/screen.hpp"
#endif

#include <fmt/format.h>
#include <unistd.h>
#include <boost/json.hpp>

#include <csignal>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace coracle::command {

namespace {

namespace json = boost::json;

// The rounds for which --once waits until each agent was inspected.
constexpr std::size_t most_rounds_of_one = 10;
constexpr std::size_t printed_columns = 120;

volatile std::sig_atomic_t was_told_to_end = 0;

bool is_over() noexcept { return was_told_to_end != 0; }

// A terminal is given back as it was, and the node leaves the society.
void end_by_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { was_told_to_end = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void print_table(const Place& place, const Top& top) {
  if (!place.json) {
    for (const std::string& line : top.table(printed_columns)) print_line(line);
    return;
  }
  for (const TopRow& each : top.rows()) {
    json::object line{{"name", each.name}};
    if (!each.does.empty()) line["does"] = each.does;
    if (each.is_known) {
      line["node"] = each.node;
      line["rate"] = each.rate;
      line["queued"] = each.queued;
      line["errors"] = each.errors;
      line["restarts"] = each.restarts;
      if (each.cpu) line["cpu"] = *each.cpu;
    }
    print_json(json::serialize(line));
  }
}

int print_tables(const TopSettings& settings) {
  Sampler sampler(settings);
  Top top;
  const std::uint64_t count = settings.once ? 1 : settings.count;
  for (std::uint64_t i = 0; !is_over() && (count == 0 || i < count); ++i) {
    std::size_t rounds = 0;
    do {
      top.take(sampler.round(is_over));
    } while (settings.once && !is_over() && sampler.unseen() != 0 && ++rounds < most_rounds_of_one);
    if (!is_over()) print_table(settings.place, top);
  }
  return done;
}

#ifdef CORACLE_HAS_CURSES
// Reads the counts on a thread of its own, so that keys never wait for a node.
class Rounds {
 public:
  explicit Rounds(Sampler& sampler)
      : thread_([this, &sampler](const std::stop_token& stop) {
          try {
            while (!stop.stop_requested()) {
              auto all = sampler.round([&] { return stop.stop_requested(); });
              const std::scoped_lock lock(mutex_);
              counts_ = std::move(all);
            }
          } catch (...) {
            const std::scoped_lock lock(mutex_);
            error_ = std::current_exception();
          }
        }) {}

  // The latest counts, once. Throws the error that ended the reading.
  std::optional<std::vector<Measured>> next() {
    const std::scoped_lock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return std::exchange(counts_, std::nullopt);
  }

 private:
  std::mutex mutex_;  // guards counts_ and error_
  std::optional<std::vector<Measured>> counts_;
  std::exception_ptr error_;
  std::jthread thread_;  // the last: it uses the others
};
#endif

}  // namespace

int run_top(const TopSettings& settings) {
  end_by_signals();
#ifdef CORACLE_HAS_CURSES
  const bool prints = settings.once || settings.place.json || settings.count != 0;
  if (!prints && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1) {
    Sampler sampler(settings);
    Top top;
    Rounds rounds(sampler);
    show_top(
        top, [&] { return rounds.next(); }, is_over);
    return done;
  }
#endif
  return print_tables(settings);
}

}  // namespace coracle::command
