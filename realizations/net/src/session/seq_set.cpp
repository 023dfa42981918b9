#include "realizations/net/src/session/seq_set.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace coracle::net {

namespace {

// Returns the bits of `range` that are in the word with that index.
std::uint64_t mask_of(std::uint64_t index, SeqRange range) {
  const unsigned low = index == range.first / 64 ? range.first % 64 : 0;
  const unsigned high = index == range.last / 64 ? range.last % 64 : 63;
  return (~std::uint64_t{0} >> (63 - high)) & (~std::uint64_t{0} << low);
}

}  // namespace

void SeqSet::add(Seq seq) {
  const std::uint64_t index = seq / 64;
  ++count_;
  if (index - base_ < words_.size()) [[likely]] {
    words_[index - base_] |= std::uint64_t{1} << (seq % 64);
    return;
  }
  if (words_.empty()) base_ = index;
  while (base_ + words_.size() <= index) words_.push_back(0);
  words_[index - base_] |= std::uint64_t{1} << (seq % 64);
  while (words_.size() > most_words) {
    if (words_.front() != 0) old_.emplace(base_, words_.front());
    words_.pop_front();
    ++base_;
  }
}

std::uint64_t SeqSet::word(std::uint64_t index) const {
  if (index >= base_) return index - base_ < words_.size() ? words_[index - base_] : 0;
  const auto found = old_.find(index);
  return found == old_.end() ? 0 : found->second;
}

bool SeqSet::contains(SeqRange range) const {
  if (range.first > range.last) return false;
  for (std::uint64_t index = range.first / 64; index <= range.last / 64; ++index) {
    const std::uint64_t mask = mask_of(index, range);
    if ((word(index) & mask) != mask) return false;
  }
  return true;
}

void SeqSet::clear(std::uint64_t index, std::uint64_t mask) {
  count_ -= std::popcount(mask);
  if (index >= base_) {
    words_[index - base_] &= ~mask;
    return;
  }
  const auto found = old_.find(index);
  if ((found->second &= ~mask) == 0) old_.erase(found);
}

void SeqSet::remove(SeqRange range) {
  assert(contains(range));
  for (std::uint64_t index = range.first / 64; index <= range.last / 64; ++index)
    clear(index, mask_of(index, range));
  // The last word stays, because more may be added to it.
  while (words_.size() > 1 && words_.front() == 0) {
    words_.pop_front();
    ++base_;
  }
}

std::vector<SeqRange> SeqSet::ranges() const {
  std::vector<SeqRange> result;
  const auto add_word = [&result](std::uint64_t index, std::uint64_t bits) {
    for (; bits != 0; bits &= bits - 1) {
      const Seq seq = index * 64 + static_cast<unsigned>(std::countr_zero(bits));
      if (!result.empty() && result.back().last + 1 == seq) {
        result.back().last = seq;
      } else {
        result.push_back({seq, seq});
      }
    }
  };
  for (const auto& [index, bits] : old_) add_word(index, bits);
  for (std::size_t i = 0; i < words_.size(); ++i) add_word(base_ + i, words_[i]);
  return result;
}

}  // namespace coracle::net
