// Feeds any bytes to the pattern index as patterns and messages. There must be no crash, and the
// index must agree with each pattern alone. Input: lines; the first byte of a line is its kind, the
// rest is its content.
#include "patterns/pattern_index.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using coracle::Error;
using coracle::Name;
using coracle::NoHeaders;
using coracle::Pattern;

// Sets the condition in `line`; a condition that cannot be compiled is ignored.
void set_condition(Pattern& pattern, char kind, std::string_view content) {
  try {
    switch (kind) {
      case 's': pattern.source(content); break;
      case 't': pattern.target(content); break;
      case 'S': pattern.source_is(Name(content)); break;
      case 'T': pattern.target_is(Name(content)); break;
      case 'f': pattern.format(content); break;
      case 'c': pattern.component("key", content); break;
      default: pattern.text(content); break;
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto split = input.find("\n\n");
  const std::string_view text = split == input.npos ? input : input.substr(split + 2);
  input = input.substr(0, split);

  std::vector<Pattern> patterns(1);
  while (!input.empty()) {
    const auto end = input.find('\n');
    const auto line = input.substr(0, end);
    input = end == input.npos ? std::string_view() : input.substr(end + 1);
    if (line.empty()) continue;
    if (line[0] == '-' && patterns.size() < 32) {
      patterns.emplace_back();
    } else {
      set_condition(patterns.back(), line[0], line.substr(1));
    }
  }

  coracle::detail::PatternIndex index(std::size_t{1} << 16);
  for (std::size_t id = 0; id < patterns.size(); ++id) index.add(id, patterns[id]);
  const NoHeaders headers;
  for (const char* source : {"lab/ann", "b"}) {
    std::vector<std::uint64_t> expected;
    for (std::size_t id = 0; id < patterns.size(); ++id) {
      if (patterns[id].matches(source, "desk", text, headers)) expected.push_back(id);
      patterns[id].captures(text);
    }
    const auto text_of = [text] { return text; };
    if (index.match(source, "desk", text_of, headers) != expected) std::abort();
  }
  return 0;
}
