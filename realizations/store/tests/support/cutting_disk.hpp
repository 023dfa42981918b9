// A disk on which a program can die between any two of its writes.
#pragma once

#include "coracle/disk.hpp"

#include <limits>
#include <memory>
#include <string>

namespace coracle::store::test {

// Passes everything on until `left` changes have been made; then the program is dead, and every
// call fails.
class CuttingDisk final : public Disk {
 public:
  explicit CuttingDisk(Disk& disk, std::uint64_t left = std::numeric_limits<std::uint64_t>::max())
      : disk_(disk), left_(left) {}

  bool dead() const { return dead_; }
  std::uint64_t changes() const { return changes_; }
  // The data that was appended last, if nothing was synced since.
  struct Tail {
    std::string path;
    std::uint64_t from = 0, to = 0;
  };
  const Tail& tail() const { return tail_; }

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    if (auto good = how == Open::existing ? alive() : change(); !good) return good.error();
    auto file = disk_.open(path, how);
    if (!file) return file.error();
    return std::unique_ptr<File>(
        std::make_unique<CuttingFile>(*this, std::move(*file), std::string(path)));
  }
  Result<void> rename(std::string_view from, std::string_view to) override {
    if (auto good = change(); !good) return good;
    tail_ = {};
    return disk_.rename(from, to);
  }
  Result<void> remove(std::string_view path) override {
    if (auto good = change(); !good) return good;
    return disk_.remove(path);
  }
  Result<void> make_folder(std::string_view path) override {
    if (auto good = change(); !good) return good;
    return disk_.make_folder(path);
  }
  Result<std::vector<std::string>> list(std::string_view folder) override {
    if (auto good = alive(); !good) return good.error();
    return disk_.list(folder);
  }
  Result<void> sync_folder(std::string_view folder) override {
    if (auto good = change(); !good) return good;
    return disk_.sync_folder(folder);
  }

 private:
  class CuttingFile final : public File {
   public:
    CuttingFile(CuttingDisk& disk, std::unique_ptr<File> file, std::string path)
        : disk_(disk), file_(std::move(file)), path_(std::move(path)) {}

    Result<void> append(std::span<const std::byte> bytes) override {
      if (auto good = disk_.change(); !good) return good;
      const std::uint64_t from = file_->size().value();
      if (disk_.tail_.path != path_) disk_.tail_ = {path_, from, from};
      auto done = file_->append(bytes);
      disk_.tail_.to = file_->size().value();
      return done;
    }
    Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
      if (auto good = disk_.alive(); !good) return good.error();
      return file_->read_at(offset, into);
    }
    Result<void> sync() override {
      if (auto good = disk_.change(); !good) return good;
      disk_.tail_ = {};
      return file_->sync();
    }
    Result<std::uint64_t> size() override {
      if (auto good = disk_.alive(); !good) return good.error();
      return file_->size();
    }
    Result<void> truncate(std::uint64_t size) override {
      if (auto good = disk_.change(); !good) return good;
      return file_->truncate(size);
    }

   private:
    CuttingDisk& disk_;
    std::unique_ptr<File> file_;
    std::string path_;
  };

  Result<void> alive() const {
    if (!dead_) return {};
    return Error(Errc::stopped, "the program is dead in this test; start it again");
  }
  Result<void> change() {
    if (left_ == 0) dead_ = true;
    if (auto good = alive(); !good) return good;
    --left_;
    ++changes_;
    return {};
  }

  Disk& disk_;
  std::uint64_t left_, changes_ = 0;
  bool dead_ = false;
  Tail tail_;
};

}  // namespace coracle::store::test
