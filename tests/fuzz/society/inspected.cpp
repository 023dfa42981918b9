#include "sayings.hpp"

#include "coracle/support/core_frames.hpp"
#include "pools.hpp"

namespace coracle::fuzzed {

using namespace coracle::detail;

// The agent in an inspection.
void Sayings::write_inspected(Writer& out, Choices& choose) {
  const auto count = [&](std::size_t most) {
    const std::size_t entries = choose.below(most);
    out.number(choose.in(250) ? entries : choose.number());
    return entries;
  };
  out.byte(static_cast<std::uint8_t>(choose.below(choose.in(240) ? 3 : 9)));
  for (int left = 3; left != 0; --left) out.number(choose.number());
  for (std::size_t left = count(3); left != 0; --left) {
    out.byte(static_cast<std::uint8_t>(choose.below(choose.in(250) ? 5 : 9)));
    out.byte(static_cast<std::uint8_t>(choose.below(choose.in(250) ? 4 : 9)));
    out.text(choose.in(128) ? "" : name(choose));
    for (int numbers = 3; numbers != 0; --numbers) out.number(choose.number());
  }
  for (int left = 9; left != 0; --left) out.number(choose.number());
  out.byte(static_cast<std::uint8_t>(choose.below(choose.in(250) ? 6 : 9)));
  out.text(choose.in(128) ? "" : name(choose));
  for (std::size_t left = count(3); left != 0; --left) out.text(name(choose));
  for (std::size_t left = count(3); left != 0; --left)
    for (int numbers = 4; numbers != 0; --numbers) out.number(choose.number());
  out.text(choose.in(128) ? "" : name(choose));
  out.number(choose.number());
  for (std::size_t left = count(3); left != 0; --left) {
    out.number(choose.number());
    out.text(choose.of(texts));
  }
  out.text(choose.of(texts));
}

// An inspection, behind its token.
void Sayings::write_inspection(Writer& out, Choices& choose) {
  out.number(choose.number());
  const std::size_t shown = choose.below(3);
  out.number(choose.in(250) ? shown : choose.number());
  for (std::size_t left = shown; left != 0; --left) {
    out.number(choose.number() & travelling_flags);
    out.number(choose.number());
    out.text(name(choose));
    out.number(choose.number());
    out.text(choose.of(texts));
  }
  return write_inspected(out, choose);
}

// A request about a hold, or its reply, behind the token.
void Sayings::write_step(Writer& out, std::uint8_t kind, Choices& choose) {
  if (kind == coracle::detail::stepped_frame) {
    out.byte(static_cast<std::uint8_t>(choose.below(choose.in(240) ? 5 : 9)));
    for (int left = 6; left != 0; --left) out.number(choose.below(3));
    return;
  }
  out.number(choose.below(4));
  const std::uint64_t ask = choose.below(choose.in(240) ? 4 : 9);
  out.byte(static_cast<std::uint8_t>(ask));
  if (ask == 2) out.byte(static_cast<std::uint8_t>(choose.below(2))), out.number(0);
  if (ask != 0) return;
  out.number(choose.below(4)), out.number(choose.number());
  constexpr const char* conditions[] = {"", "", ".*", "lab/.*", "(a*)*b", "["};
  for (int left = 6; left != 0; --left) out.text(choose.of(conditions));
  out.number(0);
}

}  // namespace coracle::fuzzed
