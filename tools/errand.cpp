#include "errand.hpp"

#include "coracle/realizations/open.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

namespace coracle::command {

namespace {

// What goes wrong ends the command.
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
  Node node(open(place.realization));
  node.adopt(name, std::make_unique<Errand>(std::move(what), error));
  node.wait();
  StopReport report = node.stop();
  if (error) std::rethrow_exception(error);
  return report;
}

void print_line(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace coracle::command
