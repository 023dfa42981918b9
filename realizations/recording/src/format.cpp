#include "format.hpp"

namespace coracle::recording {

namespace {

void put(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

bool take(std::string_view& bytes, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool take(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (!take(bytes, size) || size > bytes.size()) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

}  // namespace

namespace format {

std::string hex(std::uint64_t number) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t place = 16; place-- > 0; number >>= 4) text[place] = digits[number & 15];
  return text;
}

std::string pack(const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string bytes;
  for (const auto& [key, value] : headers) {
    for (const std::string& text : {key, value}) {
      put(bytes, text.size());
      bytes += text;
    }
  }
  return bytes;
}

bool unpack(std::string_view bytes, std::vector<std::pair<std::string, std::string>>& headers) {
  while (!bytes.empty()) {
    auto& [key, value] = headers.emplace_back();
    if (!take(bytes, key) || !take(bytes, value)) return false;
  }
  return true;
}

void pack(const Chosen& chosen, std::string& bytes) {
  put(bytes, static_cast<std::uint64_t>(chosen.what));
  put(bytes, chosen.taken);
  put(bytes, chosen.count);
}

bool unpack(std::string_view bytes, std::vector<Chosen>& choices) {
  while (!bytes.empty()) {
    std::uint64_t what = 0, taken = 0, count = 0;
    if (!take(bytes, what) || !take(bytes, taken) || !take(bytes, count)) return false;
    if (what > 0xff || count > ~std::uint32_t{0} || taken >= count) return false;
    choices.push_back({static_cast<Choice>(what), static_cast<std::uint32_t>(taken),
                       static_cast<std::uint32_t>(count)});
  }
  return true;
}

}  // namespace format

namespace {

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string line = "\"";
  for (const char letter : text.substr(0, most)) {
    line += letter < ' ' || letter > '~' ? '?' : letter;
  }
  return line + (text.size() > most ? "…\"" : "\"");
}

}  // namespace

std::string to_string(const Said& said) {
  std::string line = said.id != 0 ? "#" + std::to_string(said.id) + " " : "";
  line += said.source.str() + " -> " + said.target.str();
  if (!said.addressed.empty()) line += " (by " + said.addressed.str() + ")";
  if (said.earlier) line += " (sent earlier)";
  if (said.is_request) line += " asks";
  if (said.is_reply) line += said.is_failure ? " refuses" : " replies";
  if (!said.is_encoded) return line + " a " + said.type;
  if (said.type != "text/plain" && !said.type.empty()) line += " " + said.type;
  return line + " " + shown(said.content);
}

std::string to_string(const Happened& happened) {
  std::string line = happened.agent.str() + ": " + coracle::to_string(happened.what);
  if (happened.message != 0) line += " #" + std::to_string(happened.message);
  if (happened.what == Happening::accepted) line += ", its " + std::to_string(happened.detail);
  if (happened.what == Happening::dropped) {
    line += std::string(", ") + coracle::to_string(static_cast<DropReason>(happened.detail));
  }
  if (happened.what == Happening::ended) {
    line += std::string(", ") + coracle::to_string(static_cast<EndReason>(happened.detail));
  }
  if (!happened.text.empty()) line += " " + shown(happened.text);
  return line;
}

}  // namespace coracle::recording
