// The 22 performatives of FIPA: the kinds of speech act that an acl::Message can be.
// Tests: acl/tests/message_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coracle {
class Decoder;
class Encoder;
}  // namespace coracle

namespace coracle::acl {

// The numbers are those that JADE gives them.
enum class Performative : std::uint8_t {
  accept_proposal,
  agree,
  cancel,
  cfp,
  confirm,
  disconfirm,
  failure,
  inform,
  inform_if,
  inform_ref,
  not_understood,
  propose,
  query_if,
  query_ref,
  refuse,
  reject_proposal,
  request,
  request_when,
  request_whenever,
  subscribe,
  proxy,
  propagate,
};

// The number of performatives.
inline constexpr std::size_t performatives = 22;

// The name that FIPA gives the performative: "accept-proposal". A number that is no performative
// gives "not-understood".
std::string_view to_text(Performative performative) noexcept;
// The performative of that name, in any case of its letters; empty if there is none.
std::optional<Performative> performative_of(std::string_view name) noexcept;

// The encoding within the content of our own agents: the number. decode() fails with
// Errc::bad_encoding for a number that is no performative.
void encode(Encoder& encoder, Performative performative);
void decode(Decoder& decoder, Performative& performative);

}  // namespace coracle::acl
