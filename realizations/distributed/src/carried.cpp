#include "carried.hpp"

#include "coracle/support/log.hpp"
#include "realizations/net/src/society/beacon/endpoints_here.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace coracle::distributed {

namespace {

// A lock that a process holds while it checks whether a directory is served, and begins to serve
// it.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  ~FileLock() {
    if (file_ >= 0) ::close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int file_;
};

bool somebody_listens(const std::string& path) {
  const int one = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (one < 0) return true;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size(), sizeof address.sun_path - 1));
  const bool answers =
      ::connect(one, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(one);
  return answers;
}

}  // namespace

Carried::Carried(std::string path, DirectoryOptions options)
    : path_(std::move(path)), options_(std::move(options)) {
  options_.listen.insert(options_.listen.begin(), "unix://" + path_);
}

void Carried::carry() {
  if (server_) return;
  const FileLock lock(path_ + ".lock");
  if (somebody_listens(path_)) return;
  ::unlink(path_.c_str());  // a process that was killed left it behind
  try {
    server_ = std::make_unique<DirectoryServer>(options_);
  } catch (const Error& error) {
    detail::log_warning(error.sentence(), detail::LogPart::directory);
  }
}

std::string folder_of(const std::string& society) {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string base = runtime != nullptr && *runtime != '\0'
                               ? std::string(runtime) + "/coracle"
                               : "/tmp/coracle-" + std::to_string(::getuid());
  // The folder of the host is another one in another network, or after a restart.
  const std::string host = base + "/" + coracle::society::this_host(),
                    folder = host + "/" + society;
  for (const std::string& each : {base, host, folder}) {
    ::mkdir(each.c_str(), 0700);
    struct stat now {};
    const bool is_ours = ::lstat(each.c_str(), &now) == 0 && S_ISDIR(now.st_mode) &&
                         now.st_uid == ::getuid() && (now.st_mode & 0077) == 0;
    if (!is_ours)
      throw Error(Errc::not_permitted,
                  "the folder " + each +
                      " is not this user's alone, so no sockets can be put there; remove it, or "
                      "give another by folder=...");
  }
  return folder;
}

}  // namespace coracle::distributed
