#include "coracle/support/quote.hpp"
#include "disk/posix_parts.hpp"

#include <sys/stat.h>

#include <cstring>

namespace coracle::detail {

namespace {

struct Kind {
  Errc errc;
  const char* advice;
};

Kind kind_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {Errc::disk_full, "free some room, then try again"};
    case ENOENT:
    case ENOTDIR:
      return {Errc::no_such_file, "check its name, or make it first"};
    case EEXIST:
    case EISDIR:
    case ENOTEMPTY:
      return {Errc::file_exists, "choose another name"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {Errc::not_permitted, "give this user the right to do so"};
    case ELOOP:
      return {Errc::bad_path, "links are not followed; put the file itself there"};
    case EMFILE:
    case ENFILE:
      return {Errc::limit_reached, "raise the limit of open files"};
    default:
      return {Errc::disk_failed, "check the disk before you rely on anything on it"};
  }
}

class PosixFile final : public File {
 public:
  PosixFile(std::shared_ptr<PosixShared> shared, Descriptor file, std::string path)
      : shared_(std::move(shared)), file_(std::move(file)), path_(std::move(path)) {}

  Result<void> append(std::span<const std::byte> bytes) override {
    if (shared_->failed) return posix_given_up("append to", path_);
    while (!bytes.empty()) {
      const ssize_t written = uninterrupted(
          [&] { return shared_->calls.write(file_.get(), bytes.data(), bytes.size()); });
      if (written <= 0) return write_failed("append to", written < 0 ? errno : ENOSPC);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    std::size_t done = 0;
    while (done < into.size()) {
      const ssize_t count = uninterrupted([&] {
        return shared_->calls.pread(file_.get(), into.data() + done, into.size() - done,
                                    static_cast<off_t>(offset + done));
      });
      if (count < 0) return posix_failure("read", path_, errno);
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  Result<void> sync() override {
    if (shared_->failed) return posix_given_up("sync", path_);
    // A failed sync is not repeated: the second call would find nothing to write and succeed.
    if (shared_->calls.fdatasync(file_.get()) == 0) return {};
    const int error = errno;
    shared_->failed = true;
    return Error(Errc::disk_failed, posix_failure("sync", path_, error).sentence());
  }

  Result<std::uint64_t> size() override {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return posix_failure("measure", path_, errno);
    return static_cast<std::uint64_t>(status.st_size);
  }

  Result<void> truncate(std::uint64_t size) override {
    if (shared_->failed) return posix_given_up("truncate", path_);
    auto now = this->size();
    if (!now) return now.error();
    if (size > *now) {
      return Error(Errc::bad_options, "cannot truncate " + quoted(path_, 200) + " to " +
                                          std::to_string(size) + " bytes: it has only " +
                                          std::to_string(*now) + "; append instead");
    }
    if (uninterrupted([&] { return ::ftruncate(file_.get(), static_cast<off_t>(size)); }) != 0)
      return write_failed("truncate", errno);
    return {};
  }

 private:
  Error write_failed(const char* what, int error) {
    Error result = posix_failure(what, path_, error);
    if (result.errc() == Errc::disk_failed) shared_->failed = true;
    return result;
  }

  std::shared_ptr<PosixShared> shared_;
  Descriptor file_;
  std::string path_;
};

}  // namespace

Error posix_failure(const char* what, const std::string& path, int error) {
  const Kind kind = kind_of(error);
  return Error(kind.errc, std::string("cannot ") + what + " " + quoted(path, 200) + " (" +
                              std::strerror(error) + "); " + kind.advice);
}

Error posix_given_up(const char* what, const std::string& path) {
  return Error(Errc::disk_failed, std::string("cannot ") + what + " " + quoted(path, 200) +
                                      ": an earlier write or sync failed, so the contents of the "
                                      "disk are unknown; restart, and check what is there");
}

std::unique_ptr<File> posix_file(std::shared_ptr<PosixShared> shared, Descriptor file,
                                 std::string path) {
  return std::make_unique<PosixFile>(std::move(shared), std::move(file), std::move(path));
}

PosixCalls posix_calls() { return {::write, ::pread, ::fdatasync, ::fsync}; }

}  // namespace coracle::detail
