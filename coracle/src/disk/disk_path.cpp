#include "coracle/disk.hpp"
#include "coracle/support/quote.hpp"

namespace coracle {

namespace {

const char* fault_of_segment(std::string_view segment) {
  if (segment.empty()) return "a segment is empty; put exactly one '/' between segments";
  if (segment.size() > Disk::max_segment) return "a segment is longer than 255 bytes; shorten it";
  if (segment == "." || segment == "..") return "'.' and '..' are refused; write the whole path";
  return nullptr;
}

const char* fault_of(std::string_view path) {
  if (path.empty()) return "it is empty; give at least one character";
  if (path.size() > Disk::max_path) return "it is longer than 1024 bytes; shorten it";
  for (const char each : path)
    if (detail::is_control(static_cast<unsigned char>(each)) && (each & 0x80) == 0)
      return "it holds a control character; encode the name";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (const char* fault = fault_of_segment(path.substr(begin, end - begin))) return fault;
    begin = end + 1;
  }
  return nullptr;
}

}  // namespace

Result<void> Disk::check_path(std::string_view path) {
  if (const char* fault = fault_of(path))
    return Error(Errc::bad_path,
                 detail::quoted(path) + " is not a path within a folder: " + std::string(fault));
  return {};
}

}  // namespace coracle
