// The counts of a society's service, in the text format of Prometheus.
#pragma once

#include "commands.hpp"

#include "coracle/formats/writers.hpp"

namespace coracle::command {

// Asks the service once. Fails as coracle stats does.
void write_counts(const Place& place, const formats::Sink& sink);

}  // namespace coracle::command
