#include "realizations/net/src/shared_memory/byte_ring.hpp"

#include <algorithm>
#include <cstring>

namespace coracle::net {

// Each side says where it is and then looks whether the other one sleeps; each, before it sleeps,
// says so and then looks where the other one is. That takes one order of all four, so they are
// sequentially consistent.

std::optional<std::size_t> RingWriter::room() noexcept {
  read_ = head_.read.load(std::memory_order_acquire);
  const std::uint64_t filled = written_ - read_;
  if (filled > bytes_.size()) return std::nullopt;
  return bytes_.size() - static_cast<std::size_t>(filled);
}

void RingWriter::copy(std::span<const std::byte> part) noexcept {
  const std::size_t at = written_ & (bytes_.size() - 1);
  const std::size_t first = std::min(part.size(), bytes_.size() - at);
  std::memcpy(bytes_.data() + at, part.data(), first);
  std::memcpy(bytes_.data(), part.data() + first, part.size() - first);
  written_ += part.size();
}

std::optional<std::size_t> RingWriter::write(Parts parts) noexcept {
  std::size_t left = bytes_.size() - static_cast<std::size_t>(written_ - read_);
  std::size_t all = 0;
  for (const auto part : parts) {
    if (part.empty()) continue;
    if (left < part.size()) {  // perhaps more was read meanwhile
      const std::optional<std::size_t> now = room();
      if (!now) return std::nullopt;
      left = *now;
    }
    const std::size_t size = std::min(left, part.size());
    if (size != 0) copy(part.first(size));
    all += size;
    left -= size;
    if (size < part.size()) break;
  }
  if (all != 0) head_.written.store(written_, std::memory_order_seq_cst);
  return all;
}

bool RingWriter::must_wake() noexcept {
  return head_.reader_rests.load(std::memory_order_seq_cst) != 0 &&
         head_.reader_rests.exchange(0, std::memory_order_seq_cst) != 0;
}

bool RingWriter::wait() noexcept {
  head_.writer_waits.store(1, std::memory_order_seq_cst);
  const std::uint64_t filled = written_ - head_.read.load(std::memory_order_seq_cst);
  if (filled == bytes_.size()) return true;
  head_.writer_waits.store(0, std::memory_order_relaxed);
  return false;
}

std::optional<std::size_t> RingReader::read(std::span<std::byte> into) noexcept {
  const std::uint64_t there = head_.written.load(std::memory_order_acquire) - read_;
  if (there == 0) return 0;
  if (there > bytes_.size()) return std::nullopt;
  const std::size_t size = std::min(into.size(), static_cast<std::size_t>(there));
  const std::size_t at = read_ & (bytes_.size() - 1);
  const std::size_t first = std::min(size, bytes_.size() - at);
  std::memcpy(into.data(), bytes_.data() + at, first);
  std::memcpy(into.data() + first, bytes_.data(), size - first);
  read_ += size;
  head_.read.store(read_, std::memory_order_seq_cst);
  return size;
}

// Not for each byte that becomes free.
bool RingReader::must_wake() noexcept {
  if (head_.writer_waits.load(std::memory_order_seq_cst) == 0) return false;
  const std::uint64_t left = head_.written.load(std::memory_order_relaxed) - read_;
  return left <= bytes_.size() / 2 &&
         head_.writer_waits.exchange(0, std::memory_order_seq_cst) != 0;
}

bool RingReader::rest() noexcept {
  head_.reader_rests.store(1, std::memory_order_seq_cst);
  if (head_.written.load(std::memory_order_seq_cst) == read_) return true;
  work();
  return false;
}

}  // namespace coracle::net
