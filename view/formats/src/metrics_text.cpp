#include "coracle/formats/metrics_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::formats {

namespace {

using Step = MetricPath::Step;

bool is_upper(char each) noexcept { return each >= 'A' && each <= 'Z'; }

bool is_of_word(char each) noexcept {
  return is_upper(each) || (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
}

// "CPULoad" becomes "cpu_load", "MessagesOut" "messages_out".
std::string snake(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool begins = is_upper(word[i]) && i > 0 &&
                        (!is_upper(word[i - 1]) || (i + 1 < word.size() && !is_upper(word[i + 1])));
    if (begins) out += '_';
    out += is_upper(word[i]) ? static_cast<char>(word[i] - 'A' + 'a') : word[i];
  }
  return out;
}

bool is_word(const std::string& text) noexcept {
  return !text.empty() && std::ranges::all_of(text, is_of_word);
}

struct Family {
  std::string unit;
  std::vector<std::pair<PrometheusText::Labels, double>> samples;
  std::set<PrometheusText::Labels> known;
};

// Adds the arguments of a step as labels: of several, with their number.
void add_labels(PrometheusText::Labels& labels, const std::string& name, const Step& step) {
  for (std::size_t i = 0; i < step.arguments.size(); ++i)
    labels.emplace_back(i == 0 ? name : name + "_" + std::to_string(i + 1), step.arguments[i]);
}

}  // namespace

void write_metrics(PrometheusText& out, const Metrics& metrics, double least_credibility) {
  std::map<std::string, Family> families;
  for (const auto& [path, value] : metrics.all()) {
    if (value.credibility < least_credibility) continue;
    std::string name = "coracle_" + snake(path.formula().word);
    PrometheusText::Labels labels;
    for (const Step& each : path.context()) add_labels(labels, snake(each.word), each);
    if (std::ranges::all_of(path.formula().arguments, is_word)) {
      for (const std::string& each : path.formula().arguments) name += "_" + snake(each);
    } else {
      add_labels(labels, "of", path.formula());
    }
    Family& family = families[name];
    if (family.samples.empty()) family.unit = value.unit;
    if (family.known.insert(labels).second) family.samples.emplace_back(labels, value.value);
  }
  for (const auto& [name, family] : families) {
    out.metric(name, PrometheusText::Type::gauge,
               family.unit.empty() ? "A number." : "In " + family.unit + ".");
    for (const auto& [labels, value] : family.samples) out.sample(value, labels);
  }
}

}  // namespace coracle::formats
