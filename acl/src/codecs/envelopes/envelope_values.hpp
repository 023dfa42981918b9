// The texts of an envelope in XML that are numbers and dates.
#pragma once

#include "coracle/acl/date_time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace coracle::acl {

// The length of a message. A negative number says that it is not known.
struct EnvelopeLength {
  std::optional<std::uint64_t> value;
};
// Nothing: the text is no length.
std::optional<EnvelopeLength> envelope_length(std::string_view text);
// Nothing: the text is no date. JADE writes Z where a T should be.
std::optional<DateTime> envelope_date(std::string_view text);

}  // namespace coracle::acl
