#include "coracle/acl/performative.hpp"

#include "ascii.hpp"

#include "coracle/codec.hpp"

#include <array>
#include <string>

namespace coracle::acl {

namespace {

constexpr std::array<std::string_view, performatives> performative_names = {
    "accept-proposal", "agree",        "cancel",           "cfp",
    "confirm",         "disconfirm",   "failure",          "inform",
    "inform-if",       "inform-ref",   "not-understood",   "propose",
    "query-if",        "query-ref",    "refuse",           "reject-proposal",
    "request",         "request-when", "request-whenever", "subscribe",
    "proxy",           "propagate",
};

}  // namespace

std::string_view to_text(Performative performative) noexcept {
  const auto number = static_cast<std::size_t>(performative);
  return number < performative_names.size() ? performative_names[number]
                                            : to_text(Performative::not_understood);
}

std::optional<Performative> performative_of(std::string_view name) noexcept {
  for (std::size_t number = 0; number < performative_names.size(); ++number) {
    if (same_text(performative_names[number], name)) return static_cast<Performative>(number);
  }
  return std::nullopt;
}

void encode(Encoder& encoder, Performative performative) {
  encoder.unsigned_integer(static_cast<std::uint64_t>(performative));
}

void decode(Decoder& decoder, Performative& performative) {
  const std::uint64_t number = decoder.unsigned_integer();
  if (number >= performatives) {
    coracle::detail::fail_decoding("there is no performative with the number " +
                                   std::to_string(number));
  }
  performative = static_cast<Performative>(number);
}

}  // namespace coracle::acl
