#include "server/replays.hpp"

#include "coracle/errors.hpp"
#include "model/difference.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace coracle::view {

namespace {

constexpr std::size_t neighbours = 3, most_lines = 1000;

// One replay runs at a time, since each is a process.
class Running {
 public:
  explicit Running(bool& is_running) : is_running_(is_running) {
    if (is_running_)
      throw Error(Errc::limit_reached, "another replay of this view is running; wait for its end");
    is_running_ = true;
  }
  Running(const Running&) = delete;
  ~Running() { is_running_ = false; }

 private:
  bool& is_running_;
};

json::object json_of(const std::vector<ComparedLine>& all, const Times& times) {
  const auto differs = std::count_if(all.begin(), all.end(),
                                     [](const ComparedLine& each) { return !each.is_same(); });
  json::array lines;
  for (const ComparedLine& each : with_neighbours(all, neighbours, most_lines)) {
    json::object line{{"same", each.is_same()}};
    if (each.before != nullptr) line["before"] = json_of(seen_of(*each.before), times);
    if (each.after != nullptr) line["after"] = json_of(seen_of(*each.after), times);
    lines.push_back(std::move(line));
  }
  return {{"lines", std::move(lines)}, {"differs", differs}};
}

}  // namespace

std::string Replays::objection() const {
  if (story_ == nullptr)
    return "a living society cannot be replayed; open a recording with coracle view --recording "
           "FILE";
  if (options_.replay) return {};
  return options_.no_replay.empty() ? "this program shows a recording and cannot replay it"
                                    : options_.no_replay;
}

ReplayChange Replays::change_in(const json::object& request) const {
  const json::value* const n = request.if_contains("n");
  ReplayChange change;
  change.message = n == nullptr ? 0 : number_in(*n);
  if (story_->find(change.message) == nullptr)
    throw bad_request("the recording has no message of that number");
  const std::string how = text_in(request, "change");
  if (how == "drop") {
    change.how = ReplayChange::How::drop;
  } else if (how == "delay") {
    const json::value* const seconds = request.if_contains("seconds");
    const double longer =
        seconds != nullptr && seconds->is_number() ? seconds->to_number<double>() : -1;
    if (!(longer >= 0 && longer <= 1e6))
      throw bad_request("a delay is a number of seconds from 0 to 1000000");
    change.how = ReplayChange::How::delay;
    change.longer = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(longer));
  } else if (how == "text") {
    change.how = ReplayChange::How::text;
    change.text = text_in(request, "text");
  } else {
    throw bad_request("a replay drops a message, delays it, or changes its text");
  }
  return change;
}

Task<json::value> Replays::replay(Agent& me, const json::object& request) {
  if (const std::string why = objection(); !why.empty()) throw Error(Errc::unsupported, why);
  const std::function<ReplayedRun()> run = [&replay = options_.replay,
                                            change = change_in(request)] { return replay(change); };
  const Running running(is_running_);
  Task<ReplayedRun> computing = me.compute(run);
  const ReplayedRun after = co_await computing;
  json::object result = json_of(compare(*story_, *after.story), times_);
  if (!after.note.empty()) result["note"] = utf8(after.note);
  co_return result;
}

}  // namespace coracle::view
