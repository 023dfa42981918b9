// A disk in memory that the threads of a server may use, and that a test can make full.
#pragma once

#include "coracle/disk.hpp"
#include "realizations/net/src/simulated/disk.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace coracle::central {

class FillableDisk {
 public:
  FillableDisk() : random_(1), disk_(random_) {}

  // Opens the disk for a server. The disk outlives the server.
  std::function<std::unique_ptr<Disk>(const std::string&)> opener() {
    return [this](const std::string&) { return std::make_unique<FrameChannel>(*this); };
  }
  // From now on there is no more room than what is already taken.
  void fill() {
    const std::lock_guard lock(mutex_);
    disk_.set_capacity(disk_.used());
  }

 private:
  struct Handle final : File {
    Handle(FillableDisk& disk, std::unique_ptr<File> opened) : of(disk), file(std::move(opened)) {}
    ~Handle() override {
      const std::lock_guard lock(of.mutex_);
      file.reset();
    }
    Result<void> append(std::span<const std::byte> bytes) override {
      const std::lock_guard lock(of.mutex_);
      return file->append(bytes);
    }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
      const std::lock_guard lock(of.mutex_);
      return file->read_at(offset, into);
    }
    Result<void> sync() override {
      const std::lock_guard lock(of.mutex_);
      return file->sync();
    }
    Result<std::uint64_t> size() override {
      const std::lock_guard lock(of.mutex_);
      return file->size();
    }
    Result<void> truncate(std::uint64_t size) override {
      const std::lock_guard lock(of.mutex_);
      return file->truncate(size);
    }

    FillableDisk& of;
    std::unique_ptr<File> file;
  };

  struct FrameChannel final : Disk {
    explicit FrameChannel(FillableDisk& disk) : of(disk) {}
    Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
      const std::lock_guard lock(of.mutex_);
      auto file = of.disk_.disk().open(path, how);
      if (!file) return file.error();
      return std::unique_ptr<File>(std::make_unique<Handle>(of, *std::move(file)));
    }
    Result<void> rename(std::string_view from, std::string_view to) override {
      const std::lock_guard lock(of.mutex_);
      return of.disk_.disk().rename(from, to);
    }
    Result<void> remove(std::string_view path) override {
      const std::lock_guard lock(of.mutex_);
      return of.disk_.disk().remove(path);
    }
    Result<void> make_folder(std::string_view path) override {
      const std::lock_guard lock(of.mutex_);
      return of.disk_.disk().make_folder(path);
    }
    Result<std::vector<std::string>> list(std::string_view folder) override {
      const std::lock_guard lock(of.mutex_);
      return of.disk_.disk().list(folder);
    }
    Result<void> sync_folder(std::string_view folder) override {
      const std::lock_guard lock(of.mutex_);
      return of.disk_.disk().sync_folder(folder);
    }

    FillableDisk& of;
  };

  std::mutex mutex_;  // guards what follows
  net::SeededRandom random_;
  net::SimDisk disk_;
};

}  // namespace coracle::central
