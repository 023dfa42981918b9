// The messages of a lane that are sent and not yet settled.
#pragma once

#include "realizations/net/src/session/terms.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace coracle::net {

// A set of numbers to which only larger ones are added: a bit each. The newest words are an array,
// so that the usual case costs a few instructions; the rest of the older words is in a map.
class SeqSet {
 public:
  // Adds `seq`, which is larger than all that were added before.
  void add(Seq seq);
  // Returns whether all of `range` is in the set. The time is at most proportional to the count of
  // numbers in the set.
  bool contains(SeqRange range) const;
  // Removes `range`, which is in the set.
  void remove(SeqRange range);
  std::size_t count() const { return count_; }
  // Returns all numbers of the set, in order.
  std::vector<SeqRange> ranges() const;
  std::size_t bytes() const { return 8 * words_.size() + 64 * old_.size(); }

 private:
  static constexpr std::size_t most_words = 1024;

  std::uint64_t word(std::uint64_t index) const;
  void clear(std::uint64_t index, std::uint64_t mask);

  std::uint64_t base_ = 0;  // the index of words_.front()
  std::deque<std::uint64_t> words_;
  std::map<std::uint64_t, std::uint64_t> old_;  // older words by index; none is zero
  std::size_t count_ = 0;
};

}  // namespace coracle::net
