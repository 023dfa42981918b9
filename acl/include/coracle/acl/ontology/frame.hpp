// Ontologies: plain C++ structs as terms of FIPA-SL. A struct says which frame it is:
//
//   struct Book {
//     static constexpr auto frame = acl::by_name("book", "title", "price", acl::as_set("authors"));
//     std::string title;
//     double price = 0;
//     std::vector<std::string> authors;
//   };
//   to_term(Book{"emma", 9.5, {}})  is  (book :title emma :price 9.5)
//   from_term<Book>(term)           gives the struct again
//
// Fields are truth values, numbers, std::string, DateTime, AgentId, std::vector<std::byte>, terms
// of any kind (sl::Term), other frames, variants of frames, and vectors and optionals of these. A
// struct has at most 16 fields. Tests: acl/tests/ontology/frame_test.cpp.
#pragma once

#include "coracle/acl/detail/frame_codec.hpp"
#include "coracle/acl/ontology/term_of.hpp"

#include <optional>
#include <utility>

namespace coracle::acl {

// A frame whose slots are written with their names: (book :title emma). An absent optional and an
// empty vector are not written.
template <class... Slots>
consteval auto by_name(std::string_view symbol, Slots... slots) {
  return FrameForm<sizeof...(Slots)>{symbol, false, {SlotName(slots)...}};
}
// A frame whose slots are written by their order, as FIPA does for actions and predicates:
// (sell emma 9.5).
template <class... Slots>
consteval auto by_order(std::string_view symbol, Slots... slots) {
  return FrameForm<sizeof...(Slots)>{symbol, true, {SlotName(slots)...}};
}
// A slot whose vector is written as a set; without this, it is written as a sequence. Both are
// read.
consteval SlotName as_set(const char* slot) { return {slot, true}; }

// The term of a value. Fails with Errc::bad_options for a value that SL cannot write: an infinite
// number, values nested too deep, a frame written by order that has a value behind an absent one.
template <class T>
sl::Term to_term(const T& value) {
  return TermOf<T>::write(value);
}

// Reads a value of a term; returns why that is impossible, or nothing. Slots may be given by name
// or by order, whatever the form in which they are written. A slot must be given unless its field
// is an optional or a vector. On a mismatch, `value` holds the slots that were read before.
template <class T>
std::optional<Mismatch> from_term(const sl::Term& term, T& value,
                                  UnknownSlots policy = UnknownSlots::ignore) {
  TermReader reader(policy);
  if (TermOf<T>::read(term, value, reader)) return std::nullopt;
  return std::move(reader).mismatch();
}

// The same, but failing with Errc::bad_encoding and a sentence about the mismatch.
template <class T>
T from_term(const sl::Term& term, UnknownSlots policy = UnknownSlots::ignore) {
  T value{};
  if (const auto mismatch = from_term(term, value, policy)) fail_reading(*mismatch);
  return value;
}

}  // namespace coracle::acl
