// The metrics of a node in the text format of Prometheus.
// Tests: view/formats/tests/metrics_text_test.cpp
#pragma once

#include "coracle/formats/prometheus.hpp"
#include "coracle/metrics.hpp"

namespace coracle::formats {

// Writes the values that are at least so credible. The formula of a path becomes the name, and its
// context the labels: the path Agent(lab/robot):Queue(Waiting) becomes
// coracle_queue_waiting{agent="lab/robot"}. Of two paths that would be written alike, the first one
// in the order of Metrics::all() is written.
void write_metrics(PrometheusText& out, const Metrics& metrics,
                   double least_credibility = credibility::configured);

}  // namespace coracle::formats
