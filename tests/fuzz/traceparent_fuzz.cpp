// Feeds any text to the parser of traceparent. There must be no crash; a trace that is read must be
// written as a text that means the same.
#include "coracle/traceparent.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto trace = coracle::trace_context_in(text);
  if (trace && coracle::trace_context_in(coracle::to_traceparent(*trace)) != trace) std::abort();
  return 0;
}
