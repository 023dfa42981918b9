#include "model/fipa_words.hpp"

#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_word = 255;

// The performatives of FIPA 00037.
constexpr std::array<std::string_view, 22> performatives{
    "accept-proposal",  "agree",     "cancel",          "cfp",       "confirm",
    "disconfirm",       "failure",   "inform",          "inform-if", "inform-ref",
    "not-understood",   "propagate", "propose",         "proxy",     "query-if",
    "query-ref",        "refuse",    "reject-proposal", "request",   "request-when",
    "request-whenever", "subscribe"};

bool is_permitted(const FipaWord& word, std::string_view text) noexcept {
  if (word.header == header::performative)
    return std::find(performatives.begin(), performatives.end(), text) != performatives.end();
  return !text.empty() && text.size() <= longest_word && coracle::detail::is_plain(text);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fipa_headers(const Json& metadata) {
  std::vector<std::pair<std::string, std::string>> headers;
  const Json* const words = metadata.find(fipa_extension);
  if (words == nullptr) return headers;
  for (const FipaWord& each : fipa_words) {
    const Json* const value = words->find(each.member);
    const std::string* const text = value == nullptr ? nullptr : value->if_text();
    if (text != nullptr && is_permitted(each, *text))
      headers.emplace_back(std::string(each.header), *text);
  }
  return headers;
}

void put_fipa_words(
    Json& metadata,
    const std::function<std::optional<std::string_view>(std::string_view header)>& header_of) {
  Json words;
  for (const FipaWord& each : fipa_words) {
    const auto text = header_of(each.header);
    if (text && is_permitted(each, *text)) words.set(each.member, std::string(*text));
  }
  if (!words.is_null()) metadata.set(fipa_extension, std::move(words));
}

}  // namespace coracle::a2a
