// Handles: numbers that C sees as pointers. A handle that was freed, or never existed, is refused.
#pragma once

#include "coracle/errors.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace coracle::c {

// An object that a handle can name.
class Named {
 public:
  virtual ~Named() = default;
};

// The kinds of handles, so that one is not taken for another.
enum class Kind : std::uint8_t {
  node = 1,
  loop,
  port,
  message,
  messages,
  stream,
  receipt,
  entries,
  tuple,
  writer,
  reader,
  question,
  result,
  role
};

// All objects of this process that C has handles of. Safe to use from every thread.
class Handles {
 public:
  // Returns the number of a new handle. Fails with Errc::limit_reached.
  std::uintptr_t add(Kind kind, std::shared_ptr<Named> object);
  // Returns what the handle names; nullptr if it names nothing.
  std::shared_ptr<Named> find(Kind kind, std::uintptr_t handle);
  // The same, and the handle names nothing from now on.
  std::shared_ptr<Named> remove(Kind kind, std::uintptr_t handle);

 private:
  static constexpr std::size_t chunk = 1024, most_chunks = 16384;
  struct Slot {
    std::shared_ptr<Named> object;
    std::uint32_t generation = 0;
    Kind kind{};
  };
  using Chunk = std::array<Slot, chunk>;

  std::mutex& guard_of(std::size_t index) { return guards_[index % guards_.size()]; }
  // Returns nullptr for a handle of an object that never existed.
  Slot* slot_of(std::uintptr_t handle, std::size_t& index);
  // Returns whether the handle names what is in the slot.
  static bool fits(const Slot& slot, Kind kind, std::uintptr_t handle) noexcept;
  static std::uintptr_t fill(Slot& slot, std::size_t index, std::shared_ptr<Named> object);
  std::size_t free_index();

  std::array<std::mutex, 64> guards_;  // each guards its share of the slots
  std::array<std::atomic<Chunk*>, most_chunks> chunks_{};
  std::mutex mutex_;  // guards what follows
  std::deque<std::size_t> free_;
  std::size_t used_ = 0;
};

// The handles of this process; they are never destroyed.
Handles& handles();

// Reports the error of a handle that names nothing.
[[noreturn]] void fail_handle(const char* what);
// Reports the error of an argument.
[[noreturn]] void fail_argument(const char* sentence);

// Each type that a handle can name has `static constexpr Kind kind` and `static constexpr const
// char* words`, and `C`, the type of the handle in the header.
template <class T>
typename T::C* new_handle(std::shared_ptr<T> object) {
  return reinterpret_cast<typename T::C*>(handles().add(T::kind, std::move(object)));
}

template <class T>
std::shared_ptr<T> object_of(const typename T::C* handle) {
  auto found = handles().find(T::kind, reinterpret_cast<std::uintptr_t>(handle));
  if (!found) fail_handle(T::words);
  return std::static_pointer_cast<T>(std::move(found));
}

// Returns nullptr if the handle names nothing.
template <class T>
std::shared_ptr<T> remove_handle(typename T::C* handle) {
  return std::static_pointer_cast<T>(
      handles().remove(T::kind, reinterpret_cast<std::uintptr_t>(handle)));
}

}  // namespace coracle::c
