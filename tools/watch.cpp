// coracle watch, coracle tap: the messages between other agents, as they are sent.
#include "commands.hpp"
#include "content_json.hpp"
#include "coracle/support/content_text.hpp"
#include "errand.hpp"
#include "following.hpp"

#include "coracle/message_kind.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <string>
#include <unordered_set>

namespace coracle::command {

namespace {

namespace json = boost::json;

class Watch {
 public:
  explicit Watch(const WatchSettings& settings) : settings_(settings) {}

  // Prints a copy, a notice or a gap. Returns false if it was the last one.
  bool see(const Message& message) {
    if (message.gap() != 0) {
      print_gap(message);
      return true;
    }
    if (const auto notice = message.notice()) {
      note(message, *notice);
    } else if (!has_enough()) {
      const std::uint64_t number = numbers_.add(message);
      print(message, number);
      if (settings_.outcomes && settings_.count != 0) open_.insert(number);
    }
    return !has_enough() || !open_.empty();
  }

 private:
  bool has_enough() const { return settings_.count != 0 && numbers_.count() >= settings_.count; }

  void print(const Message& message, std::uint64_t number) const {
    const std::string_view from = message.source().name().view();
    const std::string_view to = message.target().view();
    const Content content = message.content();
    if (!settings_.place.json) {
      const std::string begin = settings_.outcomes ? fmt::format("#{} ", number) : "";
      return print_line(fmt::format("{}{} to {}: {}", begin, from, to,
                                    detail::content_text(content.type(), content.bytes())));
    }
    json::object line{{"from", from}};
    add_content(line, content.type(), content.bytes());
    line["to"] = to;
    if (message.redelivered()) line["redelivered"] = true;
    if (copied_kind(message) == MessageKind::request) line["request"] = true;
    if (message.conversation() != 0) line["conversation"] = message.conversation();
    if (settings_.outcomes) line["message"] = number;
    print_json(json::serialize(line));
  }

  void note(const Message& message, const Notice& notice) {
    if (notice.stage != NoticeStage::ended || !notice.outcome) return;
    const std::uint64_t number = numbers_.find(message);
    if (number == 0) return;
    open_.erase(number);
    const char* const outcome = to_string(*notice.outcome);
    if (!settings_.place.json) {
      const std::string why =
          notice.drop_reason ? fmt::format(" ({})", to_string(*notice.drop_reason)) : "";
      return print_line(
          fmt::format("#{} {}{}, receiver {}", number, outcome, why, notice.receiver.view()));
    }
    json::object line{
        {"message", number}, {"outcome", outcome}, {"receiver", notice.receiver.view()}};
    if (notice.drop_reason) line["reason"] = to_string(*notice.drop_reason);
    print_json(json::serialize(line));
  }

  void print_gap(const Message& gap) const {
    const bool is_known = gap.gap() != MessageView::unknown_gap;
    const char* const reason = to_string(gap.gap_reason());
    if (settings_.place.json) {
      json::object line{{"gap", nullptr}, {"reason", reason}};
      if (is_known) line["gap"] = gap.gap();
      return print_json(json::serialize(line));
    }
    const char* const what = gap.gap_reason() == GapReason::notices ? "outcomes" : "messages";
    print_line(is_known ? fmt::format("-- {} {} are missing ({})", gap.gap(), what, reason)
                        : fmt::format("-- {} may be missing: a node is out of reach", what));
  }

  const WatchSettings& settings_;
  MessageNumbers numbers_;
  std::unordered_set<std::uint64_t> open_;  // with a count: the messages without an outcome
};

}  // namespace

int run_watch(const WatchSettings& settings) {
  Watch watch(settings);
  FollowOptions options;
  options.outcomes = settings.outcomes;
  do_as(settings.place, settings.as, [&](Agent& me) -> Task<> {
    Task<> following = follow(me, settings.choice, options,
                              [&](const Message& message) { return watch.see(message); });
    co_await following;
  });
  return done;
}

}  // namespace coracle::command
