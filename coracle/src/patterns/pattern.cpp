#include "coracle/pattern.hpp"

#include "coracle/support/quote.hpp"
#include "pattern_parts.hpp"
#include "required_literals.hpp"
#include "scanf_format.hpp"

#include <algorithm>
#include <utility>

namespace coracle {
namespace detail {

RE2::Options expression_options() {
  RE2::Options options;
  options.set_max_mem(1 << 20);
  options.set_log_errors(false);
  return options;
}

bool Expression::ruled_out(std::string_view text) const {
  return !literals.empty() && std::none_of(literals.begin(), literals.end(), [&](const auto& one) {
    return text.find(one) != text.npos;
  });
}

bool Expression::matches_whole(std::string_view name) const {
  return !ruled_out(name) && RE2::FullMatch({name.data(), name.size()}, *compiled);
}

bool Expression::found_in(std::string_view text) const {
  return !ruled_out(text) && RE2::PartialMatch({text.data(), text.size()}, *compiled);
}

bool PatternParts::source_matches(std::string_view name) const {
  if (!source_name.empty()) return source_name.view() == name;
  return !source || source->matches_whole(name);
}

bool PatternParts::target_matches(std::string_view name) const {
  if (!target_name.empty()) return target_name.view() == name;
  return !target || target->matches_whole(name);
}

bool PatternParts::components_match(const HeaderView& headers) const {
  return std::all_of(components.begin(), components.end(), [&](const auto& component) {
    return headers.find(component.first) == std::string_view(component.second);
  });
}

bool PatternParts::text_matches(std::string_view content) const {
  return (!text || text->found_in(content)) && (!format || format->found_in(content));
}

}  // namespace detail

namespace {

using detail::Expression;
using detail::PatternParts;
using detail::SharedExpression;

constexpr std::size_t shown_bytes = 200;

void check_length(std::string_view what, std::size_t bytes) {
  if (bytes <= Pattern::max_bytes) return;
  throw Error(Errc::bad_pattern, "The " + std::string(what) + " of a pattern has " +
                                     std::to_string(bytes) + " bytes and may have " +
                                     std::to_string(Pattern::max_bytes) +
                                     "; shorten it, or use several patterns.");
}

SharedExpression compile(std::string_view what, std::string_view written, std::string regex) {
  auto compiled = std::make_unique<const RE2>(regex, detail::expression_options());
  if (!compiled->ok()) {
    throw Error(Errc::bad_pattern,
                "The " + std::string(what) + " pattern " + detail::quoted(written, shown_bytes) +
                    " cannot be compiled; RE2 says " +
                    detail::quoted(compiled->error(), shown_bytes) +
                    "; correct it (RE2 syntax: no look-around, no back-references, a backslash "
                    "before . * + ? ( ) [ ] { } | ^ $ that stand for themselves).");
  }
  auto literals = detail::required_literals(regex);
  auto expression = std::make_shared<Expression>();
  expression->written = std::string(written);
  expression->regex = std::move(regex);
  expression->compiled = std::move(compiled);
  expression->literals = std::move(literals);
  return expression;
}

SharedExpression compile(std::string_view what, std::string_view regex) {
  check_length(what, regex.size());
  return compile(what, regex, std::string(regex));
}

void check_not_empty(std::string_view what, const Name& name) {
  if (!name.empty()) return;
  throw Error(Errc::bad_pattern, "The " + std::string(what) +
                                     " of a pattern is an empty name, which names nobody; leave "
                                     "the condition out to mean everybody.");
}

}  // namespace

PatternParts Pattern::clone() const { return parts_ ? *parts_ : PatternParts{}; }

Pattern& Pattern::assign(PatternParts&& parts) {
  parts_ = std::make_shared<const PatternParts>(std::move(parts));
  return *this;
}

Pattern& Pattern::source(std::string_view regex) {
  auto parts = clone();
  parts.source = compile("source", regex);
  parts.source_name = Name();
  return assign(std::move(parts));
}

Pattern& Pattern::target(std::string_view regex) {
  auto parts = clone();
  parts.target = compile("target", regex);
  parts.target_name = Name();
  return assign(std::move(parts));
}

Pattern& Pattern::text(std::string_view regex) {
  auto parts = clone();
  parts.text = compile("text", regex);
  return assign(std::move(parts));
}

Pattern& Pattern::source_is(const Name& name) {
  check_not_empty("source", name);
  auto parts = clone();
  parts.source_name = name;
  parts.source.reset();
  return assign(std::move(parts));
}

Pattern& Pattern::target_is(const Name& name) {
  check_not_empty("target", name);
  auto parts = clone();
  parts.target_name = name;
  parts.target.reset();
  return assign(std::move(parts));
}

Pattern& Pattern::component(std::string_view header_key, std::string_view value) {
  check_length("component", header_key.size() + value.size());
  if (header_key.empty()) {
    throw Error(Errc::bad_pattern, "A component of a pattern has no key; name the header.");
  }
  auto parts = clone();
  auto& all = parts.components;
  const auto same_key = [&](const auto& one) { return one.first == header_key; };
  const auto found = std::find_if(all.begin(), all.end(), same_key);
  if (found != all.end()) {
    found->second = std::string(value);
  } else if (all.size() < max_components) {
    all.emplace_back(header_key, value);
  } else {
    throw Error(Errc::bad_pattern, "A pattern asks for more than " +
                                       std::to_string(max_components) +
                                       " components; use several patterns.");
  }
  return assign(std::move(parts));
}

Pattern& Pattern::format(std::string_view scanf_like) {
  check_length("format", scanf_like.size());
  auto parts = clone();
  parts.format = compile("format", scanf_like, detail::regex_of_format(scanf_like));
  return assign(std::move(parts));
}

bool Pattern::matches(std::string_view source, std::string_view target, std::string_view text,
                      const HeaderView& headers) const {
  return !parts_ || (parts_->source_matches(source) && parts_->target_matches(target) &&
                     parts_->components_match(headers) && parts_->text_matches(text));
}

std::vector<std::string> Pattern::captures(std::string_view text) const {
  if (!parts_ || !parts_->format) return {};
  const RE2& regex = *parts_->format->compiled;
  std::vector<re2::StringPiece> groups(1 + static_cast<std::size_t>(
                                               regex.NumberOfCapturingGroups()));
  const bool found = regex.Match({text.data(), text.size()}, 0, text.size(), RE2::UNANCHORED,
                                 groups.data(), static_cast<int>(groups.size()));
  if (!found) return {};
  std::vector<std::string> held;
  held.reserve(groups.size() - 1);
  for (auto group = groups.begin() + 1; group != groups.end(); ++group) {
    held.emplace_back(group->data(), group->size());
  }
  return held;
}

}  // namespace coracle
