#include "watch.hpp"

#include "coracle/transport_filter.hpp"

namespace coracle::testing {

std::string Seen::text() const {
  if (content.is_typed() || !content.type().starts_with("text/")) {
    return content.type().empty() ? std::string() : "<" + std::string(content.type()) + ">";
  }
  return std::string(content.text());
}

namespace detail {

namespace {

constexpr std::size_t kept = 10'000;

class WatchedTransport final : public TransportFilter {
 public:
  WatchedTransport(std::shared_ptr<Transport> next, std::shared_ptr<Watch> watch,
                   std::shared_ptr<Clock> clock)
      : TransportFilter(std::move(next)), watch_(std::move(watch)), clock_(std::move(clock)) {}

  Verdict try_carry(Envelope& envelope) override {
    Seen seen;
    seen.from = envelope.source() ? envelope.source().name().str() : std::string();
    seen.to = envelope.destination().name().str();
    seen.content = envelope.content();
    seen.conversation = envelope.conversation();
    seen.is_request = envelope.is_request();
    const Verdict verdict = next_->try_carry(envelope);
    if (verdict == Verdict::carried) {
      seen.at = clock_->now();
      watch_->add(std::move(seen));
    }
    return verdict;
  }

 private:
  const std::shared_ptr<Watch> watch_;
  const std::shared_ptr<Clock> clock_;
};

}  // namespace

void Watch::add(Seen seen) {
  const std::scoped_lock lock(mutex_);
  seen.number = ++count_;
  if (seen_.size() == kept) seen_.pop_front();
  seen_.push_back(std::move(seen));
  changed_.notify_all();
}

std::optional<Seen> Watch::find(const std::function<bool(const Seen&)>& fits, bool take) {
  const std::scoped_lock lock(mutex_);
  for (Seen& seen : seen_) {
    if (seen.taken || !fits(seen)) continue;
    Seen found = seen;
    seen.taken = take;
    return found;
  }
  return std::nullopt;
}

std::vector<Seen> Watch::all() const {
  const std::scoped_lock lock(mutex_);
  return {seen_.begin(), seen_.end()};
}

void Watch::forget() {
  const std::scoped_lock lock(mutex_);
  for (Seen& seen : seen_) seen.taken = true;
}

void Watch::wait(Duration moment) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, moment);
}

Realization watched(Realization parts, std::shared_ptr<Watch> watch, std::shared_ptr<Clock> clock) {
  parts.transport = std::make_shared<WatchedTransport>(std::move(parts.transport), std::move(watch),
                                                       std::move(clock));
  return parts;
}

}  // namespace detail

}  // namespace coracle::testing
