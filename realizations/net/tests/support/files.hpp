// Short ways to use a Disk in tests; failures throw.
#pragma once

#include "coracle/disk.hpp"

#include <string>
#include <string_view>

namespace coracle::net::test {

inline std::unique_ptr<File> open(Disk& disk, std::string_view path,
                                  Disk::Open how = Disk::Open::existing_or_new) {
  return disk.open(path, how).value();
}

inline Result<void> append(File& file, std::string_view text) {
  return file.append(std::as_bytes(std::span(text.data(), text.size())));
}

// Returns everything in a file.
inline std::string content(File& file) {
  std::string text(file.size().value(), '\0');
  text.resize(file.read_at(0, std::as_writable_bytes(std::span(text.data(), text.size()))).value());
  return text;
}

// Returns everything in a file, or "(none)".
inline std::string content(Disk& disk, std::string_view path) {
  const auto file = disk.open(path, Disk::Open::existing);
  return file ? content(**file) : "(none)";
}

// Returns the kind of a failure; Errc{} when there is none.
template <class T>
Errc errc(const Result<T>& result) {
  return result ? Errc{} : result.error().errc();
}

}  // namespace coracle::net::test
