#include "view/destination.hpp"

#include "coracle/errors.hpp"

#include <cerrno>
#include <cstring>

namespace coracle::command {

Destination::Destination(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_.reset(std::fopen(path.c_str(), "wb"));
  if (!file_) fail();
}

void Destination::write(std::string_view part) {
  if (std::fwrite(part.data(), 1, part.size(), stream()) != part.size()) fail();
}

void Destination::flush() {
  if (std::fflush(stream()) != 0) fail();
}

void Destination::fail() const {
  const Errc why = errno == ENOSPC ? Errc::disk_full : Errc::disk_failed;
  throw Error(why, "cannot write " +
                       (path_.empty() ? std::string("the output") : "'" + path_ + "'") + ": " +
                       std::strerror(errno) + "; write to another place");
}

}  // namespace coracle::command
