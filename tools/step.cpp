// coracle step: holds messages on their way, and lets them go one by one.
#include "commands.hpp"
#include "errand.hpp"
#include "following.hpp"

#include "coracle/operating.hpp"

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <boost/json.hpp>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr Duration looks_apart = 100ms;

// The lines of the standard input, without waiting for them.
class Lines {
 public:
  // Returns the next line if there is one.
  std::optional<std::string> next() {
    for (;;) {
      const std::size_t end = text_.find('\n');
      if (end != text_.npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      if (!read_more()) return std::nullopt;
    }
  }
  bool is_over() const noexcept { return is_over_ && text_.find('\n') == text_.npos; }

 private:
  static constexpr std::size_t longest = std::size_t{64} << 10;

  bool read_more() {
    pollfd readable{STDIN_FILENO, POLLIN, 0};
    if (is_over_ || ::poll(&readable, 1, 0) <= 0) return false;
    char bytes[4096];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) return false;
    if (count <= 0 || text_.size() > longest) return is_over_ = true, false;
    text_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  std::string text_;
  bool is_over_ = false;
};

std::optional<std::size_t> count_of(std::string_view word) {
  if (word.empty()) return 1;
  if (word == "all") return Hold::all;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size() || count == 0) return std::nullopt;
  return count;
}

Pattern pattern_of(const StepSettings& settings) {
  Pattern pattern;
  check_patterns({settings.pattern, settings.from});
  if (!settings.pattern.empty()) pattern.target(expression_of(settings.pattern));
  if (!settings.from.empty()) pattern.source(expression_of(settings.from));
  if (!settings.text.empty()) pattern.text(settings.text);
  return pattern;
}

class Stepping {
 public:
  Stepping(const StepSettings& settings, Agent& me, Hold& hold)
      : settings_(settings), me_(me), hold_(hold) {}

  // Returns when the standard input ends, or a line says so.
  Task<> run() {
    bool is_over = false;
    while (!is_over) {
      Task<HoldState> looking = hold_.look();
      HoldState held = co_await looking;
      show(held);
      while (const std::optional<std::string> line = lines_.next()) {
        if (*line == "quit") {
          is_over = true;
          break;
        }
        Task<> obeying = obey(*line);
        co_await obeying;
      }
      is_over = is_over || lines_.is_over();
      if (!is_over) co_await me_.pause(Deadline(looks_apart));
    }
  }

 private:
  // Shows the messages that have not been shown before.
  void show(const HoldState& held) {
    std::set<std::pair<std::uint64_t, std::uint32_t>> present;
    for (const HeldMessage& each : held.oldest) {
      const std::pair key(each.node, each.number);
      present.insert(key);
      if (!shown_.contains(key)) show(each);
    }
    shown_ = std::move(present);
    if (held.let_go > let_go_) {
      let_go_ = held.let_go;
      fmt::print(stderr, "coracle: {} messages were released, since a limit was reached\n",
                 let_go_);
    }
  }
  void show(const HeldMessage& each) const {
    const bool is_request = each.kind == MessageKind::request;
    if (settings_.place.json)
      return print_json(json::serialize(json::object{{"held", "message"},
                                                     {"from", each.source.view()},
                                                     {"to", each.target.view()},
                                                     {"request", is_request},
                                                     {"conversation", each.conversation},
                                                     {"bytes", each.size},
                                                     {"text", each.text}}));
    print_line(fmt::format("{} to {}{}: {}{}", each.source.str(), each.target.str(),
                           is_request ? " (request)" : "", each.text,
                           each.size > each.text.size() ? "..." : ""));
  }

  Task<> obey(std::string line) {
    if (line == "scramble on" || line == "scramble off") {
      hold_.scramble(line == "scramble on");
      co_return;
    }
    const std::optional<std::size_t> count = count_of(line);
    if (!count) {
      fmt::print(stderr,
                 "coracle: a line is empty, a number above 0, 'all', 'scramble on', 'scramble "
                 "off' or 'quit'\n");
      co_return;
    }
    Task<std::size_t> releasing = hold_.release(*count);
    const std::size_t released = co_await releasing;
    if (settings_.place.json) print_json(fmt::format("{{\"released\":{}}}", released));
    else print_line(fmt::format("released {}", released));
  }

  const StepSettings& settings_;
  Agent& me_;
  Hold& hold_;
  Lines lines_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> shown_;
  std::uint64_t let_go_ = 0;
};

Task<> step(const StepSettings& settings, Agent& me) {
  HoldOptions options;
  options.messages = settings.limit;
  Task<Hold> beginning = Hold::begin(me, pattern_of(settings), options);
  Hold hold = co_await beginning;
  hold.scramble(settings.scramble);
  Task<HoldState> looking = hold.look();
  const HoldState begun = co_await looking;
  if (settings.place.json)
    print_json(fmt::format("{{\"agents\":{},\"refused\":{}}}", begun.agents, begun.refused));
  else
    print_line(fmt::format("holds messages to {} agents; Enter releases one, a number so many",
                           begun.agents));
  Stepping stepping(settings, me, hold);
  Task<> running = stepping.run();
  co_await running;
  Task<> ending = hold.end();
  co_await ending;
}

}  // namespace

// When the command is interrupted, its agent ends, and with it the hold.
int run_step(const StepSettings& settings) {
  do_as(settings.place, settings.as,
        [&settings](Agent& me) -> Task<> { return step(settings, me); });
  return done;
}

}  // namespace coracle::command
