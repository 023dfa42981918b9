#include "sayings.hpp"

#include "pools.hpp"

namespace coracle::fuzzed {

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

}  // namespace coracle::fuzzed
