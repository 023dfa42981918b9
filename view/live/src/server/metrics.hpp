// The counts of a view, in the text format of Prometheus.
#pragma once

#include "server/feed.hpp"

#include "coracle/formats/prometheus.hpp"

namespace coracle::view {

// Writes the counts since the beginning of the view. It counts while a browser looks.
void write_metrics(formats::PrometheusText& out, const Feed& feed);

}  // namespace coracle::view
