#include "coracle/acl/representation.hpp"

#include "ascii.hpp"

#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/acl/string_codec.hpp"
#include "coracle/acl/xml_codec.hpp"

namespace coracle::acl {

std::string_view to_text(Representation representation) noexcept {
  switch (representation) {
    case Representation::bit_efficient:
      return bit_efficient_representation;
    case Representation::xml:
      return xml_representation;
    case Representation::string:
      break;
  }
  return string_representation;
}

std::optional<Representation> representation_of(std::string_view name) noexcept {
  for (const Representation each :
       {Representation::string, Representation::bit_efficient, Representation::xml}) {
    if (same_text(to_text(each), name)) return each;
  }
  return std::nullopt;
}

std::string write_message(Representation representation, const Message& message) {
  switch (representation) {
    case Representation::bit_efficient:
      return write_bit_efficient(message);
    case Representation::xml:
      return write_xml(message);
    case Representation::string:
      break;
  }
  return write_string(message);
}

Message read_message(Representation representation, std::string_view bytes, const Limits& limits) {
  switch (representation) {
    case Representation::bit_efficient:
      return read_bit_efficient(bytes, limits);
    case Representation::xml:
      return read_xml(bytes, limits);
    case Representation::string:
      break;
  }
  return read_string(bytes, limits);
}

}  // namespace coracle::acl
