#include "following.hpp"

#include "coracle/support/glob.hpp"

#include <algorithm>
#include <utility>

namespace coracle::command {

namespace {

std::string joined(const std::vector<std::string>& patterns) {
  std::string all;
  for (const std::string& each : patterns)
    all += (all.empty() ? "(?:" : "|(?:") + expression_of(each) + ")";
  return all;
}

// The taps that overhear a choice: one, or one for the sources and one for the targets.
class Taps {
 public:
  explicit Taps(MessageChoice choice) : choice_(std::move(choice)) {
    check_patterns(choice_.names);
    check_patterns(choice_.types);
  }

  Task<> begin(Agent& me, const FollowOptions& options) {
    TapOptions tap;
    tap.limit = options.limit;
    tap.rate = choice_.rate;
    tap.outcomes = options.outcomes;
    Pattern pattern;
    if (!choice_.text.empty()) pattern.text(choice_.text);
    if (!choice_.source.empty()) pattern.source(choice_.source);
    if (!choice_.target.empty()) pattern.target(choice_.target);
    if (choice_.names.empty()) {
      co_await me.overhear(pattern, tap);
      co_return;
    }
    const std::string names = joined(choice_.names);
    Pattern to = pattern;
    co_await me.overhear(pattern.source(names), tap);
    const Tap second = co_await me.overhear(to.target(names), tap);
    of_targets_ = second.id;
  }

  // Returns whether the message is of the choice and no other tap has it; a notice is like its
  // copy.
  bool fits(const Message& message) const {
    if (message.gap() != 0) return true;
    if (of_targets_ && message.tap() == *of_targets_ &&
        detail::fits_one(choice_.names, message.source().name().view()))
      return false;
    if (message.notice()) return true;
    if (choice_.conversation != 0 && message.conversation() != choice_.conversation) return false;
    return choice_.types.empty() || detail::fits_one(choice_.types, message.content().type());
  }

 private:
  MessageChoice choice_;
  std::optional<std::uint64_t> of_targets_;
};

}  // namespace

void check_patterns(const std::vector<std::string>& patterns) {
  for (const std::string& each : patterns) {
    if (each.size() > detail::longest_glob)
      throw Error(Errc::bad_options, "a pattern is longer than 255 bytes; shorten it");
  }
}

std::string expression_of(std::string_view pattern) { return detail::expression_of(pattern); }

Task<> follow(Agent& me, MessageChoice choice, FollowOptions options,
              std::function<bool(const Message&)> see) {
  Taps taps(std::move(choice));
  Task<> beginning = taps.begin(me, options);
  co_await beginning;
  Properties shown;
  shown.set("overhears", true);  // from now on it overhears all messages
  co_await me.describe(std::move(shown));
  const Time end = options.until.at(me.now());
  const auto next_tick = [&] { return options.tick ? me.now() + options.every : Time::max(); };
  Time next = next_tick();
  for (;;) {
    const std::optional<Message> message = co_await me.receive(Deadline(std::min(end, next)));
    if (message && message->overheard() && taps.fits(*message) && !see(*message)) co_return;
    const Time now = me.now();
    if (now >= end) co_return;
    if (now < next) continue;
    if (!options.tick()) co_return;
    next = next_tick();
  }
}

std::uint64_t MessageNumbers::add(const MessageView& copy) {
  detail::MessageKey key = detail::key_of(copy);
  numbers_[key] = ++count_;
  order_.push_back(std::move(key));
  if (order_.size() > most) {
    const auto oldest = numbers_.find(order_.front());
    if (oldest != numbers_.end() && oldest->second + most <= count_) numbers_.erase(oldest);
    order_.pop_front();
  }
  return count_;
}

std::uint64_t MessageNumbers::find(const MessageView& notice) const {
  const auto found = numbers_.find(detail::key_of(notice));
  return found == numbers_.end() ? 0 : found->second;
}

}  // namespace coracle::command
