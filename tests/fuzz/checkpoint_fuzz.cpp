// Feeds any bytes to a clearinghouse with a policy, as frames from one node to another. There must
// be no crash, and a replacement is never longer than the original. Input: pieces, each behind its
// length in one byte.
#include "coracle/grants.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle;
  using Ruling = society::Checkpoint::Ruling;
  static const auto policy =
      parse_policy("allow ann register ann\nallow ann send bob\nallow b* overhear *\n").value();
  society::Authority authority(policy, [](const std::string&) {});
  authority.opened(1, {"node-1", "ann"});
  authority.claimed(1, "ann");
  society::Checkpoint checkpoint(authority);
  auto left = std::as_bytes(std::span(data, size));
  while (!left.empty()) {
    const std::size_t length = std::min(std::to_integer<std::size_t>(left[0]), left.size() - 1);
    const auto piece = left.subspan(1, length);
    left = left.subspan(1 + length);
    const Ruling ruling = checkpoint.rule({1, 2}, piece);
    if (ruling == Ruling::replaced && checkpoint.instead().size() > piece.size()) std::abort();
    if (ruling == Ruling::nonsense) return 0;
  }
  return 0;
}
