// The header `traceparent` of the W3C recommendation Trace Context, by which systems pass on the
// place of a message in a trace; Post::trace() puts it on a message.
// Tests: coracle/tests/content/traceparent_test.cpp, tests/fuzz/traceparent_fuzz.cpp
#pragma once

#include "coracle/envelope.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle {

// The value of the header: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01. `is_sampled`
// says that the trace is recorded somewhere. Fails with Errc::bad_options if the number of the
// trace or that of the span is zero, which no such header can express.
std::string to_traceparent(const TraceContext& trace, bool is_sampled = true);

// Reads the value of the header, in which digits are lower case. Of a version that is not known
// yet, the part that all versions share is read. Returns nothing if the value is not valid; a trace
// begins anew then.
std::optional<TraceContext> trace_context_in(std::string_view text) noexcept;

}  // namespace coracle
