#include "coracle/support/quote.hpp"
#include "disk/posix_parts.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

namespace coracle {

namespace {

using detail::Descriptor;
using detail::posix_failure;
using detail::posix_given_up;
using detail::PosixCalls;
using detail::PosixShared;
using detail::uninterrupted;

class PosixDisk final : public Disk {
 public:
  PosixDisk(std::shared_ptr<PosixShared> shared, Descriptor root)
      : shared_(std::move(shared)), root_(std::move(root)) {}

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    auto place = find(path);
    if (!place) return place.error();
    int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    if (how != Open::existing) {
      if (shared_->failed) return posix_given_up("make", full(path));
      flags |= how == Open::new_one ? O_CREAT | O_EXCL : O_CREAT;
    }
    Descriptor file(uninterrupted(
        [&] { return ::openat(place->folder.get(), place->name.c_str(), flags, 0600); }));
    if (!file) return posix_failure("open", full(path), errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return posix_failure("open", full(path), errno);
    if (!S_ISREG(status.st_mode)) return posix_failure("open", full(path), EEXIST);
    return detail::posix_file(shared_, std::move(file), full(path));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    if (shared_->failed) return posix_given_up("rename", full(from));
    auto place = find(from);
    auto target = find(to);
    if (!place) return place.error();
    if (!target) return target.error();
    if (parent_of(from) != parent_of(to)) {
      return Error(Errc::bad_path, "cannot rename " + detail::quoted(full(from), 200) +
                                       " into another folder; copy it there, sync both folders, "
                                       "then remove it");
    }
    for (const Place* each : {&*place, &*target}) {
      struct stat status {};
      const bool there =
          ::fstatat(each->folder.get(), each->name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
      if (there && S_ISDIR(status.st_mode)) return posix_failure("rename", full(from), EISDIR);
    }
    if (::renameat(place->folder.get(), place->name.c_str(), target->folder.get(),
                   target->name.c_str()) != 0)
      return posix_failure("rename", full(from), errno);
    return {};
  }

  Result<void> remove(std::string_view path) override {
    if (shared_->failed) return posix_given_up("remove", full(path));
    auto place = find(path);
    if (!place) return place.error();
    if (::unlinkat(place->folder.get(), place->name.c_str(), 0) != 0)
      return posix_failure("remove", full(path), errno);
    return {};
  }

  Result<void> make_folder(std::string_view path) override {
    if (shared_->failed) return posix_given_up("make", full(path));
    auto place = find(path);
    if (!place) return place.error();
    if (::mkdirat(place->folder.get(), place->name.c_str(), 0700) != 0)
      return posix_failure("make", full(path), errno);
    return {};
  }

  Result<std::vector<std::string>> list(std::string_view folder) override {
    auto found = open_folder(folder);
    if (!found) return found.error();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(found->get()), ::closedir);
    if (!entries) return posix_failure("list", full(folder), errno);
    found->release();  // closedir() closes it
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (names.size() == max_entries) {
        return Error(Errc::limit_reached, detail::quoted(full(folder), 200) +
                                              " has more than 100000 entries; use several folders");
      }
      struct stat status {};
      const bool is_folder =
          ::fstatat(::dirfd(entries.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISDIR(status.st_mode);
      names.push_back(std::string(name) + (is_folder ? "/" : ""));
      errno = 0;
    }
    if (errno != 0) return posix_failure("list", full(folder), errno);
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<void> sync_folder(std::string_view folder) override {
    if (shared_->failed) return posix_given_up("sync", full(folder));
    auto found = open_folder(folder);
    if (!found) return found.error();
    if (shared_->calls.fsync(found->get()) == 0) return {};
    const int error = errno;
    shared_->failed = true;
    return Error(Errc::disk_failed, posix_failure("sync", full(folder), error).sentence());
  }

 private:
  // An entry of a folder, whether it exists or not.
  struct Place {
    Descriptor folder;
    std::string name;
  };

  std::string full(std::string_view path) const {
    return path.empty() ? shared_->folder : shared_->folder + "/" + std::string(path);
  }
  static std::string_view parent_of(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == path.npos ? std::string_view() : path.substr(0, slash);
  }

  Result<Place> find(std::string_view path) {
    if (auto good = check_path(path); !good) return good.error();
    const std::string_view parent = parent_of(path);
    auto folder = open_folder(parent);
    if (!folder) return folder.error();
    return Place{std::move(*folder),
                 std::string(path.substr(parent.empty() ? 0 : parent.size() + 1))};
  }

  // Opens one segment at a time, so that no symbolic link on the path is followed.
  Result<Descriptor> open_folder(std::string_view path) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
    if (!path.empty())
      if (auto good = check_path(path); !good) return good.error();
    Descriptor folder(::openat(root_.get(), ".", flags));
    for (std::size_t begin = 0; folder && begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string segment(path.substr(begin, end - begin));
      folder = Descriptor(::openat(folder.get(), segment.c_str(), flags));
      begin = end + 1;
    }
    if (!folder) return posix_failure("open the folder", full(path), errno);
    return folder;
  }

  std::shared_ptr<PosixShared> shared_;
  Descriptor root_;
};

}  // namespace

namespace detail {

Result<std::unique_ptr<Disk>> posix_disk_with(const std::string& folder, const PosixCalls& calls) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    const int error = errno;
    if (error != ENOENT) return posix_failure("make the folder", folder, error);
    return Error(Errc::no_such_file, "cannot make the folder " + quoted(folder, 200) +
                                         ", because the folder above it is missing; make that "
                                         "first, or choose another one");
  }
  Descriptor root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root && errno == ENOTDIR)
    return Error(Errc::file_exists, quoted(folder, 200) + " is a file; choose a folder");
  if (!root) return posix_failure("open the folder", folder, errno);
  if (::flock(root.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error(Errc::not_permitted, "the folder " + quoted(folder, 200) +
                                          " is in use by another process; end it first, or give "
                                          "each its own folder");
  }
  auto shared = std::make_shared<PosixShared>(PosixShared{calls, folder});
  return std::unique_ptr<Disk>(std::make_unique<PosixDisk>(std::move(shared), std::move(root)));
}

}  // namespace detail

Result<std::unique_ptr<Disk>> posix_disk(const std::string& folder) {
  return detail::posix_disk_with(folder, detail::posix_calls());
}

}  // namespace coracle
