#include "core_frames.hpp"

#include "coracle/support/core_frames.hpp"

namespace coracle::test::lying {

// The agent in an inspection.
void CoreFrames::write_inspected(Writer& out) {
  out.byte(static_cast<std::uint8_t>(draw_.below(3)));
  for (int left = 3; left != 0; --left) out.number(draw_.below(1000));
  const std::uint64_t waits = draw_.below(3);
  out.number(draw_.chance(98) ? waits : draw_.count());
  for (std::uint64_t left = waits; left != 0; --left) {
    out.byte(static_cast<std::uint8_t>(draw_.below(5)));
    out.byte(static_cast<std::uint8_t>(draw_.below(4)));
    out.text(draw_.name());
    for (int numbers = 3; numbers != 0; --numbers) out.number(draw_.below(1000));
  }
  for (int left = 7; left != 0; --left) out.number(draw_.count());
  write_mailbox(out);
  out.text("");
  const std::uint64_t groups = draw_.below(3);
  out.number(draw_.chance(98) ? groups : draw_.count());
  for (std::uint64_t left = groups; left != 0; --left) out.text(draw_.group());
  out.number(0);
  out.text(draw_.name());
  out.number(draw_.below(1000));
  out.number(draw_.chance(98) ? 1 : draw_.count());
  out.number(draw_.below(1000));
  out.text(draw_.text());
  out.text(draw_.text());
}

Frame CoreFrames::inspected(std::uint64_t number) {
  Frame frame = token(coracle::detail::inspection_frame, number, 255);
  Writer out(frame.head);
  out.number(0);
  out.number(0);
  return frame;
}

Frame CoreFrames::taken_over(std::uint64_t serial, std::uint8_t keeps) {
  return token(coracle::detail::taken_over_frame, serial, keeps);
}

}  // namespace coracle::test::lying
