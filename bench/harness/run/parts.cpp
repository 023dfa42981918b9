#include "parts.hpp"

#include "failures.hpp"
#include "harness/figures/usage.hpp"

#include <coracle/directory_filter.hpp>
#include <coracle/reactor.hpp>
#include <coracle/transport_filter.hpp>

#include <atomic>
#include <csignal>
#include <memory>
#include <numeric>
#include <utility>

#include <sys/time.h>

namespace coracle::bench {

namespace {

thread_local Part present = Part::rest;
std::array<std::atomic<std::uint64_t>, parts.size()> looks;

void look(int) { looks[static_cast<std::size_t>(present)].fetch_add(1, std::memory_order_relaxed); }

void look_each(std::chrono::microseconds span) {
  itimerval timer{};
  timer.it_interval.tv_usec = timer.it_value.tv_usec = static_cast<suseconds_t>(span.count());
  if (setitimer(ITIMER_PROF, &timer, nullptr) != 0) throw NotDone("the system gives no timer");
}

// The part of a call that ends before it returns.
class InPart {
 public:
  explicit InPart(Part part) noexcept : before_(std::exchange(present, part)) {}
  ~InPart() { present = before_; }
  InPart(const InPart&) = delete;
  InPart& operator=(const InPart&) = delete;

 private:
  const Part before_;
};

class PartReactor final : public Reactor {
 public:
  explicit PartReactor(std::shared_ptr<Reactor> inner) : inner_(std::move(inner)) {}

  // A coroutine that is resumed there does not mark its end.
  bool poll() override { return now_in(Part::messaging), over(inner_->poll()); }
  void wait(Duration longest) override {
    now_in(Part::messaging);
    inner_->wait(longest);
    now_in(Part::rest);
  }
  void wake() override { inner_->wake(); }
  bool is_ready() override { return inner_->is_ready(); }
  void flush() override {
    now_in(Part::messaging);
    inner_->flush();
    now_in(Part::rest);
  }

 private:
  static bool over(bool result) { return now_in(Part::rest), result; }

  const std::shared_ptr<Reactor> inner_;
};

class PartTransport final : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;

  Verdict try_carry(Envelope& envelope) override {
    const InPart part(Part::messaging);
    return next_->try_carry(envelope);
  }
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame, const Content& content,
            const Apart* apart) override {
    const InPart part(Part::messaging);
    return next_->send(self, to, frame, content, apart);
  }
};

class PartQueue final : public Queue {
 public:
  explicit PartQueue(std::unique_ptr<Queue> inner) : inner_(std::move(inner)) {}

  void put(Envelope envelope) override {
    const InPart part(Part::messaging);
    inner_->put(std::move(envelope));
  }
  void put_back(Envelope envelope) override { inner_->put_back(std::move(envelope)); }
  Envelope take(const Match& match) override {
    const InPart part(Part::messaging);
    return inner_->take(match);
  }
  std::size_t count(const Match& match) const override {
    const InPart part(Part::messaging);
    return inner_->count(match);
  }
  void each(const std::function<void(const Envelope&)>& show) const override { inner_->each(show); }
  std::size_t size() const noexcept override { return inner_->size(); }
  std::size_t bytes() const noexcept override { return inner_->bytes(); }

 private:
  const std::unique_ptr<Queue> inner_;
};

// A call that waits for a directory elsewhere counts until the thread begins something else.
class PartDirectory final : public DirectoryFilter {
 public:
  using DirectoryFilter::DirectoryFilter;

  Task<Result<Incarnation>> claim(Claim claim) override {
    return in_part(next().claim(std::move(claim)));
  }
  std::optional<Result<Incarnation>> try_claim(Claim& claim) override {
    const InPart part(Part::directory);
    return next().try_claim(claim);
  }
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    return in_part(next().leave(std::move(name), incarnation, std::move(ending)));
  }
  Task<std::optional<Entry>> look_up(Name name) override {
    return in_part(next().look_up(std::move(name)));
  }
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override {
    const InPart part(Part::directory);
    return next().try_look_up(name);
  }
  Task<std::vector<Entry>> search(Query query) override {
    return in_part(next().search(std::move(query)));
  }

 private:
  template <class T>
  static Task<T> in_part(Task<T> task) {
    const Part before = std::exchange(present, Part::directory);
    T result = co_await std::move(task);
    now_in(before);
    co_return result;
  }
};

}  // namespace

const char* to_string(Part part) noexcept {
  switch (part) {
    case Part::agents:
      return "agents";
    case Part::messaging:
      return "messaging";
    case Part::directory:
      return "directory";
    case Part::rest:
      break;
  }
  return "rest";
}

void now_in(Part part) noexcept { present = part; }

Realization with_parts(Realization realization) {
  realization.transport = std::make_shared<PartTransport>(std::move(realization.transport));
  if (realization.reactor)
    realization.reactor = std::make_shared<PartReactor>(std::move(realization.reactor));
  realization.directory = std::make_shared<PartDirectory>(std::move(realization.directory));
  realization.queue = [make = std::move(realization.queue)](const Name& owner) {
    return std::make_unique<PartQueue>(make(owner));
  };
  return realization;
}

PartClock::PartClock() : begin_(usage_of_process().both()) {
  for (auto& each : looks) each = 0;
  struct sigaction action {};
  action.sa_handler = look;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  look_each(std::chrono::milliseconds(1));
}

PartClock::~PartClock() { look_each({}); }

PartTimes PartClock::times() const {
  const double all = usage_of_process().both() - begin_;
  PartTimes times{};
  for (const Part part : parts)
    times[static_cast<std::size_t>(part)] =
        static_cast<double>(looks[static_cast<std::size_t>(part)].load());
  const double count = std::accumulate(times.begin(), times.end(), 0.0);
  if (count > 0) {
    for (double& each : times) each *= all / count;
  } else {
    times[static_cast<std::size_t>(Part::rest)] = all;  // the remainder is next to nothing
  }
  return times;
}

}  // namespace coracle::bench
