#include "fault_log.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

constexpr std::size_t most_known = 4096;  // peers; unknown clients may use any name

}  // namespace

FaultLog::FaultLog(net::Alarms& alarms, const Clock& clock, Log log)
    : clock_(clock), log_(std::move(log)), alarm_(alarms.make([this] { end_periods(); })) {}

void FaultLog::note(const std::string& who, const net::Closing& why) {
  if (latest_.size() >= most_known) latest_.clear();
  if (std::exchange(latest_[who], why.sentence) == why.sentence) return;
  end_periods();
  Cause& cause = causes_[why.reason];
  const std::string line = who + ": " + why.sentence;
  if (cause.said == 0) cause.until = clock_.now() + period;
  if (cause.said < named) {
    ++cause.said;
    return log_(line);
  }
  ++cause.unsaid;
  cause.last = line;
  alarm_->set(cause.until);
}

void FaultLog::end_periods() {
  const Time now = clock_.now();
  Time next = Time::max();
  for (auto& [reason, cause] : causes_) {
    if (cause.said == 0) continue;
    if (cause.until > now) {
      if (cause.unsaid != 0) next = std::min(next, cause.until);
      continue;
    }
    if (cause.unsaid != 0)
      log_("the same fault again: " + std::to_string(cause.unsaid) +
           " more; the last: " + cause.last);
    cause = {};
  }
  if (next != Time::max()) alarm_->set(next);
}

}  // namespace coracle::society
