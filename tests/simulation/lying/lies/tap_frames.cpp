// The taps that a liar asks for.
#include "core_frames.hpp"

#include "coracle/support/core_frames.hpp"

namespace coracle::test::lying {

namespace {

using namespace coracle::detail;

constexpr const char* patterns[] = {"", "", "", ".*", "n./.*", "[a-z]+", "(a*)*b", "(?i)x|", "["};

}  // namespace

void CoreFrames::write_pattern(Writer& out) {
  out.text(draw_.chance(80) ? std::string() : draw_.name());
  out.text(draw_.chance(80) ? std::string() : draw_.name());
  for (int condition = 0; condition < 4; ++condition)
    out.text(draw_.chance(70) ? "" : patterns[draw_.below(std::size(patterns))]);
  const std::uint64_t components = draw_.chance(80) ? 0 : draw_.below(3);
  out.number(components);
  for (std::uint64_t left = components; left != 0; --left) {
    out.text(draw_.chance(50) ? "role" : "x");
    out.text(draw_.text().substr(0, 100));
  }
}

// A request about a hold, behind its token.
void CoreFrames::write_step(Writer& out) {
  const std::uint64_t ask = draw_.below(4);
  out.number(draw_.below(6));
  out.byte(static_cast<std::uint8_t>(ask));
  if (ask == 0) {
    out.number(draw_.below(20)), out.number(draw_.below(1000));
    write_pattern(out);
  } else if (ask == 2) {
    const std::uint64_t count = draw_.below(4);
    out.byte(static_cast<std::uint8_t>(draw_.below(2)));
    out.number(count);
    for (std::uint64_t left = count; left != 0; --left) out.number(draw_.below(100));
  }
}

std::string CoreFrames::write_tap(Writer& out) {
  const bool is_own = temper_.is_left_out(Known::eavesdropper) || draw_.chance(40);
  const std::string eavesdropper = is_own ? draw_.own_name() : draw_.name();
  const bool is_new = temper_.is_left_out(Known::tap) || draw_.chance(60);
  const std::uint64_t tap = is_new ? draw_.below(1000) : draw_.seen(known_.taps);
  Incarnation life = draw_.life_of(eavesdropper);
  const auto held = known_.held.find(eavesdropper);
  if (temper_.is_left_out(Known::eavesdropper))
    life = held != known_.held.end() ? held->second.life : Incarnation();
  out.number(draw_.chance(50) ? 0 : draw_.seen(known_.tokens));
  out.number(tap);
  out.text(eavesdropper);
  out.number(number_of_life(life));
  write_mailbox(out);
  write_pattern(out);
  if (draw_.chance(40)) {
    out.number(draw_.below(30));
    out.byte(draw_.chance(temper_.ill_formed) ? std::uint8_t{2}
                                              : static_cast<std::uint8_t>(draw_.below(2)));
  }
  return " " + std::to_string(tap) + " of '" + eavesdropper + "' in life " +
         std::to_string(number_of_life(life));
}

}  // namespace coracle::test::lying
