// Feeds any text to the parser of JSON. There must be no crash; a value that was read must be the
// same once it was written and read again. The canonical form of a value is JSON, and its own form.
#include "coracle/web/canonical_json.hpp"
#include "coracle/web/json.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::web;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_json(text);
  if (!value) return 0;
  if (value->bytes() > sizeof(Json) + 100 * size) std::abort();
  const auto again = parse_json(to_text(*value));
  if (!again || to_text(*again) != to_text(*value)) std::abort();
  const std::string canonical = canonical_text(*value);
  const auto signed_value = parse_json(canonical);
  if (!signed_value || canonical_text(*signed_value) != canonical) std::abort();
  return 0;
}
