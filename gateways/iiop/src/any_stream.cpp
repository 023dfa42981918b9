#include "any_stream.hpp"

#include "coracle/acl/base64.hpp"
#include "coracle/errors.hpp"
#include "encapsulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coracle::fipa {

namespace {

// The longest description of a type, and of a name within it.
constexpr std::uint32_t most_of_type = 4096;
constexpr std::uint32_t most_names = 8;
constexpr int most_aliases = 4;
constexpr const char* byte_array = "byte-array";

// The numbers of the kinds of types, and the marks of a value: see "CDR transfer syntax" in CORBA.
enum Kind : std::uint32_t {
  k_null = 0,
  k_void = 1,
  k_short = 2,
  k_long = 3,
  k_ushort = 4,
  k_ulong = 5,
  k_float = 6,
  k_double = 7,
  k_boolean = 8,
  k_char = 9,
  k_octet = 10,
  k_string = 18,
  k_sequence = 19,
  k_alias = 21,
  k_longlong = 23,
  k_ulonglong = 24,
  k_wstring = 27,
  k_box = 30
};
constexpr std::uint32_t value_tag = 0x7fffff00, value_tag_mask = 0xffffff00;
constexpr std::uint32_t has_codebase = 1, type_mask = 6, one_type = 2, many_types = 6,
                        in_chunks = 8;

[[noreturn]] void refuse() {
  throw Error(Errc::bad_encoding,
              "a property has a value that is not read here; send texts, numbers or octets");
}

std::string octets(cdrStream& in, std::size_t count) {
  std::string bytes(count, '\0');
  in.get_octet_array(reinterpret_cast<CORBA::Octet*>(bytes.data()), static_cast<int>(count));
  return bytes;
}

// Bytes with their number in front.
std::string counted(cdrStream& in, std::size_t most) {
  const std::uint32_t count = in.unmarshalULong();
  if (count > most) refuse();
  return octets(in, count);
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xe0 | code >> 12);
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
    }
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

std::string wide_text(cdrStream& in, std::size_t most) {
  const CORBA::WString_var wide = in.unmarshalWString(static_cast<int>(most));
  std::string text;
  for (const CORBA::WChar* at = wide.in(); *at != 0; ++at) {
    auto code = static_cast<std::uint32_t>(*at);
    const auto next = static_cast<std::uint32_t>(at[1]);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
      ++at;
    }
    if ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff) code = 0xfffd;
    append_utf8(text, code);
  }
  return text;
}

std::string narrow_text(cdrStream& in, std::size_t most) {
  const CORBA::String_var text = in.unmarshalString(static_cast<int>(most));
  return text.in();
}

// The type of a value, as far as it is known here.
struct Type {
  std::uint32_t kind = k_null;
  std::uint32_t content = k_null;  // of a box or a sequence
};

// The type within the description of another one, which may be a further name for a third.
Type type_in(EncapsulationReader reader, std::uint32_t kind) {
  for (int names = 0; kind == k_alias; ++names) {
    (void)reader.text();
    (void)reader.text();
    kind = reader.number();
    if (names == most_aliases) refuse();
    if (kind == k_alias || kind == k_sequence || kind == k_box)
      reader = EncapsulationReader(reader.bytes());
  }
  Type type{kind};
  if (kind == k_box) {
    (void)reader.text();
    (void)reader.text();
  }
  if (kind == k_box || kind == k_sequence) type.content = reader.number();
  if (!reader.is_right()) refuse();
  return type;
}

Type read_type(cdrStream& in) {
  const std::uint32_t kind = in.unmarshalULong();
  if (kind == k_string || kind == k_wstring) (void)in.unmarshalULong();  // its bound
  if (kind != k_alias && kind != k_sequence && kind != k_box) return {kind};
  const std::string description = counted(in, most_of_type);
  return type_in(EncapsulationReader(description), kind);
}

// A text in a box. Values that refer to others, and so could be cyclic, are not read.
std::string boxed_text(cdrStream& in, std::uint32_t content, std::size_t most) {
  if (content != k_string && content != k_wstring) refuse();
  const std::uint32_t tag = in.unmarshalULong();
  if (tag == 0) return {};
  if ((tag & value_tag_mask) != value_tag) refuse();
  if ((tag & has_codebase) != 0) (void)counted(in, most_of_type);
  const std::uint32_t types = tag & type_mask;
  const std::uint32_t names = types == one_type     ? 1
                              : types == many_types ? in.unmarshalULong()
                                                    : std::uint32_t{0};
  if (names > most_names) refuse();
  for (std::uint32_t i = 0; i < names; ++i) (void)counted(in, most_of_type);
  const bool chunked = (tag & in_chunks) != 0;
  if (chunked && in.unmarshalLong() <= 0) refuse();
  std::string text = content == k_string ? narrow_text(in, most) : wide_text(in, most);
  if (chunked && in.unmarshalLong() >= 0) refuse();  // more chunks than one
  return text;
}

std::string text_of(cdrStream& in, const Type& type, std::size_t most) {
  switch (type.kind) {
    case k_null:
    case k_void:
      return {};
    case k_short:
      return std::to_string(in.unmarshalShort());
    case k_long:
      return std::to_string(in.unmarshalLong());
    case k_ushort:
      return std::to_string(in.unmarshalUShort());
    case k_ulong:
      return std::to_string(in.unmarshalULong());
    case k_longlong:
      return std::to_string(in.unmarshalLongLong());
    case k_ulonglong:
      return std::to_string(in.unmarshalULongLong());
    case k_float:
      return fmt::format("{}", in.unmarshalFloat());
    case k_double:
      return fmt::format("{}", in.unmarshalDouble());
    case k_boolean:
      return in.unmarshalBoolean() ? "true" : "false";
    case k_char:
      return std::string(1, static_cast<char>(in.unmarshalChar()));
    case k_octet:
      return std::to_string(in.unmarshalOctet());
    case k_string:
      return narrow_text(in, most);
    case k_wstring:
      return wide_text(in, most);
    case k_box:
      return boxed_text(in, type.content, most);
    default:
      refuse();
  }
}

}  // namespace

void read_any(cdrStream& in, acl::Property& property, std::size_t most) {
  const Type type = read_type(in);
  property.type = "string";
  if (type.kind != k_sequence) {
    property.value = text_of(in, type, most);
    return;
  }
  if (type.content != k_octet) refuse();
  const std::string bytes = counted(in, most);
  property.value.clear();
  acl::append_base64(property.value, std::as_bytes(std::span(bytes)));
  property.type = byte_array;
}

void write_any(cdrStream& out, const acl::Property& property) {
  const auto bytes = property.type == byte_array ? acl::from_base64(property.value) : std::nullopt;
  if (!bytes) {
    out.marshalULong(k_string);
    out.marshalULong(0);
    return out.marshalString(property.value.c_str());
  }
  const bool is_little = (std::endian::native == std::endian::little) != out.marshal_byte_swap();
  out.marshalULong(k_sequence);
  out.marshalULong(12);  // the bytes of the next three
  out.marshalOctet(is_little ? 1 : 0);
  out.marshalULong(k_octet);
  out.marshalULong(0);
  out.marshalULong(static_cast<CORBA::ULong>(bytes->size()));
  out.put_octet_array(reinterpret_cast<const CORBA::Octet*>(bytes->data()),
                      static_cast<int>(bytes->size()));
}

}  // namespace coracle::fipa
