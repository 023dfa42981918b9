#include "coracle/http/multipart.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <optional>

namespace coracle::http {

namespace {

// The characters and the length that RFC 2046 allows.
bool is_boundary(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 70 && text.back() != ' ' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || is_digit(c) ||
                  std::string_view("'()+_,-./:=? ").find(c) != std::string_view::npos;
         });
}

Error broken(const std::string& fault) {
  return Error(Errc::bad_encoding, "a body of several parts cannot be read: " + fault +
                                       "; the sender has to correct it");
}

Error beyond(const char* what, std::size_t limit) {
  return Error(Errc::too_large, std::string("a body of several parts has more than ") +
                                    std::to_string(limit) + ' ' + what +
                                    "; send fewer, or raise the limit of the receiver");
}

// The place of a line with the boundary.
struct Delimiter {
  std::size_t end_of_part;  // before the end of line that belongs to the delimiter
  std::size_t next;         // behind the line
  bool is_last;
};

// Finds the next line with the boundary, at or behind `from`, which is the beginning of a line.
std::optional<Delimiter> find_delimiter(std::string_view body, std::string_view dashed,
                                        std::size_t from) {
  for (std::size_t at = from; (at = body.find(dashed, at)) != body.npos; at += dashed.size()) {
    if (at != from && body[at - 1] != '\n') continue;
    std::size_t next = at + dashed.size();
    const bool is_last = body.substr(next).starts_with("--");
    if (is_last) next += 2;
    while (next < body.size() && is_blank(body[next])) ++next;
    if (body.substr(next).starts_with("\r\n")) next += 2;
    else if (body.substr(next).starts_with('\n')) next += 1;
    else if (!is_last || next != body.size()) continue;  // a longer line, or the text ends early
    std::size_t end = at;
    if (end > from) --end;
    if (end > from && body[end - 1] == '\r') --end;
    return Delimiter{end, next, is_last};
  }
  return std::nullopt;
}

// Takes one line from the front of `text`. A part may end with its header; then its last line has
// no end, and the line behind it is empty.
std::string_view next_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void add_field(Headers& headers, const std::string& line) {
  if (line.empty()) return;
  const auto colon = line.find(':');
  if (colon == line.npos) throw broken("the line " + detail::quoted(line) + " is no header");
  try {
    headers.add(trimmed(std::string_view(line).substr(0, colon)),
                std::string_view(line).substr(colon + 1));
  } catch (const Error&) {
    throw broken("the line " + detail::quoted(line) + " is no header");
  }
}

Part read_part(std::string_view text, const MultipartLimits& limits) {
  Part part;
  std::size_t bytes = 0;
  std::string field;  // with the lines that continue it
  for (;;) {
    const std::string_view line = next_line(text);
    bytes += line.size() + 2;
    if (bytes > limits.header_bytes)
      throw beyond("bytes in the header of a part", limits.header_bytes);
    if (!line.empty() && is_blank(line.front())) {
      if (field.empty()) throw broken("a header begins with a blank");
      field += ' ';
      field += trimmed(line);
      continue;
    }
    add_field(part.headers, field);
    if (line.empty()) break;
    if (part.headers.size() == limits.header_fields)
      throw beyond("headers in a part", limits.header_fields);
    field = line;
  }
  part.body = text;
  return part;
}

}  // namespace

Result<std::string> boundary_in(std::string_view content_type) {
  const std::string type = media_type(content_type);
  if (type != "multipart/mixed" && type != "multipart-mixed")
    return Error(Errc::wrong_type, "the type of the body is " + detail::quoted(content_type) +
                                       ", not multipart/mixed; send the parts in one");
  auto boundary = media_parameter(content_type, "boundary");
  if (!boundary || !is_boundary(*boundary))
    return broken("the type " + detail::quoted(content_type) + " has no usable boundary");
  return *std::move(boundary);
}

std::string content_type_with(std::string_view boundary) {
  return "multipart/mixed ; boundary=\"" + std::string(boundary) + '"';
}

std::string make_boundary(Random& random) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string boundary;
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 31; ++i, bits >>= 4) {
    if (i % 16 == 0) bits = random.next();
    boundary += digits[bits & 15];
  }
  return boundary;
}

Result<std::vector<Part>> read_multipart(std::string_view body, std::string_view boundary,
                                         const MultipartLimits& limits) try {
  if (!is_boundary(boundary)) throw broken("its boundary is " + detail::quoted(boundary));
  const std::string dashed = "--" + std::string(boundary);
  std::vector<Part> parts;
  auto delimiter = find_delimiter(body, dashed, 0);
  if (!delimiter) throw broken("its boundary does not occur in it");
  while (!delimiter->is_last) {
    if (parts.size() == limits.parts) throw beyond("parts", limits.parts);
    const std::size_t begin = delimiter->next;
    delimiter = find_delimiter(body, dashed, begin);
    if (!delimiter) throw broken("its last boundary is missing");
    parts.push_back(read_part(body.substr(begin, delimiter->end_of_part - begin), limits));
  }
  return parts;
} catch (const Error& error) {
  return error;
}

std::string write_multipart(std::span<const Part> parts, std::string_view boundary,
                            std::string_view preamble) {
  const std::string dashed = "--" + std::string(boundary);
  if (!is_boundary(boundary))
    throw Error(Errc::bad_options, detail::quoted(boundary) +
                                       " cannot separate parts; use up to 70 letters and digits");
  std::size_t size = preamble.size() + dashed.size() + 6;
  for (const Part& part : parts)
    size += dashed.size() + part.headers.bytes() + part.body.size() + 6;
  std::string text;
  text.reserve(size);
  if (!preamble.empty()) text.append(preamble).append("\r\n");
  for (const Part& part : parts) {
    if (part.body.find(dashed) != part.body.npos)
      throw Error(Errc::bad_options, "a part contains the boundary " + detail::quoted(boundary) +
                                         "; choose another one, as make_boundary() does");
    text.append(dashed).append("\r\n");
    for (std::size_t i = 0; i < part.headers.size(); ++i)
      text.append(part.headers[i].name).append(": ").append(part.headers[i].value).append("\r\n");
    text.append("\r\n").append(part.body).append("\r\n");
  }
  return text.append(dashed).append("--\r\n");
}

}  // namespace coracle::http
