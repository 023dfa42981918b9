#include "coracle/web/exposure.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"

#include <utility>

namespace coracle::web {

Exposure::Exposure(std::vector<std::string> patterns, std::string own)
    : patterns_(std::move(patterns)), own_(own) {
  for (const std::string& each : patterns_) {
    if (each.empty() || each.size() > detail::longest_glob)
      throw Error(Errc::bad_options,
                  "a pattern of agents has 1 to 255 bytes; correct " + detail::quoted(each));
  }
}

bool Exposure::shows(const Name& agent) const noexcept {
  return !agent.empty() && !agent.within(own_) && detail::fits_one(patterns_, agent.view());
}

}  // namespace coracle::web
