// The memory through which two processes of one host exchange bytes: a ring in each direction. The
// memory has no name, and disappears with the last of the two processes.
#pragma once

#include "realizations/net/src/shared_memory/byte_ring.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace coracle::net {

class SharedMemory {
 public:
  // Of each direction.
  static constexpr std::size_t ring_bytes = std::size_t{128} << 10;

  // Creates memory, and returns it with a descriptor for the other process, which the caller
  // closes; nothing when the system has none.
  struct Made;
  static std::optional<Made> make();
  // Maps memory that another process has created, and takes the descriptor. Returns nothing when
  // the memory is not as make() creates it: its size must be right, and nobody may be able to
  // change the size.
  static std::optional<SharedMemory> take(int descriptor);

  // The direction: towards the process that created the memory, or away from it.
  enum class Direction : std::uint8_t { to_maker, from_maker };
  RingWriter writer(Direction direction) const noexcept {
    return {head(direction), bytes(direction)};
  }
  RingReader reader(Direction direction) const noexcept {
    return {head(direction), bytes(direction)};
  }

 private:
  explicit SharedMemory(std::byte* at) noexcept : at_(at) {}
  static std::optional<SharedMemory> map(int descriptor);
  RingHead& head(Direction direction) const noexcept;
  std::span<std::byte> bytes(Direction direction) const noexcept;

  struct Unmap {
    void operator()(std::byte* at) const noexcept;
  };
  std::unique_ptr<std::byte, Unmap> at_;
};

struct SharedMemory::Made {
  SharedMemory memory;
  int descriptor;
};

}  // namespace coracle::net
