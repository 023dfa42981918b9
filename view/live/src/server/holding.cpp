#include "server/holding.hpp"

#include "coracle/support/glob.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

constexpr Duration looks_apart = 200ms;

Pattern pattern_of_names(const std::string& names) {
  if (names.empty())
    throw Error(Errc::bad_options, "name the agents whose messages are to be held, as in lab/**");
  if (names.size() > detail::longest_glob)
    throw Error(Errc::bad_options, "a pattern is longer than 255 bytes; shorten it");
  return Pattern().target(detail::expression_of(names));
}

// The holds end with the task that shows them, so also when the viewer's agent ends.
template <class All>
class EndsWith {
 public:
  EndsWith(All& all, bool& is_running) noexcept : all_(all), is_running_(is_running) {
    is_running_ = true;
  }
  EndsWith(const EndsWith&) = delete;
  EndsWith& operator=(const EndsWith&) = delete;
  ~EndsWith() {
    all_.clear();
    is_running_ = false;
  }

 private:
  All& all_;
  bool& is_running_;
};

}  // namespace

Task<std::uint64_t> Holding::begin(Agent& me, std::string pattern) {
  Task<Hold> beginning = Hold::begin(me, pattern_of_names(pattern));
  Hold hold = co_await beginning;
  const std::uint64_t number = ++last_;
  all_.emplace(number, std::make_shared<One>(One{std::move(pattern), std::move(hold), {}}));
  if (!is_watching_) me.spawn(watch(me));
  show();
  co_return number;
}

Task<> Holding::release(Agent& me, std::uint64_t hold, std::uint64_t count) {
  const auto found = all_.find(hold);
  if (found == all_.end())
    throw Error(Errc::bad_options, "this view has no such hold any more; hold the messages again");
  const std::shared_ptr<One> one = found->second;
  if (count == 0) {
    all_.erase(found);
    Task<std::size_t> releasing = one->hold.release();
    (void)co_await releasing;
    Task<> ending = one->hold.end();
    co_await ending;
    show();
    co_return;
  }
  Task<std::size_t> releasing = one->hold.release(static_cast<std::size_t>(count));
  (void)co_await releasing;
  co_await me.yield();
  Task<> looking = look(one);
  co_await looking;
  show();
}

void Holding::scramble(const std::string& pattern, bool on) {
  bool is_known = false;
  for (const auto& [number, one] : all_) {
    if (one->pattern != pattern) continue;
    one->hold.scramble(on);
    is_known = true;
  }
  if (!is_known)
    throw Error(Errc::bad_options,
                "this view holds no messages by that pattern; hold them, and then scramble them");
}

Task<> Holding::look(std::shared_ptr<One> one) {
  Task<HoldState> looking = one->hold.look();
  one->state = co_await looking;
}

Task<> Holding::watch(Agent& me) {
  const EndsWith ends(all_, is_watching_);
  while (!all_.empty() && !feed_.browsers.empty()) {
    std::vector<std::shared_ptr<One>> present;
    for (const auto& [number, one] : all_) present.push_back(one);
    for (const auto& one : present) {
      Task<> looking = look(one);
      co_await looking;
    }
    show();
    co_await me.pause(Deadline(looks_apart));
  }
  all_.clear();
  show();
}

void Holding::show() {
  json::array holds;
  for (const auto& [number, one] : all_) {
    json::array waiting;
    for (const HeldMessage& each : one->state.oldest)
      waiting.push_back(json::object{
          {"from", each.source.view()}, {"to", each.target.view()}, {"text", utf8(each.text)}});
    holds.push_back(json::object{{"id", number},
                                 {"pattern", utf8(one->pattern)},
                                 {"count", one->state.count},
                                 {"waiting", std::move(waiting)}});
  }
  feed_.show_held(std::move(holds));
}

}  // namespace coracle::view
