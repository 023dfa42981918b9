// The name of a metric: where it is measured, and what, such as `Agent(lab/robot):CPULoad`,
// `Node(berlin):Queue(Waiting)` or `Link(a,b):Capacity`.
// Tests: coracle/tests/metrics/metric_path_test.cpp, tests/fuzz/metric_path_fuzz.cpp
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

// A path of steps between colons. A step is a word, and its arguments in parentheses if it has any.
// All steps but the last one are the context, in which the last one, the formula, is measured. In
// an argument, a backslash stands before each `,`, `)` and backslash that belongs to the text.
class MetricPath {
 public:
  // One step: the word begins with a letter and has letters and digits.
  struct Step {
    std::string word;
    std::vector<std::string> arguments = {};

    friend bool operator==(const Step&, const Step&) = default;
  };

  // The limits of a path.
  static constexpr std::size_t max_bytes = 1024;
  static constexpr std::size_t max_steps = 8;
  static constexpr std::size_t max_arguments = 8;

  // Reads a path. Fails with Errc::bad_options, and says at which place the text is wrong.
  MetricPath(std::string_view text);
  MetricPath(const std::string& text) : MetricPath(std::string_view(text)) {}
  MetricPath(const char* text) : MetricPath(std::string_view(text)) {}
  // Makes a path of steps. Fails with Errc::bad_options.
  explicit MetricPath(std::vector<Step> steps);

  // All steps.
  const std::vector<Step>& steps() const noexcept { return steps_; }
  // The steps that say where it is measured.
  std::span<const Step> context() const noexcept {
    return std::span(steps_).first(steps_.size() - 1);
  }
  // The last step, which says what is measured.
  const Step& formula() const noexcept { return steps_.back(); }
  // The text of the path; equal paths have equal texts.
  const std::string& text() const noexcept { return text_; }
  // The same formula in another context.
  MetricPath in(std::vector<Step> context) const;

  friend bool operator==(const MetricPath& a, const MetricPath& b) noexcept {
    return a.text_ == b.text_;
  }

 private:
  void check_and_write();

  std::vector<Step> steps_;
  std::string text_;
};

}  // namespace coracle
