#include "harness/parts.hpp"

#include "harness/failures.hpp"
#include "harness/usage.hpp"

#include <coracle/links.hpp>
#include <coracle/reactor.hpp>

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

// Calls that end before they return.
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

  // What is resumed there does not say that it is over.
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

class PartLinks final : public Links {
 public:
  explicit PartLinks(Links& inner) : inner_(inner) {}

  void bind(LinkUser& user, LeaseId self) override { inner_.bind(user, self); }
  void unbind() noexcept override { inner_.unbind(); }
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
            const Content& content) override {
    const InPart part(Part::messaging);
    return inner_.send(self, to, frame, content);
  }
  bool is_heard() override { return inner_.is_heard(); }
  void refuse(LeaseId peer, std::string_view reason) override { inner_.refuse(peer, reason); }

 private:
  Links& inner_;
};

class PartTransport final : public Transport {
 public:
  explicit PartTransport(std::shared_ptr<Transport> inner) : inner_(std::move(inner)) {
    if (Links* const links = inner_->links()) links_ = std::make_unique<PartLinks>(*links);
    if (auto reactor = inner_->reactor())
      reactor_ = std::make_shared<PartReactor>(std::move(reactor));
  }

  void bind(Inbound& inbound) override { inner_->bind(inbound); }
  Links* links() noexcept override { return links_.get(); }
  std::shared_ptr<Reactor> reactor() override { return reactor_; }
  Verdict try_carry(Envelope& envelope) override {
    const InPart part(Part::messaging);
    return inner_->try_carry(envelope);
  }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    inner_->await_credit(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { inner_->forget(waiter); }

 private:
  const std::shared_ptr<Transport> inner_;
  std::unique_ptr<PartLinks> links_;
  std::shared_ptr<PartReactor> reactor_;
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

// Who waits for a directory elsewhere is over it when something else is begun.
class PartDirectory final : public Directory {
 public:
  explicit PartDirectory(std::shared_ptr<Directory> inner) : inner_(std::move(inner)) {}

  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override {
    return inner_->open_lease(std::move(identity), term);
  }
  Task<Result<void>> renew(LeaseId lease) override { return inner_->renew(lease); }
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    return inner_->close_lease(lease, reason);
  }
  Task<Result<Incarnation>> claim(Claim claim) override {
    return in_part(inner_->claim(std::move(claim)));
  }
  std::optional<Result<Incarnation>> try_claim(Claim& claim) override {
    const InPart part(Part::directory);
    return inner_->try_claim(claim);
  }
  Task<Result<Incarnation>> take_over(Claim claim) override {
    return inner_->take_over(std::move(claim));
  }
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    return in_part(inner_->leave(std::move(name), incarnation, std::move(ending)));
  }
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override {
    return inner_->describe(std::move(name), incarnation, std::move(properties));
  }
  Task<std::optional<Entry>> look_up(Name name) override {
    return in_part(inner_->look_up(std::move(name)));
  }
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override {
    const InPart part(Part::directory);
    return inner_->try_look_up(name);
  }
  Task<std::vector<Entry>> search(Query query) override {
    return in_part(inner_->search(std::move(query)));
  }
  Task<std::vector<LeaseId>> leases() override { return inner_->leases(); }
  bool may_speak_as(LeaseId lease, const Name& source) override {
    return inner_->may_speak_as(lease, source);
  }
  Task<bool> find_speaker(LeaseId lease, Name source) override {
    return inner_->find_speaker(lease, std::move(source));
  }
  Task<Result<void>> may_overhear(LeaseId lease, Name hearer) override {
    return inner_->may_overhear(lease, std::move(hearer));
  }
  Task<Result<void>> may_look(LeaseId lease, Name name) override {
    return inner_->may_look(lease, std::move(name));
  }
  Task<> catch_up() override { return inner_->catch_up(); }
  bool is_custodian(LeaseId lease) override { return inner_->is_custodian(lease); }
  void has_custody(LeaseId lease) override { inner_->has_custody(lease); }
  Task<Result<void>> join(Name group, Name member) override {
    return inner_->join(std::move(group), std::move(member));
  }
  Task<Result<void>> leave_group(Name group, Name member) override {
    return inner_->leave_group(std::move(group), std::move(member));
  }
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override {
    return inner_->members(std::move(group));
  }
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override {
    return inner_->watch(std::move(prefix), watcher);
  }
  Task<void> unwatch(std::uint64_t watch) override { return inner_->unwatch(watch); }
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override {
    return inner_->delegate(std::move(prefix), std::move(child));
  }

 private:
  template <class T>
  static Task<T> in_part(Task<T> task) {
    const Part before = std::exchange(present, Part::directory);
    T result = co_await std::move(task);
    now_in(before);
    co_return result;
  }

  const std::shared_ptr<Directory> inner_;
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
    times[static_cast<std::size_t>(Part::rest)] = all;  // next to nothing
  }
  return times;
}

}  // namespace coracle::bench
