// Measures how many messages a second are stored, each awaited to *stored*, with a sync that takes
// a given time; and how long a restart takes.
//   measure-store [writers] [in flight each] [sync in ms] [seconds] [messages of the restart]
// Without arguments: a smoke run.
#include "coracle/clock.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "store/durable_store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>

namespace {

using namespace coracle;
using namespace coracle::store;
using Seconds = std::chrono::duration<double>;

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Syncs no faster than a disk that takes `sync` for it.
class SlowDisk final : public Disk {
 public:
  SlowDisk(Disk& disk, Duration sync) : disk_(disk), sync_(sync) {}

  std::uint64_t syncs() const { return syncs_; }

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    auto file = disk_.open(path, how);
    if (!file) return file.error();
    return std::unique_ptr<File>(std::make_unique<SlowFile>(*this, std::move(*file)));
  }
  Result<void> rename(std::string_view from, std::string_view to) override {
    return disk_.rename(from, to);
  }
  Result<void> remove(std::string_view path) override { return disk_.remove(path); }
  Result<void> make_folder(std::string_view path) override { return disk_.make_folder(path); }
  Result<std::vector<std::string>> list(std::string_view folder) override {
    return disk_.list(folder);
  }
  Result<void> sync_folder(std::string_view folder) override {
    return slowly([&] { return disk_.sync_folder(folder); });
  }

 private:
  class SlowFile final : public File {
   public:
    SlowFile(SlowDisk& disk, std::unique_ptr<File> file) : disk_(disk), file_(std::move(file)) {}
    Result<void> append(std::span<const std::byte> bytes) override { return file_->append(bytes); }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
      return file_->read_at(offset, into);
    }
    Result<void> sync() override {
      return disk_.slowly([&] { return file_->sync(); });
    }
    Result<std::uint64_t> size() override { return file_->size(); }
    Result<void> truncate(std::uint64_t size) override { return file_->truncate(size); }

   private:
    SlowDisk& disk_;
    std::unique_ptr<File> file_;
  };

  template <class Sync>
  Result<void> slowly(Sync sync) {
    const Time until = steady_clock().now() + sync_;
    auto done = sync();
    ++syncs_;
    while (steady_clock().now() < until) {
      const auto left = until - steady_clock().now();
      const timespec span{0, std::max<long>(0, static_cast<long>(left.count()))};
      ::ppoll(nullptr, 0, &span, nullptr);  // as a disk would do
    }
    return done;
  }

  Disk& disk_;
  Duration sync_;
  std::uint64_t syncs_ = 0;
};

// Notifies the store's thread that its worker has finished something.
struct Bell {
  void ring() {
    const std::lock_guard lock(mutex);
    rung = true;
    changed.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return rung; });
    rung = false;
  }
  std::mutex mutex;  // guards rung
  std::condition_variable changed;
  bool rung = false;
};

struct Plan {
  std::size_t writers = 10, in_flight = 8;
  Duration sync = std::chrono::microseconds(100);
  Seconds span{0.05};
  std::size_t restart = 2000;
};

int fail(const char* what) {
  std::fprintf(stderr, "measure-store: %s\n", what);
  return 1;
}

// Every writer has so many stores under way, and makes the next one when one of them is reported as
// stored. Each stored message is consumed at once, as with a receiver that keeps up.
int measure_stores(const Plan& plan) {
  const test::TemporaryFolder folder;
  const auto posix = posix_disk(folder / "data").value();
  SlowDisk disk(*posix, plan.sync);
  net::SeededRandom random(1);
  Bell bell;
  DurableOptions options;
  options.worker = [&](auto files) {
    return thread_worker(std::move(files), [&bell] { bell.ring(); });
  };
  const Clock& clock = steady_clock();
  const auto store = DurableStore::open(disk, options, random, clock.now()).value();
  const Bytes header(40), content(64);
  std::deque<std::pair<MessageId, std::size_t>> under_way;
  std::vector<MessageId> finished;
  std::vector<std::string> queues;
  for (std::size_t i = 0; i < plan.writers; ++i) queues.push_back("writer" + std::to_string(i));
  const auto put = [&](std::size_t writer, Time now) {
    const Incoming message{queues[writer], header, content, std::chrono::hours(1), true};
    under_way.emplace_back(store->messages().store(message, now).value(), writer);
  };
  const std::uint64_t syncs = disk.syncs();
  const double before = processor_seconds();
  const Time begin = clock.now();
  for (std::size_t i = 0; i < plan.writers * plan.in_flight; ++i) put(i % plan.writers, begin);
  std::uint64_t stored = 0;
  Time now = begin;
  while (now - begin < plan.span) {
    store->pump(now);
    bell.wait();
    now = clock.now();
    store->pump(now);
    if (store->failure()) return fail(store->failure()->what());
    finished.clear();
    while (!under_way.empty() && under_way.front().first <= store->durable()) {
      const auto [id, writer] = under_way.front();
      under_way.pop_front();
      finished.push_back(id);
      ++stored;
      put(writer, now);
    }
    if (!finished.empty()) store->messages().finish(finished).value();
  }
  const double seconds = Seconds(now - begin).count();
  const double used = processor_seconds() - before;
  std::printf(
      "%zu writers x %zu in flight, sync %.1f ms: %.0f stored/s (%.1f s, %.0f syncs/s, "
      "%.2f us of processor each)\n",
      plan.writers, plan.in_flight, Seconds(plan.sync).count() * 1e3,
      static_cast<double>(stored) / seconds, seconds,
      static_cast<double>(disk.syncs() - syncs) / seconds,
      used * 1e6 / static_cast<double>(std::max<std::uint64_t>(stored, 1)));
  store->close(now).value();
  if (store->messages().messages() != under_way.size()) return fail("messages are missing");
  return stored > 0 ? 0 : fail("nothing was stored");
}

int measure_restart(const Plan& plan) {
  const test::TemporaryFolder folder;
  net::SeededRandom random(1);
  const Clock& clock = steady_clock();
  const Bytes header(40), content(64);
  {
    const auto disk = posix_disk(folder / "data").value();
    const auto store = DurableStore::open(*disk, {}, random, clock.now()).value();
    for (std::size_t i = 0; i < plan.restart; ++i) {
      const std::string queue = "agent" + std::to_string(i % 1000);
      const Incoming message{queue, header, content, std::chrono::hours(1), false};
      store->messages().store(message, clock.now()).value();
      if (i % 20'000 == 0) store->pump(clock.now());
    }
    store->pump(clock.now());
    if (store->durable() < store->journal().last()) return fail("not everything is on the disk");
  }
  const auto disk = posix_disk(folder / "data").value();
  const double before = processor_seconds();
  const Time begin = clock.now();
  const auto store = DurableStore::open(*disk, {}, random, begin).value();
  const double seconds = Seconds(clock.now() - begin).count();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("restart with %zu messages (%.0f MB): %.2f s, %.2f s of processor; at most %ld MB\n",
              store->messages().messages(), static_cast<double>(store->report().bytes) / 1e6,
              seconds, processor_seconds() - before, usage.ru_maxrss / 1024);
  return store->messages().messages() == plan.restart ? 0 : fail("messages are missing");
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  const auto number = [&](int at) { return std::strtod(argv[at], nullptr); };
  if (argc > 1) plan.writers = static_cast<std::size_t>(number(1));
  if (argc > 2) plan.in_flight = static_cast<std::size_t>(number(2));
  if (argc > 3) plan.sync = std::chrono::duration_cast<Duration>(Seconds(number(3) / 1e3));
  if (argc > 4) plan.span = Seconds(number(4));
  if (argc > 5) plan.restart = static_cast<std::size_t>(number(5));
  const int stores = measure_stores(plan);
  return stores != 0 ? stores : measure_restart(plan);
}
