#include "coracle/web/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <limits>

namespace coracle::web {

std::string to_base64(std::string_view bytes) {
  std::string text;
  constexpr std::size_t most = 3 << 20;  // for one call, whose sizes are of the type int
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::string_view part = rest.substr(0, most);
    rest.remove_prefix(part.size());
    const std::size_t at = text.size();
    text.resize(at + (part.size() + 2) / 3 * 4 + 1);  // it ends with a zero byte
    const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + at),
                                        reinterpret_cast<const unsigned char*>(part.data()),
                                        static_cast<int>(part.size()));
    text.resize(at + static_cast<std::size_t>(written));
  }
  return text;
}

std::string to_base64url(std::string_view bytes) {
  std::string text = to_base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::optional<std::string> from_base64(std::string_view given) {
  std::string text(given);
  for (int i = 0; i < 2 && text.ends_with('=') && text.size() % 4 == (i == 0 ? 0U : 3U); ++i)
    text.pop_back();
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '+' || each == '/' || each == '-' || each == '_';
  });
  if (!is_plain || text.size() % 4 == 1) return std::nullopt;
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  const std::size_t missing = (4 - text.size() % 4) % 4;
  text.append(missing, '=');
  std::string bytes(text.size() / 4 * 3, '\0');
  constexpr std::size_t most = 4 << 20;
  for (std::size_t at = 0; at < text.size(); at += most) {
    const std::size_t size = std::min(most, text.size() - at);
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data() + at / 4 * 3),
                        reinterpret_cast<const unsigned char*>(text.data() + at),
                        static_cast<int>(size)) < 0)
      return std::nullopt;
  }
  bytes.resize(bytes.size() - missing);
  return bytes;
}

}  // namespace coracle::web
