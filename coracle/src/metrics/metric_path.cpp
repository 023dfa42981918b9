#include "coracle/metric_path.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <utility>

namespace coracle {

namespace {

bool is_letter(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
}

bool is_of_word(char each) noexcept { return is_letter(each) || (each >= '0' && each <= '9'); }

bool is_special(char each) noexcept { return each == ',' || each == ')' || each == '\\'; }

// Reads the text from its beginning to its end.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  std::vector<MetricPath::Step> steps() {
    std::vector<MetricPath::Step> all;
    do {
      all.push_back(step());
    } while (takes(':'));
    if (at_ < text_.size()) fail("expected ':' or the end");
    return all;
  }

 private:
  MetricPath::Step step() {
    const std::size_t begin = at_;
    if (at_ == text_.size() || !is_letter(text_[at_]))
      fail("expected a word of letters and digits");
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    MetricPath::Step step{std::string(text_.substr(begin, at_ - begin))};
    if (!takes('(')) return step;
    do {
      step.arguments.push_back(argument());
    } while (takes(','));
    if (!takes(')')) fail("expected ')'");
    return step;
  }

  std::string argument() {
    std::string text;
    for (; at_ < text_.size(); ++at_) {
      char each = text_[at_];
      if (each == ',' || each == ')') break;
      if (each == '\\') {
        if (++at_ == text_.size() || !is_special(text_[at_]))
          fail("expected ',', ')' or '\\' behind '\\'");
        each = text_[at_];
      }
      text += each;
    }
    return text;
  }

  bool takes(char what) noexcept {
    if (at_ == text_.size() || text_[at_] != what) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::string_view why) const {
    throw Error(Errc::bad_options, detail::quoted(text_, 200) + " is no path of a metric: " +
                                       std::string(why) + " at byte " + std::to_string(at_ + 1) +
                                       "; write for example Agent(lab/robot):CPULoad");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view checked_length(std::string_view text) {
  if (text.size() <= MetricPath::max_bytes) return text;
  throw Error(Errc::bad_options, "the path of a metric has " + std::to_string(text.size()) +
                                     " bytes; at most " + std::to_string(MetricPath::max_bytes) +
                                     " are possible");
}

void append(std::string& text, const MetricPath::Step& step) {
  text += step.word;
  for (std::size_t index = 0; index < step.arguments.size(); ++index) {
    text += index == 0 ? '(' : ',';
    for (const char each : step.arguments[index]) {
      if (is_special(each)) text += '\\';
      text += each;
    }
  }
  if (!step.arguments.empty()) text += ')';
}

bool is_word(const std::string& word) noexcept {
  return !word.empty() && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(), is_of_word);
}

}  // namespace

MetricPath::MetricPath(std::string_view text) : steps_(PathReader(checked_length(text)).steps()) {
  check_and_write();
}

MetricPath::MetricPath(std::vector<Step> steps) : steps_(std::move(steps)) { check_and_write(); }

MetricPath MetricPath::in(std::vector<Step> context) const {
  context.push_back(formula());
  return MetricPath(std::move(context));
}

void MetricPath::check_and_write() {
  if (steps_.empty() || steps_.size() > max_steps)
    throw Error(Errc::bad_options, "the path of a metric has " + std::to_string(steps_.size()) +
                                       " steps; it can have 1 to " + std::to_string(max_steps));
  for (const Step& each : steps_) {
    if (!is_word(each.word))
      throw Error(Errc::bad_options, detail::quoted(each.word, 200) +
                                         " is no step of a metric's path; a step is a word of "
                                         "letters and digits");
    if (each.arguments.size() > max_arguments)
      throw Error(Errc::bad_options,
                  "'" + each.word + "' has " + std::to_string(each.arguments.size()) +
                      " arguments; it can have at most " + std::to_string(max_arguments));
    if (!text_.empty()) text_ += ':';
    append(text_, each);
  }
  checked_length(text_);
}

}  // namespace coracle
