#include "codecs/xml/xml.hpp"

#include "ascii.hpp"

#include "coracle/support/quote.hpp"
#include "coracle/support/secret_hash.hpp"

#include <expat.h>

#include <array>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace coracle::acl {

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
    if (same_text(*pair, name)) return pair[1];
  }
  return std::nullopt;
}

namespace {

bool is_ascii(std::string_view bytes) noexcept {
  unsigned char all = 0;
  for (const char each : bytes) all |= static_cast<unsigned char>(each);
  return all < 0x80;
}

// JADE writes an envelope in Latin-1, and does not say so.
bool is_in_latin_1(Form form, std::string_view bytes) {
  if (form != Form::xml_envelope || is_ascii(bytes)) return false;
  const std::string_view head = bytes.substr(0, bytes.find('>'));
  if (head.starts_with("<?xml") && head.find("encoding") != std::string_view::npos) return false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = coracle::detail::utf8_at(bytes, at).bytes;
    if (size == 0) return true;
    at += size;
  }
  return false;
}

struct FreeParser {
  void operator()(XML_ParserStruct* parser) const noexcept { XML_ParserFree(parser); }
};

// The parser that this thread has used last. To make one takes a third of the time of a small
// message. After a larger input it is not kept, because it keeps its memory.
thread_local std::unique_ptr<XML_ParserStruct, FreeParser> kept_parser;
constexpr std::size_t most_bytes_to_keep = 64 * 1024;

XML_ParserStruct* take_parser(const char* encoding) {
  XML_ParserStruct* parser = kept_parser.release();
  if (parser == nullptr) {
    parser = XML_ParserCreate(encoding);
  } else if (XML_ParserReset(parser, encoding) == XML_FALSE) {
    XML_ParserFree(parser);
    parser = nullptr;
  }
  if (parser == nullptr) throw std::bad_alloc();
  return parser;
}

}  // namespace

// An exception cannot pass through expat, so it is kept until expat has stopped.
struct XmlReader::Callbacks {
  template <class Action>
  static void call(void* user, Action action) noexcept {
    auto& reader = *static_cast<XmlReader*>(user);
    if (reader.failure_) return;
    try {
      action(reader);
    } catch (...) {
      reader.failure_ = std::current_exception();
      XML_StopParser(reader.parser_, XML_FALSE);
    }
  }

  static void begin(void* user, const char* name, const char** attributes) {
    call(user, [=](XmlReader& reader) { reader.on_begin(name, XmlAttributes(attributes)); });
  }
  static void end(void* user, const char*) {
    call(user, [](XmlReader& reader) { reader.on_end(); });
  }
  static void text(void* user, const char* text, int size) {
    call(user, [=](XmlReader& reader) { reader.on_text({text, static_cast<std::size_t>(size)}); });
  }
  static void document_type(void* user, const char*, const char*, const char*, int) {
    call(user, [](XmlReader& reader) {
      reader.fail("there is a document type, which is not allowed, because it can define entities");
    });
  }
};

XmlReader::XmlReader(Form form, std::string_view bytes, const Limits& limits)
    : form_(form), bytes_(bytes), budget_(form, bytes.size(), limits), parser_(nullptr) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fail_limit(form, std::numeric_limits<int>::max(), "bytes");
  }
  parser_ = take_parser(is_in_latin_1(form, bytes) ? "ISO-8859-1" : nullptr);
  // Otherwise, expat asks the system for randomness each time.
  XML_SetHashSalt(parser_, coracle::detail::secret_hash("expat") | 1u);
  XML_SetUserData(parser_, this);
  XML_SetElementHandler(parser_, Callbacks::begin, Callbacks::end);
  XML_SetCharacterDataHandler(parser_, Callbacks::text);
  XML_SetStartDoctypeDeclHandler(parser_, Callbacks::document_type);
}

XmlReader::~XmlReader() {
  if (bytes_.size() <= most_bytes_to_keep) kept_parser.reset(parser_);
  else XML_ParserFree(parser_);
}

void XmlReader::read_all() {
  const auto size = static_cast<int>(bytes_.size());
  const XML_Status status = XML_Parse(parser_, bytes_.data(), size, XML_TRUE);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (status == XML_STATUS_OK) return;
  const XML_Error error = XML_GetErrorCode(parser_);
  if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  fail(std::string("it is no XML that can be read (") + XML_ErrorString(error) + ')');
}

void XmlReader::fail(const std::string& reason) const {
  const auto at = XML_GetCurrentByteIndex(parser_);
  fail_reading(form_, at < 0 ? 0 : static_cast<std::size_t>(at), reason);
}

namespace {

// The xml_kinds of bytes in a text: those that stay as they are, those that are written otherwise
// in an attribute or also in the content of an element, and those that must be looked at.
enum XmlKind : unsigned char { as_is = 0, in_attributes = 1, everywhere = 2, unsure = 4 };

constexpr auto xml_kinds = [] {
  std::array<XmlKind, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (byte < 0x20 || byte >= 0x80) table[byte] = unsure;
  }
  for (const unsigned char byte : {'\t', '\n', '"'}) table[byte] = in_attributes;
  for (const unsigned char byte : {'&', '<', '>', '\r'}) table[byte] = everywhere;
  return table;
}();

XmlKind kind_of(char letter) { return xml_kinds[static_cast<unsigned char>(letter)]; }

// Returns all xml_kinds of bytes in the text.
unsigned kinds_in(std::string_view text) {
  unsigned all = as_is;
  for (const char letter : text) all |= kind_of(letter);
  return all;
}

void check_characters(Form form, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = coracle::detail::utf8_at(text, at);
    const bool is_control = character.code < 0x20 && !is_blank(text[at]);
    if (character.bytes == 0 || is_control || character.code == 0xfffe ||
        character.code == 0xffff) {
      fail_writing(form, "the text " + coracle::detail::quoted(text) +
                             " has bytes that XML cannot have; send them as bytes");
    }
    at += character.bytes;
  }
}

// The name of the entity or the number for a character that cannot stay as it is.
std::string_view reference(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    default:
      return "&#13;";
  }
}

// Appends the text with references for the bytes of these xml_kinds.
void append_escaped(std::string& out, std::string_view text, unsigned escaped) {
  for (const char letter : text) {
    if ((kind_of(letter) & escaped) == 0) out += letter;
    else out += reference(letter);
  }
}

}  // namespace

void append_attribute(Form form, std::string& out, std::string_view text) {
  const unsigned found = kinds_in(text);
  if ((found & unsure) != 0) check_characters(form, text);
  if ((found & ~unsigned{unsure}) == 0) out += text;
  else append_escaped(out, text, in_attributes | everywhere);
}

void append_ascii_xml(Form form, std::string& out, std::string_view text) {
  const unsigned found = kinds_in(text);
  if (found == as_is) {
    out += text;
    return;
  }
  if ((found & unsure) != 0) check_characters(form, text);
  for (std::size_t at = 0; at < text.size();) {
    const auto character = coracle::detail::utf8_at(text, at);
    if (character.code >= 0x80) ((out += "&#") += std::to_string(character.code)) += ';';
    else if (kind_of(text[at]) == as_is) out += text[at];
    else out += reference(text[at]);
    at += character.bytes;
  }
}

void append_xml_text(Form form, std::string& out, std::string_view text) {
  constexpr auto npos = std::string_view::npos;
  const unsigned found = kinds_in(text);
  if ((found & unsure) != 0) check_characters(form, text);
  if ((found & everywhere) == 0) {
    out += text;
  } else if (text.find('\r') == npos && text.find("]]>") == npos) {
    ((out += "<![CDATA[") += text) += "]]>";
  } else {
    append_escaped(out, text, everywhere);
  }
}

}  // namespace coracle::acl
