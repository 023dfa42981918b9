#include "store/disk_worker.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace coracle::store {

namespace {

struct Doing {
  SegmentFiles& files;
  WorkDone& done;

  void keep(Result<Bytes> bytes) {
    if (bytes) {
      done.bytes = std::move(*bytes);
    } else {
      done.error = bytes.error();
    }
  }
  void keep(const Result<void>& result) {
    if (!result) done.error = result.error();
  }
  void operator()(Batch& batch) { keep(files.write(batch)); }
  void operator()(const FetchRecord& fetch) { keep(files.read(fetch.place)); }
  void operator()(const FetchSegment& fetch) { keep(files.read_segment(fetch.number)); }
  void operator()(Refill) { keep(files.refill()); }
};

WorkDone do_work(SegmentFiles& files, Work work) {
  WorkDone done{std::move(work), std::nullopt, {}, false, 0};
  std::visit(Doing{files, done}, done.work);
  done.full = files.full();
  done.room = files.reserve();
  return done;
}

class InlineWorker final : public DiskWorker {
 public:
  explicit InlineWorker(std::unique_ptr<SegmentFiles> files) : files_(std::move(files)) {}

  void submit(Work work) override { done_.push_back(do_work(*files_, std::move(work))); }
  std::optional<WorkDone> poll() override {
    if (done_.empty()) return std::nullopt;
    WorkDone done = std::move(done_.front());
    done_.pop_front();
    return done;
  }
  void wait() override {}

 private:
  std::unique_ptr<SegmentFiles> files_;
  std::deque<WorkDone> done_;
};

class ThreadWorker final : public DiskWorker {
 public:
  ThreadWorker(std::unique_ptr<SegmentFiles> files, std::function<void()> wake)
      : files_(std::move(files)), wake_(std::move(wake)), thread_([this] { run(); }) {}

  ~ThreadWorker() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void submit(Work work) override {
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    changed_.notify_all();
  }

  std::optional<WorkDone> poll() override {
    const std::lock_guard lock(mutex_);
    if (done_.empty()) return std::nullopt;
    WorkDone done = std::move(done_.front());
    done_.pop_front();
    return done;
  }

  void wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !done_.empty() || (work_.empty() && !busy_); });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ends_ || !work_.empty(); });
      if (ends_) return;
      Work work = std::move(work_.front());
      work_.pop_front();
      busy_ = true;
      lock.unlock();
      WorkDone done = do_work(*files_, std::move(work));
      lock.lock();
      busy_ = false;
      done_.push_back(std::move(done));
      changed_.notify_all();
      lock.unlock();
      if (wake_) wake_();
      lock.lock();
    }
  }

  std::unique_ptr<SegmentFiles> files_;
  std::function<void()> wake_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Work> work_;
  std::deque<WorkDone> done_;
  bool busy_ = false, ends_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<DiskWorker> inline_worker(std::unique_ptr<SegmentFiles> files) {
  return std::make_unique<InlineWorker>(std::move(files));
}

std::unique_ptr<DiskWorker> thread_worker(std::unique_ptr<SegmentFiles> files,
                                          std::function<void()> wake) {
  return std::make_unique<ThreadWorker>(std::move(files), std::move(wake));
}

}  // namespace coracle::store
