// Finds the literals that occur in a text, among many, in one pass over the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

// Each literal, of at least four bytes, is filed under those four consecutive bytes that are rarest
// among all literals. A bitmap rules out most positions of a text; the others cost one look-up and
// compare.
class LiteralTable {
 public:
  // A literal and the number of its owner.
  struct Literal {
    std::string_view text;  // must outlive the table
    std::uint32_t owner;
  };

  // Replaces the filed literals with `literals`. Literals that would make a bucket crowded are not
  // filed; returns their owners, each once.
  std::vector<std::uint32_t> build(const std::vector<Literal>& literals);

  // Forgets everything.
  void clear();

  // Calls `found(owner)` for each position in `text` where a literal of `owner` starts.
  template <class Found>
  void find(std::string_view text, Found&& found) const {
    if (filed_.empty() || text.size() < window_bytes) return;
    for (std::size_t at = 0; at + window_bytes <= text.size(); ++at) {
      const std::uint32_t window = load(text.data() + at);
      const std::uint32_t bit = bit_of(window);
      if ((bitmap_[bit >> 6] >> (bit & 63U) & 1U) == 0) continue;
      const auto place = places_.find(window);
      if (place == places_.end()) continue;
      for (auto index = place->second.first; index < place->second.second; ++index) {
        const Filed& filed = filed_[index];
        if (at >= filed.offset && text.substr(at - filed.offset).starts_with(filed.text)) {
          found(filed.owner);
        }
      }
    }
  }

 private:
  struct Filed {
    std::uint32_t window;
    std::uint32_t offset;  // of the window in the literal
    std::uint32_t owner;
    std::string_view text;
  };

  static constexpr std::size_t window_bytes = 4;
  static constexpr std::size_t crowded = 64;

  static std::uint32_t load(const char* bytes) noexcept {
    std::uint32_t window = 0;
    std::memcpy(&window, bytes, window_bytes);
    return window;
  }
  std::uint32_t bit_of(std::uint32_t window) const noexcept {
    return (window * 0x9E3779B1U) >> shift_;
  }
  void index_filed();

  std::vector<Filed> filed_;  // by window
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> places_;
  std::vector<std::uint64_t> bitmap_;
  unsigned shift_ = 20;
};

}  // namespace coracle::detail
