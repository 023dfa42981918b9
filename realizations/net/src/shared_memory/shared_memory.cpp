#include "realizations/net/src/shared_memory/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace coracle::net {

namespace {

// Both heads, then the bytes of both.
constexpr std::size_t heads_bytes = 4096;
constexpr std::size_t all_bytes = heads_bytes + 2 * SharedMemory::ring_bytes;
static_assert(2 * sizeof(RingHead) <= heads_bytes);
// A process that could make the memory smaller could crash any process that uses it.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

std::optional<SharedMemory> SharedMemory::map(int descriptor) {
  void* const at = ::mmap(nullptr, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return std::nullopt;
  return SharedMemory(static_cast<std::byte*>(at));
}

std::optional<SharedMemory::Made> SharedMemory::make() {
  const int descriptor = ::memfd_create("coracle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return std::nullopt;
  if (::ftruncate(descriptor, all_bytes) == 0 && ::fcntl(descriptor, F_ADD_SEALS, seals) == 0) {
    if (auto memory = map(descriptor)) {
      for (const Direction direction : {Direction::to_maker, Direction::from_maker})
        new (&memory->head(direction)) RingHead;
      return Made{*std::move(memory), descriptor};
    }
  }
  ::close(descriptor);
  return std::nullopt;
}

std::optional<SharedMemory> SharedMemory::take(int descriptor) {
  struct stat what {};
  const int sealed = ::fcntl(descriptor, F_GET_SEALS);
  const bool is_right = sealed >= 0 && (sealed & seals) == seals &&
                        ::fstat(descriptor, &what) == 0 &&
                        static_cast<std::size_t>(what.st_size) == all_bytes;
  std::optional<SharedMemory> memory;
  if (is_right) memory = map(descriptor);
  ::close(descriptor);
  return memory;
}

void SharedMemory::Unmap::operator()(std::byte* at) const noexcept { ::munmap(at, all_bytes); }

RingHead& SharedMemory::head(Direction direction) const noexcept {
  return reinterpret_cast<RingHead*>(at_.get())[static_cast<std::size_t>(direction)];
}

std::span<std::byte> SharedMemory::bytes(Direction direction) const noexcept {
  return {at_.get() + heads_bytes + static_cast<std::size_t>(direction) * ring_bytes, ring_bytes};
}

}  // namespace coracle::net
