// Feeds any text to the parser of endpoints. There must be no crash; a parsed endpoint must have a
// text that means the same.
#include "coracle/errors.hpp"
#include "realizations/net/src/endpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using coracle::net::Endpoint;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = Endpoint::parse(text);
  if (!parsed) {
    if (parsed.error().errc() != coracle::Errc::bad_endpoint) std::abort();
    for (const char c : parsed.error().sentence())
      if (c < ' ') std::abort();
    return 0;
  }
  if (parsed->host.size() > Endpoint::max_host || parsed->path.size() > Endpoint::max_path)
    std::abort();
  const auto again = Endpoint::parse(parsed->text());
  if (!again || !(*again == *parsed)) std::abort();
  return 0;
}
