#include "literal_table.hpp"

#include <algorithm>

namespace coracle::detail {

void LiteralTable::clear() {
  filed_.clear();
  places_.clear();
  bitmap_.clear();
}

std::vector<std::uint32_t> LiteralTable::build(const std::vector<Literal>& literals) {
  clear();
  std::unordered_map<std::uint32_t, std::size_t> frequency;
  for (const auto& [text, owner] : literals) {
    for (std::size_t at = 0; at + window_bytes <= text.size(); ++at) {
      ++frequency[load(text.data() + at)];
    }
  }
  std::vector<Filed> rarest;
  std::unordered_map<std::uint32_t, std::size_t> size_of_place;
  for (const auto& [text, owner] : literals) {
    std::size_t best = 0;
    std::size_t best_frequency = literals.size() * text.size() + 1;
    for (std::size_t at = 0; at + window_bytes <= text.size(); ++at) {
      const auto times = frequency[load(text.data() + at)];
      if (times < best_frequency) best_frequency = times, best = at;
    }
    const std::uint32_t window = load(text.data() + best);
    ++size_of_place[window];
    rarest.push_back({window, static_cast<std::uint32_t>(best), owner, text});
  }
  std::vector<std::uint32_t> left_out;
  for (const auto& one : rarest) {
    if (size_of_place[one.window] > crowded) left_out.push_back(one.owner);
  }
  std::sort(left_out.begin(), left_out.end());
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  for (const auto& one : rarest) {
    if (!std::binary_search(left_out.begin(), left_out.end(), one.owner)) filed_.push_back(one);
  }
  index_filed();
  return left_out;
}

void LiteralTable::index_filed() {
  std::sort(filed_.begin(), filed_.end(),
            [](const Filed& a, const Filed& b) { return a.window < b.window; });
  unsigned bits = 12;
  while (bits < 20 && (std::size_t{1} << bits) < filed_.size() * 16) ++bits;
  shift_ = 32 - bits;
  bitmap_.assign((std::size_t{1} << bits) / 64, 0);
  for (std::uint32_t from = 0; from < filed_.size();) {
    const auto window = filed_[from].window;
    auto to = from;
    while (to < filed_.size() && filed_[to].window == window) ++to;
    places_.emplace(window, std::pair(from, to));
    const auto bit = bit_of(window);
    bitmap_[bit >> 6] |= std::uint64_t{1} << (bit & 63U);
    from = to;
  }
}

}  // namespace coracle::detail
