#include "pattern_fields.hpp"

#include "coracle/support/mutations.hpp"
#include "patterns/pattern_parts.hpp"

namespace coracle::detail {

namespace {

std::string_view written(const SharedExpression& expression) {
  return expression ? std::string_view(expression->written) : std::string_view();
}

}  // namespace

void write_pattern(FrameWriter& out, const Pattern& pattern) {
  static const PatternParts nothing;
  const PatternParts& parts = pattern.parts() != nullptr ? *pattern.parts() : nothing;
  out.text(parts.source_name.view());
  out.text(parts.target_name.view());
  for (const auto* one : {&parts.source, &parts.target, &parts.text, &parts.format}) {
    out.text(written(*one));
  }
  out.number(parts.components.size());
  for (const auto& [key, value] : parts.components) {
    out.text(key);
    out.text(value);
  }
}

Pattern read_pattern(FrameReader& in) {
  Pattern pattern;
  const std::string_view source_name = in.text();
  const std::string_view target_name = in.text();
  if (!source_name.empty()) pattern.source_is(Name(source_name));
  if (!target_name.empty()) pattern.target_is(Name(target_name));
  const auto set = [&](Pattern& (Pattern::*condition)(std::string_view)) {
    const std::string_view text = in.text();
    if (!text.empty()) (pattern.*condition)(text);
  };
  set(&Pattern::source);
  set(&Pattern::target);
  set(&Pattern::text);
  set(&Pattern::format);
  for (std::uint64_t left = in.number_up_to(Pattern::max_components); left != 0 && in.ok();
       --left) {
    const std::string_view key = in.text();
    pattern.component(key, in.text());
  }
  return pattern;
}

void write_tap_options(FrameWriter& out, const TapOptions& options) {
  if (options.rate == 0 && !options.outcomes) return;
  out.number(options.rate);
  out.byte(options.outcomes ? 1 : 0);
}

TapOptions read_tap_options(FrameReader& in) {
  TapOptions options;
  if (!in.ok() || in.at_end()) return options;
  options.rate = static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
  const std::uint8_t outcomes = in.byte();
  const bool is_known = outcomes <= 1 && in.at_end();
  if (!is_known && !mutated(Mutation::any_options)) in.fail();
  options.outcomes = outcomes == 1;
  return options;
}

}  // namespace coracle::detail
