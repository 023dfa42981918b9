// Metrics in the text format of Prometheus, version 0.0.4.
// Tests: view/formats/tests/prometheus_test.cpp
#pragma once

#include "coracle/formats/writers.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::formats {

// Writes metrics, each with its samples behind it, and passes the text to a sink line by line.
class PrometheusText {
 public:
  // The media type for HTTP.
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  using Labels = std::vector<std::pair<std::string, std::string>>;
  enum class Type : std::uint8_t { counter, gauge, histogram, untyped };

  // One bucket of a histogram: the number of values that are at most `limit` and in no bucket
  // before it.
  struct Bucket {
    double limit = 0;
    std::uint64_t count = 0;
  };

  explicit PrometheusText(Sink sink) : sink_(std::move(sink)) {}

  // Begins a metric; the next samples belong to it. Fails with Errc::bad_options if the name is not
  // one of Prometheus ([a-zA-Z_:][a-zA-Z0-9_:]*), or was used before.
  void metric(std::string_view name, Type type, std::string_view help);

  // Adds a sample of the last metric. The values of labels may be any text; their names are those
  // of metrics without colons, other than `le` in a histogram. Fails with Errc::bad_options.
  void sample(double value, const Labels& labels = {});
  // The same for a whole number, which is written exactly.
  void sample(std::uint64_t value, const Labels& labels = {});
  // Adds a histogram. `buckets` have rising limits; values above the last one are in `beyond`.
  void histogram(std::span<const Bucket> buckets, std::uint64_t beyond, double sum,
                 const Labels& labels = {});

 private:
  void line(std::string_view suffix, const Labels& labels, std::string_view value) const;

  const Sink sink_;
  std::string name_;
  Type type_ = Type::untyped;
  std::set<std::string, std::less<>> names_;  // that were used
};

}  // namespace coracle::formats
