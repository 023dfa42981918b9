#include "errand.hpp"

#include "coracle/support/quote.hpp"

#include "coracle/realizations/open.hpp"
#include "coracle/signals.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

namespace coracle::command {

namespace {

// A failure ends the command.
class Errand final : public Agent {
 public:
  using What = std::function<Task<>(Agent&)>;
  Errand(What what, std::exception_ptr& error) : what_(std::move(what)), error_(error) {}
  Task<> run() override {
    try {
      Task<> doing = what_(*this);
      co_await doing;
    } catch (...) {
      error_ = std::current_exception();
    }
  }

 private:
  What what_;
  std::exception_ptr& error_;
};

}  // namespace

StopReport do_as(const Place& place, const std::string& name, std::function<Task<>(Agent&)> what) {
  std::exception_ptr error;
  const EarlySignals early;
  Node node(open(place.realization));
  node.adopt(name, std::make_unique<Errand>(std::move(what), error));
  const bool was_told_to = wait_until_signal(node);
  StopReport report = node.stop();
  if (error && !was_told_to) std::rethrow_exception(error);
  return report;
}

namespace {

void print_at_once(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

void print_line(const std::string& line) { print_at_once(detail::shown(line)); }

void print_gap(const MessageView& marker) {
  if (marker.gap() != MessageView::unknown_gap)
    return fmt::print(stderr, "coracle: {} messages were missed\n", marker.gap());
  fmt::print(
      stderr,
      "coracle: a node has died or is out of reach; some of what its agents sent last may be "
      "missing\n");
}

void print_json(const std::string& json) { print_at_once(detail::shown_json(json)); }

}  // namespace coracle::command
