#include "codecs/fault.hpp"

#include "coracle/acl/agent_id.hpp"
#include "coracle/errors.hpp"

namespace coracle::acl {

namespace {

std::string name_of(Form form) {
  switch (form) {
    case Form::string:
      return "the string form of a message";
    case Form::bit_efficient:
      return "the bit-efficient form of a message";
    case Form::xml:
      return "the XML form of a message";
    case Form::xml_envelope:
      return "the XML form of an envelope";
    case Form::bit_envelope:
      return "the bit-efficient form of an envelope";
  }
  return "a form";
}

}  // namespace

void fail_reading(Form form, std::size_t at, const std::string& reason) {
  throw Error(Errc::bad_encoding,
              "cannot read " + name_of(form) + ": at byte " + std::to_string(at) + ", " + reason);
}

void fail_writing(Form form, const std::string& reason) {
  throw Error(Errc::bad_encoding, "cannot write " + name_of(form) + ": " + reason);
}

void fail_limit(Form form, std::size_t limit, std::string_view things) {
  throw Error(Errc::too_large, "cannot read " + name_of(form) + ": it has more than " +
                                   std::to_string(limit) + ' ' + std::string(things) +
                                   "; raise the limit, or ask the sender for less");
}

void Budget::check_resolvers(std::size_t depth) const {
  if (depth > max_resolver_depth) fail_limit(form_, max_resolver_depth, "levels of resolvers");
}

}  // namespace coracle::acl
