// The paths of metrics: a text that is one is written and read again as the same path.
#include "coracle/errors.hpp"
#include "coracle/metric_path.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const coracle::MetricPath path(text);
    if (path.text() != text) std::abort();  // each path has one text
    if (coracle::MetricPath(path.steps()).text() != text) std::abort();
  } catch (const coracle::Error& error) {
    if (error.errc() != coracle::Errc::bad_options) std::abort();
  }
  return 0;
}
