// Stories as traces of OpenTelemetry: requests of its protocol OTLP, for a collector or a file.
// Tests: view/formats/tests/writers_test.cpp, view/formats/tests/otlp_test.cpp
#pragma once

#include "coracle/formats/writers.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace coracle::formats {

struct OtlpOptions {
  // The name of the service to which the spans belong.
  std::string service = "coracle";
  // The calendar's time of the beginning of the story, in nanoseconds since 1970 (UTC).
  std::uint64_t began = 0;
  // The messages, lives and gaps that one request has at most.
  std::size_t messages_per_request = 1000;
};

// Passes requests to `sink`: each part is a whole ExportTraceServiceRequest, and the parts one
// after another are one, too. Each message has a span for its send, and one for its processing if
// it was handed out. Its trace is that of its TraceContext, or that of the request which it
// answers, or else one of its conversation. Each life of an agent is a span and a trace of its own,
// and so is each gap. Nodes are resources of their own.
Written write_otlp(const Story& story, const Sink& sink, const OtlpOptions& options = {});

}  // namespace coracle::formats
