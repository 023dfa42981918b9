// Words of FIPA in the metadata of messages: docs/a2a-fipa.md.
// Tests: gateways/a2a/tests/fipa_words_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/a2a/talk.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::a2a {

// A member of the extension's object, and the header that it is in the society.
struct FipaWord {
  std::string_view member;
  std::string_view header;
};
inline constexpr std::array<FipaWord, 3> fipa_words{{{"performative", header::performative},
                                                     {"protocol", header::protocol},
                                                     {"ontology", header::ontology}}};

// The headers for the words in a message's metadata. Words that are not permitted are left out.
std::vector<std::pair<std::string, std::string>> fipa_headers(const Json& metadata);

// Puts the words that the headers of a request have into the metadata of a message.
void put_fipa_words(
    Json& metadata,
    const std::function<std::optional<std::string_view>(std::string_view header)>& header_of);

}  // namespace coracle::a2a
