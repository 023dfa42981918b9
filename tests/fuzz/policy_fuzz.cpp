// Feeds any text to the parser of policies. There must be no crash; an error must name its line, in
// words that can be printed; and a pattern must match as a simple, slow matcher does.
#include "coracle/grants.hpp"
#include "coracle/support/glob.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

bool slowly_fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*')
    return !text.empty() && text[0] == pattern[0] && slowly_fits(pattern.substr(1), text.substr(1));
  const bool is_double = pattern.starts_with("**");
  const std::string_view rest = pattern.substr(is_double ? 2 : 1);
  if (slowly_fits(rest, text)) return true;
  if (text.empty() || (text[0] == '/' && !is_double)) return false;
  return slowly_fits(pattern, text.substr(1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coracle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto policy = parse_policy(text);
  if (!policy) {
    if (policy.error().errc() != Errc::bad_options) std::abort();
    if (!policy.error().sentence().starts_with("line ")) std::abort();
    for (const char c : policy.error().sentence())
      if (c >= 0 && c < ' ') std::abort();
  } else {
    for (const Action action : {Action::claim, Action::send, Action::overhear, Action::join}) {
      for (const char* const to : {"a", "lab/b", "lab/b/c"})
        (void)(*policy)->allows("node", action, "lab/a", to);
      (void)(*policy)->allows("", action, Name(), Name());
    }
  }
  const std::size_t half = text.find('\n');
  if (half == text.npos || half > 12 || size - half > 24) return 0;
  const std::string_view pattern = text.substr(0, half), word = text.substr(half + 1);
  if (detail::fits(pattern, word) != slowly_fits(pattern, word)) std::abort();
  return 0;
}
