// Feeds any text to the parser of JSON. There must be no crash; a value that was read must be the
// same once it was written and read again.
#include "coracle/web/json.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::web;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_json(text);
  if (!value) return 0;
  if (value->bytes() > sizeof(Json) + 100 * size) std::abort();
  const auto again = parse_json(to_text(*value));
  if (!again || to_text(*again) != to_text(*value)) std::abort();
  return 0;
}
