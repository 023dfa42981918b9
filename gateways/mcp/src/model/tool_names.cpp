#include "model/tool_names.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

namespace coracle::mcp {

namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

bool is_kept(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
         (each >= '0' && each <= '9') || each == '-';
}

bool is_digit(char each) noexcept { return digits.find(each) != std::string_view::npos; }

// Returns whether a reader would take an underscore before that text for the beginning of
// something else. The text is one that is written already.
bool changes_after_underscore(std::string_view written) noexcept {
  if (written.empty()) return false;
  if (written.front() == '_') return true;
  return written.size() >= 3 && written[0] == 'x' && is_digit(written[1]) && is_digit(written[2]);
}

std::string escaped(char each) {
  const auto byte = static_cast<unsigned char>(each);
  return {'_', 'x', digits[byte >> 4], digits[byte & 15]};
}

}  // namespace

std::string to_tool_text(std::string_view text) {
  std::string written;  // from the end on, since an underscore depends on what follows
  for (std::size_t at = text.size(); at > 0; --at) {
    const char each = text[at - 1];
    if (each == '/') written.insert(0, "__");
    else if (is_kept(each)) written.insert(written.begin(), each);
    else if (each == '_' && !changes_after_underscore(written)) written.insert(0, "_");
    else written.insert(0, escaped(each));
  }
  return written;
}

std::optional<std::string> from_tool_text(std::string_view text) {
  std::string read;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (!is_kept(rest.front()) && rest.front() != '_') return std::nullopt;
    if (rest.starts_with("__")) {
      read += '/';
      at += 1;
    } else if (rest.size() >= 4 && rest.starts_with("_x") && is_digit(rest[2]) &&
               is_digit(rest[3])) {
      read += static_cast<char>(digits.find(rest[2]) * 16 + digits.find(rest[3]));
      at += 3;
    } else {
      read += rest.front();
    }
  }
  if (to_tool_text(read) != text) return std::nullopt;
  return read;
}

std::optional<std::string> ask_tool(const Name& agent) {
  std::string name = "ask_" + to_tool_text(agent.view());
  if (name.size() > longest_tool_name) return std::nullopt;
  return name;
}

std::string call_tool(const Name& agent, std::string_view function) {
  std::string name = "call_" + to_tool_text(agent.str().append("/").append(function));
  if (name.size() > longest_tool_name)
    throw Error(Errc::bad_options, "the tool " + coracle::detail::quoted(name) + " has more than " +
                                       std::to_string(longest_tool_name) +
                                       " bytes; give the agent or the function a shorter name");
  return name;
}

}  // namespace coracle::mcp
