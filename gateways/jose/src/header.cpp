#include "header.hpp"

#include "coracle/support/mutations.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/json_reader.hpp"

#include <algorithm>

namespace coracle::jose {

namespace {

constexpr std::size_t longest_header = 4096, longest_id = 256;

}  // namespace

bool is_base64url(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '-' || each == '_';
  });
}

std::variant<SignedHeader, const char*> read_header(std::string_view encoded) {
  if (encoded.size() > longest_header) return "its header is too long";
  if (!is_base64url(encoded)) return "its header is no base64url";
  const auto text = web::from_base64(encoded);
  if (!text) return "its header is no base64url";
  web::JsonLimits limits;
  limits.bytes = longest_header, limits.depth = 8, limits.values = 100;
  const auto whole = web::parse_json(*text, limits);
  if (!whole || whole->if_object() == nullptr) return "its header is no JSON object";
  // An extension that has to be understood is not understood here (RFC 7515, 4.1.11).
  if (whole->find("crit") != nullptr && !mutated(Mutation::any_extension))
    return "its header has an extension that has to be understood";
  const web::Json* const algorithm = whole->find("alg");
  const web::Json* const id = whole->find("kid");
  const web::Json* const type = whole->find("typ");
  if (algorithm == nullptr || algorithm->if_text() == nullptr) return "it has no algorithm";
  if (id != nullptr && (id->if_text() == nullptr || id->if_text()->size() > longest_id))
    return "the id of its key is no text, or too long";
  if (type != nullptr && type->if_text() == nullptr) return "its type is no text";
  SignedHeader header{*algorithm->if_text()};
  if (id != nullptr) header.key_id = *id->if_text();
  if (type != nullptr) header.type = *type->if_text();
  for (char& each : header.type)
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  return header;
}

}  // namespace coracle::jose
