#include "naming.hpp"

#include "coracle/errors.hpp"
#include "realizations/net/src/common_settings.hpp"

#include <cstdlib>

namespace coracle {

std::string_view name_or(std::string_view text, const char* otherwise) {
  if (text.empty()) {
    const char* const environment = std::getenv("CORACLE_REALIZATION");
    text = environment != nullptr && *environment != '\0' ? environment : otherwise;
  }
  if (text.find(':') == text.npos)
    refuse_name(text, "a realization begins with its scheme and a colon, such as " +
                          std::string(otherwise));
  return text;
}

void refuse_name(std::string_view text, const std::string& why) {
  const std::string scheme(text.substr(0, text.find(':')));
  throw Error(Errc::bad_realization,
              "cannot open " +
                  (scheme.size() < text.size() ? net::shown_setting(scheme + ":...") : "this") +
                  ": " + why);
}

}  // namespace coracle
