// The names of a frame, the reasons why a term is not a value, and the conversion of a type of your
// own. frame.hpp has the functions that use them. Tests: acl/tests/ontology/frame_test.cpp.
#pragma once

#include "coracle/acl/sl/term.hpp"
#include "coracle/errors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::acl {

// The name of a slot.
struct SlotName {
  constexpr SlotName(const char* text, bool is_a_set = false) : name(text), is_set(is_a_set) {}

  std::string_view name;
  bool is_set;
};

// The symbol and the slots of a frame, in the order of the fields of its struct.
template <std::size_t Count>
struct FrameForm {
  std::string_view symbol;
  bool by_order = false;
  std::array<SlotName, Count> slots;
};
template <>
struct FrameForm<0> {
  std::string_view symbol;
  bool by_order = false;
  std::array<const SlotName*, 0> slots;
};

// The frame of T; specialize it for a struct that cannot have a member `frame`:
//   template <> struct coracle::acl::FrameOf<Book> {
//     static constexpr auto frame = coracle::acl::by_name("book", "title");
//   };
template <class T>
struct FrameOf {};

// The treatment of slots that a struct does not have.
enum class UnknownSlots : std::uint8_t { ignore, refuse };

// The reason why a term is not a value of a type.
struct Mismatch {
  enum class Kind : std::uint8_t {
    wrong_frame,   // the term is no frame with that symbol
    missing_slot,  // `slot` has to be given
    unknown_slot,  // there is no such slot
    wrong_value,   // the value is of another kind, or out of range
    too_many,      // more arguments than the frame has slots
  };

  Kind kind = Kind::wrong_value;
  // The innermost frame and slot that are concerned; empty outside of frames.
  std::string frame;
  std::string slot;
  // The way to it: "library.books[2].price".
  std::string place;
  // The rest of a sentence: "is not a number".
  std::string reason;

  bool operator==(const Mismatch&) const = default;
};

// Errc::bad_encoding with a sentence about the mismatch; and a function that throws it.
Error unreadable(const Mismatch& mismatch);
[[noreturn]] void fail_reading(const Mismatch& mismatch);

// Collects what goes wrong while a value is read.
class TermReader {
 public:
  explicit TermReader(UnknownSlots policy) noexcept : policy_(policy) {}

  UnknownSlots policy() const noexcept { return policy_; }
  Mismatch mismatch() &&;

  // Notes the mismatch; each returns false.
  bool refuse(Mismatch::Kind kind, std::string reason);
  bool refuse_value(const char* wanted);
  // Adds the place around a mismatch that is noted.
  bool in_element(std::size_t index);
  bool in_slot(std::string_view frame, std::string_view slot);

 private:
  UnknownSlots policy_;
  std::string_view outermost_;
  Mismatch mismatch_;
};

// The conversion of T. Specialize it for a type of your own that is no frame, with the functions
// `static sl::Term write(const T&)` and `static bool read(const sl::Term&, T&, TermReader&)`.
template <class T>
struct TermOf;

}  // namespace coracle::acl
