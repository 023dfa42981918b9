// Feeds any bytes to the reader of FIPA-SL. There must be no crash; each input gives a tree, which
// reads back from its own text, or a refusal with a place within the input.
#include "coracle/acl/sl/level.hpp"
#include "coracle/acl/sl/text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace coracle::acl;

void check(const sl::Reading& reading, std::size_t size) {
  if (!reading) {
    if (reading.fault->offset > size || !reading.expressions.empty()) std::abort();
    return;
  }
  for (std::size_t i = 0; i < reading.expressions.size(); ++i) {
    const sl::Term& term = reading.expressions[i];
    if (reading.spans.at(i).end > size || term.depth() > sl::max_depth) std::abort();
    (void)sl::level_of(term);
    sl::Limits limits;
    limits.bytes = std::size_t{1} << 24;  // quotation marks may make it longer
    if (!(sl::term_from(sl::to_text(term), limits) == term)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(sl::read_content(text), size);
  check(sl::read_term(text), size);
  sl::Limits limits;
  limits.bytes = 1000;
  limits.terms = 20;
  limits.depth = 4;
  const sl::Reading small = sl::read_content(text, limits);
  if (small && small.expressions.size() > limits.terms) std::abort();
  return 0;
}
