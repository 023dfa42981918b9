// Feeds any text to the parsers of addresses of the web. There must be no crash; a parsed address
// must have a text that means the same, and whatever is decoded must be the same once it is
// encoded.
#include "coracle/errors.hpp"
#include "coracle/http/url.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto decoded = percent_decoded(text)) {
    if (percent_decoded(percent_encoded(*decoded)) != decoded) std::abort();
  }
  (void)query_fields(text);
  (void)parse_authority(text);
  const auto url = Url::parse(text);
  if (!url) {
    if (url.error().errc() != coracle::Errc::bad_endpoint) std::abort();
    return 0;
  }
  const auto again = Url::parse(url->text());
  if (again ? !(*again == *url) : url->text().size() <= Url::max_text) std::abort();
  return 0;
}
