// The place to which an export is written.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::command {

// A file, or the standard output.
class Destination {
 public:
  // Empties the file; without a path, it is the standard output. Each function fails with
  // Errc::disk_full or Errc::disk_failed.
  explicit Destination(const std::string& path);
  void write(std::string_view part);
  // Passes on what was written.
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::FILE* stream() const noexcept { return file_ ? file_.get() : stdout; }
  [[noreturn]] void fail() const;

  const std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace coracle::command
