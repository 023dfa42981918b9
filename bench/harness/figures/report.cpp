#include "report.hpp"

#include "harness/machines/host.hpp"
#include "harness/machines/program.hpp"
#include "harness/run/failures.hpp"
#include "report_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace coracle::bench {

namespace {

constexpr std::string_view style =
    "body{font:15px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "svg{width:100%;height:auto}text{font-size:13px;fill:#222}.value{text-anchor:end}"
    ".floor{fill:#b9c4cc}.bar{fill:#2b6c99}.span{stroke:#222}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;"
    "border-bottom:1px solid #ddd}td.number,th.number{text-align:right}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Comparable bars: of one scenario, in one unit.
struct Chart {
  std::string scenario;
  std::string unit;
  std::vector<const Record*> bars;
};

std::vector<Chart> charts_of(const std::vector<Record>& records) {
  std::vector<Chart> charts;
  for (const Record& record : records) {
    const auto fits = [&](const Chart& chart) {
      return chart.scenario == record.scenario && chart.unit == record.metric.unit;
    };
    auto place = std::find_if(charts.begin(), charts.end(), fits);
    if (place == charts.end()) {
      place = charts.insert(place, {record.scenario, record.metric.unit, {}});
    }
    place->bars.push_back(&record);
  }
  return charts;
}

// One row: the label on the left, the bar with the span of its repeats, the value on the right.
std::string bar(const Record& record, double longest, std::size_t row) {
  constexpr double left = 430;
  constexpr double width = 440;
  const Metric& metric = record.metric;
  const auto x = [&](double value) { return left + width * std::max(0.0, value) / longest; };
  const double y = 22.0 * static_cast<double>(row);
  const char* kind = metric.name == "floor" ? "floor" : "bar";
  std::string out = fmt::format(
      "<text x=\"0\" y=\"{:.0f}\">{}</text>"
      "<rect class=\"{}\" x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"14\"/>",
      y + 13, escaped(metric.name + "  " + to_string(metric.params)), kind, left, y + 2,
      x(metric.summary.value) - left);
  out += fmt::format(
      "<line class=\"span\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.0f}\" y2=\"{:.0f}\"/>"
      "<text class=\"value\" x=\"1000\" y=\"{:.0f}\">{}</text>\n",
      x(metric.summary.min), x(metric.summary.max), y + 9, y + 9, y + 13,
      to_human(metric.summary.value));
  return out;
}

std::string drawing(const Chart& chart) {
  double longest = 1e-9;
  for (const Record* record : chart.bars) {
    longest = std::max({longest, record->metric.summary.value, record->metric.summary.max});
  }
  std::string out =
      fmt::format("<h2>{}, {}</h2>\n<svg viewBox=\"0 0 1000 {}\">\n", escaped(chart.scenario),
                  escaped(chart.unit), 22 * chart.bars.size() + 4);
  for (std::size_t row = 0; row < chart.bars.size(); ++row) {
    out += bar(*chart.bars[row], longest, row);
  }
  return out + "</svg>\n";
}

std::string table(const std::vector<Record>& records) {
  std::string out =
      "<h2>All numbers</h2>\n<table><tr><th>scenario<th>realization<th>parameters<th>metric"
      "<th class=\"number\">value<th class=\"number\">p50<th class=\"number\">p99<th>unit</tr>\n";
  for (const Record& record : records) {
    const Metric& metric = record.metric;
    out += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}", escaped(record.scenario),
                       escaped(record.realization), escaped(to_string(metric.params)),
                       escaped(metric.name));
    for (const double value : {metric.summary.value, metric.summary.p50, metric.summary.p99}) {
      out += fmt::format("<td class=\"number\">{}", to_human(value));
    }
    out += fmt::format("<td>{}</tr>\n", escaped(metric.unit));
  }
  return out + "</table>\n";
}

// Makes Python draw the page; the plain page stays when Python cannot.
void draw_papers(const std::filesystem::path& folder, const std::string& command) {
  const std::filesystem::path scripts = folder / "scripts";
  std::filesystem::create_directories(scripts);
  for (const auto& [name, text] : report_scripts) std::ofstream(scripts / name) << text;
  const auto run = [&](const std::string& page) {
    // The system's Python, which has the system's matplotlib.
    output_of({"/usr/bin/python3", "-B", scripts / "report.py", folder / "results.jsonl", "--html",
               page, "--command", command},
              -1, 120);
  };
  const std::string page = folder / "index.html.new";
  try {
    run(page);
  } catch (const NotDone&) {
    std::filesystem::remove_all(scripts);
    throw;
  }
  std::filesystem::remove_all(scripts);
  std::filesystem::rename(page, folder / "index.html");
}

std::ofstream open_file(const std::filesystem::path& file) {
  std::ofstream out(file);
  if (!out) throw std::runtime_error("cannot write " + file.string());
  return out;
}

}  // namespace

void write_json_lines(const std::filesystem::path& file, const std::vector<Record>& records) {
  std::ofstream out = open_file(file);
  for (const Record& record : records) out << to_json_line(record) << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

void write_report(const std::filesystem::path& folder, const std::vector<Record>& records,
                  const std::string& command) {
  std::filesystem::create_directories(folder);
  write_json_lines(folder / "results.jsonl", records);
  std::ofstream out = open_file(folder / "index.html");
  out << fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>coracle-bench</title>\n"
      "<style>{}</style>\n<h1>coracle-bench</h1>\n<p>{}, {} processors. Build: {}. Light bars are "
      "floors; the line on a bar goes from the smallest to the greatest repeat. bench/README.md "
      "says what each number means.</p>\n",
      style, escaped(cpu_model()), cores(), escaped(build_name()));
  for (const Chart& chart : charts_of(records)) out << drawing(chart);
  out << table(records) << "</html>\n";
  if (!out.flush()) throw std::runtime_error("cannot write the report in " + folder.string());
  out.close();
  try {
    draw_papers(folder, command);
  } catch (const NotDone& error) {
    fmt::print(stderr, "coracle-bench: the papers' figures could not be drawn: {}\n", error.what());
  }
}

}  // namespace coracle::bench
