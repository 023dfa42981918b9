#include "coracle/support/secret_hash.hpp"

#include "coracle/clock.hpp"

#include <bit>
#include <cstring>

namespace coracle::detail {

namespace {

const HashKey& own_key() {
  static const HashKey drawn{machine_random().next(), machine_random().next()};
  return drawn;
}

// Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012. There is one round for each word
// and there are three at the end, as in the hash tables of many languages.
class Sip {
 public:
  explicit Sip(const HashKey& key) noexcept
      : a_(key.low ^ 0x736f6d6570736575),
        b_(key.high ^ 0x646f72616e646f6d),
        c_(key.low ^ 0x6c7967656e657261),
        d_(key.high ^ 0x7465646279746573) {}

  void add(std::uint64_t word) noexcept {
    d_ ^= word;
    round();
    a_ ^= word;
  }
  std::uint64_t end() noexcept {
    c_ ^= 0xff;
    for (int rest = 0; rest < 3; ++rest) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  void round() noexcept {
    a_ += b_, b_ = std::rotl(b_, 13) ^ a_, a_ = std::rotl(a_, 32);
    c_ += d_, d_ = std::rotl(d_, 16) ^ c_;
    a_ += d_, d_ = std::rotl(d_, 21) ^ a_;
    c_ += b_, b_ = std::rotl(b_, 17) ^ c_, c_ = std::rotl(c_, 32);
  }

  std::uint64_t a_, b_, c_, d_;
};

}  // namespace

std::uint64_t hash_under(const HashKey& key, std::string_view text) noexcept {
  Sip sip(key);
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    sip.add(word);
  }
  std::uint64_t last = 0;
  if (left > 0) std::memcpy(&last, at, left);
  sip.add(last | std::uint64_t{text.size()} << 56);
  return sip.end();
}

std::uint32_t secret_hash(std::string_view text) {
  return static_cast<std::uint32_t>(hash_under(own_key(), text));
}

}  // namespace coracle::detail
