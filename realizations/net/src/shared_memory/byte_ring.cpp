#include "realizations/net/src/shared_memory/byte_ring.hpp"

#include <algorithm>
#include <cstring>

namespace coracle::net {

// Each side publishes its position and then looks whether the other one sleeps. Before a side
// sleeps, it publishes that and then looks at the other's position. This requires one order of all
// four operations, so they are sequentially consistent.

// Both counters only grow, so that bytes once seen to be there stay there, and a peer cannot keep
// this side busy with bytes that come and go.

bool RingWriter::believe(std::uint64_t read) noexcept {
  if (written_ - read > written_ - read_) is_sound_ = false;
  if (is_sound_) read_ = read;
  return is_sound_;
}

void RingWriter::copy(std::span<const std::byte> part) noexcept {
  const std::size_t at = written_ & (bytes_.size() - 1);
  const std::size_t first = std::min(part.size(), bytes_.size() - at);
  std::memcpy(bytes_.data() + at, part.data(), first);
  std::memcpy(bytes_.data(), part.data() + first, part.size() - first);
  written_ += part.size();
}

std::optional<std::size_t> RingWriter::write(ByteSpans parts) noexcept {
  if (!is_sound_) return std::nullopt;
  std::size_t left = room();
  std::size_t all = 0;
  for (const auto part : parts) {
    if (part.empty()) continue;
    if (left < part.size()) {  // perhaps more was read meanwhile
      if (!believe(head_.read.load(std::memory_order_acquire))) return std::nullopt;
      left = room();
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

bool RingWriter::wait(bool for_all) noexcept {
  head_.writer_waits.store(1, std::memory_order_seq_cst);
  const bool is_sound = believe(head_.read.load(std::memory_order_seq_cst));
  if (is_sound && (for_all ? written_ != read_ : room() == 0)) return true;
  head_.writer_waits.store(0, std::memory_order_relaxed);
  return false;
}

bool RingReader::believe(std::uint64_t written) noexcept {
  if (has_ended_) return is_sound_;
  if (written - read_ < there() || written - read_ > bytes_.size()) is_sound_ = false;
  if (is_sound_) written_ = written;
  return is_sound_;
}

bool RingReader::is_empty() noexcept {
  return there() == 0 && believe(head_.written.load(std::memory_order_acquire)) && there() == 0;
}

std::optional<std::size_t> RingReader::read(std::span<std::byte> into) noexcept {
  if (!believe(head_.written.load(std::memory_order_acquire))) return std::nullopt;
  const std::size_t size = std::min(into.size(), there());
  if (size == 0) return 0;
  const std::size_t at = read_ & (bytes_.size() - 1);
  const std::size_t first = std::min(size, bytes_.size() - at);
  std::memcpy(into.data(), bytes_.data() + at, first);
  std::memcpy(into.data() + first, bytes_.data(), size - first);
  read_ += size;
  head_.read.store(read_, std::memory_order_seq_cst);
  return size;
}

void RingReader::end() noexcept {
  (void)believe(head_.written.load(std::memory_order_acquire));
  has_ended_ = true;
}

// The writer is not woken for each byte that becomes free.
bool RingReader::must_wake() noexcept {
  if (head_.writer_waits.load(std::memory_order_seq_cst) == 0) return false;
  const std::uint64_t left = head_.written.load(std::memory_order_relaxed) - read_;
  return left <= bytes_.size() / 2 &&
         head_.writer_waits.exchange(0, std::memory_order_seq_cst) != 0;
}

bool RingReader::rest() noexcept {
  head_.reader_rests.store(1, std::memory_order_seq_cst);
  if (believe(head_.written.load(std::memory_order_seq_cst)) && there() == 0) return true;
  work();
  return false;
}

}  // namespace coracle::net
