#include "metric.hpp"

#include "harness/machines/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace coracle::bench {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// JSON has no infinities; a scenario that makes an infinity has a bug, and null shows it.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string("null");
}

std::string json(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return number(*real);
  return quoted(std::get<std::string>(value));
}

}  // namespace

std::string to_json_line(const Record& record) {
  const Metric& metric = record.metric;
  std::string params;
  for (const auto& [name, value] : metric.params) {
    params += fmt::format("{}{}:{}", params.empty() ? "" : ",", quoted(name), json(value));
  }
  std::string line = fmt::format(
      R"({{"scenario":{},"realization":{},"params":{{{}}},"metric":{},"unit":{},"value":{})",
      quoted(record.scenario), quoted(record.realization), params, quoted(metric.name),
      quoted(metric.unit), number(metric.summary.value));
  line += fmt::format(R"(,"p50":{},"p99":{},"min":{},"max":{},"ci95":{},"n":{})",
                      number(metric.summary.p50), number(metric.summary.p99),
                      number(metric.summary.min), number(metric.summary.max),
                      number(metric.summary.ci95), metric.summary.n);
  for (const auto& [name, value] : metric.more) {
    line += fmt::format(",{}:{}", quoted(name), number(value));
  }
  line += fmt::format(R"(,"build":{},"host":{{"cpu":{},"cores":{}}}}})", quoted(build_name()),
                      quoted(cpu_model()), cores());
  return line;
}

std::string to_string(const Params& params) {
  std::string out;
  for (const auto& [name, value] : params) {
    if (!out.empty()) out += ' ';
    const auto* text = std::get_if<std::string>(&value);
    out += name + '=' + (text != nullptr ? *text : json(value));
  }
  return out;
}

std::string to_human(double value) {
  const double size = std::abs(value);
  if (size < 100) return fmt::format("{:.{}f}", value, size < 10 ? 2 : 1);
  std::string digits = fmt::format("{:.0f}", size);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return value < 0 ? '-' + digits : digits;
}

std::string to_table(const std::vector<Record>& records) {
  using Row = std::array<std::string, 10>;
  std::vector<Row> rows{{"scenario", "realization", "parameters", "metric", "value", "min", "max",
                         "p50", "p99", "unit"}};
  for (const Record& record : records) {
    const Metric& metric = record.metric;
    rows.push_back({record.scenario, record.realization, to_string(metric.params), metric.name,
                    to_human(metric.summary.value), to_human(metric.summary.min),
                    to_human(metric.summary.max), to_human(metric.summary.p50),
                    to_human(metric.summary.p99), metric.unit});
  }
  std::array<std::size_t, 10> width{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_number = i >= 4 && i <= 8;
      line += is_number ? fmt::format("{:>{}}  ", row[i], width[i])
                        : fmt::format("{:<{}}  ", row[i], width[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace coracle::bench
