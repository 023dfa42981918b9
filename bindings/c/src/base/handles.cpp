#include "handles.hpp"

#include "failure.hpp"

#include <string>

namespace coracle::c {

namespace {

// A handle has a generation (28 bits), a kind (4 bits) and an index (32 bits).
constexpr unsigned kind_shift = 32, generation_shift = 36;
constexpr std::uint32_t most_generation = (std::uint32_t{1} << 28) - 1;

}  // namespace

static_assert(sizeof(std::uintptr_t) == 8 && static_cast<unsigned>(Kind::role) < 15);

std::size_t Handles::free_index() {
  const std::lock_guard lock(mutex_);
  // A freed slot rests for some time, so that an old handle is noticed.
  const bool is_full = used_ == chunk * most_chunks;
  if (free_.size() > (is_full ? 0 : chunk / 2)) {
    const std::size_t index = free_.front();
    free_.pop_front();
    return index;
  }
  if (is_full)
    throw Error(Errc::limit_reached, "this process has too many handles; free some first");
  if (used_ % chunk == 0) chunks_[used_ / chunk].store(new Chunk, std::memory_order_release);
  return used_++;
}

std::uintptr_t Handles::add(Kind kind, std::shared_ptr<Named> object) {
  const std::size_t index = free_index();
  Slot& slot = (*chunks_[index / chunk].load(std::memory_order_acquire))[index % chunk];
  const std::lock_guard lock(guard_of(index));
  slot.kind = kind;
  return fill(slot, index, std::move(object));
}

std::uintptr_t Handles::fill(Slot& slot, std::size_t index, std::shared_ptr<Named> object) {
  slot.generation = slot.generation == most_generation ? 1 : slot.generation + 1;
  slot.object = std::move(object);
  return std::uintptr_t{slot.generation} << generation_shift |
         std::uintptr_t{static_cast<std::uint8_t>(slot.kind)} << kind_shift | index;
}

Handles::Slot* Handles::slot_of(std::uintptr_t handle, std::size_t& index) {
  index = handle & 0xffffffffU;
  if (index >= chunk * most_chunks) return nullptr;
  Chunk* const in = chunks_[index / chunk].load(std::memory_order_acquire);
  return in == nullptr ? nullptr : &(*in)[index % chunk];
}

bool Handles::fits(const Slot& slot, Kind kind, std::uintptr_t handle) noexcept {
  return slot.generation == handle >> generation_shift && slot.kind == kind &&
         (handle >> kind_shift & 15U) == static_cast<std::uint8_t>(kind);
}

std::shared_ptr<Named> Handles::find(Kind kind, std::uintptr_t handle) {
  std::size_t index = 0;
  Slot* const slot = slot_of(handle, index);
  if (slot == nullptr) return nullptr;
  const std::lock_guard lock(guard_of(index));
  return fits(*slot, kind, handle) ? slot->object : nullptr;
}

std::shared_ptr<Named> Handles::remove(Kind kind, std::uintptr_t handle) {
  std::size_t index = 0;
  Slot* const slot = slot_of(handle, index);
  std::shared_ptr<Named> object;
  if (slot == nullptr) return object;
  {
    const std::lock_guard lock(guard_of(index));
    if (!fits(*slot, kind, handle)) return object;
    object = std::move(slot->object);
    (void)fill(*slot, index, nullptr);  // the handle does not fit any more
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(index);
  return object;
}

Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

void fail_handle(const char* what) {
  throw Failure(CORACLE_BAD_HANDLE, std::string("this ") + what +
                                        " does not exist: it was closed or freed, or the handle "
                                        "is of another kind");
}

void fail_argument(const char* sentence) { throw Failure(CORACLE_BAD_ARGUMENT, sentence); }

}  // namespace coracle::c
