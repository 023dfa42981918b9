#include "coracle/formats/prometheus.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <fmt/format.h>

#include <cmath>

namespace coracle::formats {

namespace {

bool is_name(std::string_view name, bool may_have_colons) noexcept {
  if (name.empty()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char each = name[i];
    const bool is_letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    const bool is_digit = each >= '0' && each <= '9';
    if (!is_letter && each != '_' && !(is_digit && i > 0) && !(may_have_colons && each == ':'))
      return false;
  }
  return true;
}

[[noreturn]] void refuse(std::string_view name, const char* why) {
  throw Error(Errc::bad_options,
              fmt::format("'{}' cannot be written for Prometheus: {}", detail::shown(name), why));
}

std::string escaped(std::string_view text, bool is_quoted) {
  std::string out;
  for (const char each : detail::shown(text)) {
    if (each == '\\' || (is_quoted && each == '"')) out += '\\';
    out += each;
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

const char* word_of(PrometheusText::Type type) noexcept {
  switch (type) {
    case PrometheusText::Type::counter:
      return "counter";
    case PrometheusText::Type::gauge:
      return "gauge";
    case PrometheusText::Type::histogram:
      return "histogram";
    case PrometheusText::Type::untyped:
      return "untyped";
  }
  return "untyped";
}

}  // namespace

void PrometheusText::metric(std::string_view name, Type type, std::string_view help) {
  if (!is_name(name, true))
    refuse(name, "the name of a metric has letters, digits, _ and :, and no digit at first");
  if (!names_.emplace(name).second) refuse(name, "the metric is there already; write it once");
  name_ = name;
  type_ = type;
  sink_(
      fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, word_of(type)));
}

void PrometheusText::sample(double value, const Labels& labels) {
  if (type_ == Type::histogram) refuse(name_, "a histogram has no plain samples; use histogram()");
  line("", labels, number(value));
}

void PrometheusText::sample(std::uint64_t value, const Labels& labels) {
  if (type_ == Type::histogram) refuse(name_, "a histogram has no plain samples; use histogram()");
  line("", labels, fmt::format("{}", value));
}

void PrometheusText::histogram(std::span<const Bucket> buckets, std::uint64_t beyond, double sum,
                               const Labels& labels) {
  if (type_ != Type::histogram) refuse(name_, "it is no histogram; use sample()");
  std::uint64_t count = 0;
  Labels with_limit = labels;
  with_limit.emplace_back("le", "");
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (i > 0 && !(buckets[i - 1].limit < buckets[i].limit))
      refuse(name_, "the limits of its buckets have to rise");
    count += buckets[i].count;
    with_limit.back().second = number(buckets[i].limit);
    line("_bucket", with_limit, fmt::format("{}", count));
  }
  count += beyond;
  with_limit.back().second = "+Inf";
  line("_bucket", with_limit, fmt::format("{}", count));
  line("_sum", labels, number(sum));
  line("_count", labels, fmt::format("{}", count));
}

void PrometheusText::line(std::string_view suffix, const Labels& labels,
                          std::string_view value) const {
  if (name_.empty()) refuse(name_, "a sample belongs to a metric; call metric() first");
  const bool may_have_limit = suffix == "_bucket";
  std::string text = name_ + std::string(suffix);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& [key, meaning] = labels[i];
    const bool is_reserved =
        type_ == Type::histogram && key == "le" && !(may_have_limit && i + 1 == labels.size());
    if (!is_name(key, false) || is_reserved)
      refuse(key, "the name of a label has letters, digits and _, and is not le in a histogram");
    text += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", key, escaped(meaning, true));
  }
  if (!labels.empty()) text += "}";
  sink_(fmt::format("{} {}\n", text, value));
}

}  // namespace coracle::formats
