#include "slow_disk.hpp"

#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"

#include <utility>

#include <poll.h>

namespace coracle::bench {

namespace {

// Performs `sync`, and returns when the given time has passed.
template <class Sync>
Result<void> slowly(Duration least, Sync sync) {
  const Time until = clock_now() + least;
  Result<void> done = sync();
  for (Duration left = until - clock_now(); left > Duration::zero(); left = until - clock_now()) {
    const timespec span{
        0,
        static_cast<long>(std::min<Duration>(left, std::chrono::seconds(1) - Duration(1)).count())};
    ::ppoll(nullptr, 0, &span, nullptr);
  }
  return done;
}

class SlowFile final : public File {
 public:
  SlowFile(std::unique_ptr<File> file, Duration sync) : file_(std::move(file)), sync_(sync) {}

  Result<void> append(std::span<const std::byte> bytes) override { return file_->append(bytes); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    return file_->read_at(offset, into);
  }
  Result<void> sync() override {
    return slowly(sync_, [this] { return file_->sync(); });
  }
  Result<std::uint64_t> size() override { return file_->size(); }
  Result<void> truncate(std::uint64_t size) override { return file_->truncate(size); }

 private:
  const std::unique_ptr<File> file_;
  const Duration sync_;
};

class SlowDisk final : public Disk {
 public:
  SlowDisk(std::unique_ptr<Disk> disk, Duration sync) : disk_(std::move(disk)), sync_(sync) {}

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    auto file = disk_->open(path, how);
    if (!file) return file.error();
    return std::unique_ptr<File>(std::make_unique<SlowFile>(std::move(*file), sync_));
  }
  Result<void> rename(std::string_view from, std::string_view to) override {
    return disk_->rename(from, to);
  }
  Result<void> remove(std::string_view path) override { return disk_->remove(path); }
  Result<void> make_folder(std::string_view path) override { return disk_->make_folder(path); }
  Result<std::vector<std::string>> list(std::string_view folder) override {
    return disk_->list(folder);
  }
  Result<void> sync_folder(std::string_view folder) override {
    return slowly(sync_, [&] { return disk_->sync_folder(folder); });
  }

 private:
  const std::unique_ptr<Disk> disk_;
  const Duration sync_;
};

}  // namespace

std::unique_ptr<Disk> slow_disk(const std::string& folder, Duration sync) {
  auto disk = posix_disk(folder);
  if (!disk) throw NotDone(disk.error().sentence());
  return std::make_unique<SlowDisk>(std::move(*disk), sync);
}

}  // namespace coracle::bench
