// The conversions of the C++ types that frame.hpp lists.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/ontology/term_of.hpp"
#include "coracle/detail/fields.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::acl {

// For the conversions below.
namespace frames {

template <class T>
constexpr auto frame_of() {
  if constexpr (requires { FrameOf<T>::frame; }) return FrameOf<T>::frame;
  else return T::frame;
}
template <class T>
concept IsFrame = requires {
  FrameOf<T>::frame;
}
|| requires { T::frame; };

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = !std::is_same_v<T, std::byte>;

// The arguments of a compound in the order of a frame's slots; nullptr where one is absent. Returns
// false, and notes why, if an argument has no place.
bool arrange(const sl::Compound& compound, const SlotName* slots, std::size_t count,
             const sl::Term** arranged, TermReader& reader);
// The compound of the frame `symbol`; nullptr, and a note, if `term` is not one.
const sl::Compound* open_frame(const sl::Term& term, std::string_view symbol, TermReader& reader);
bool read_integer(const sl::Term& term, std::int64_t least, std::uint64_t most,
                  std::int64_t& number, TermReader& reader);
bool read_real(const sl::Term& term, double& number, TermReader& reader);
bool read_text(const sl::Term& term, std::string& text, TermReader& reader);
const std::vector<sl::Argument>* read_elements(const sl::Term& term, TermReader& reader);

// The sequence as a set.
sl::Term as_set(sl::Term&& sequence);

// Collects the arguments of a frame that is written.
class FrameWriter {
 public:
  FrameWriter(std::string_view symbol, bool by_order) : symbol_(symbol), by_order_(by_order) {}

  bool by_order() const noexcept { return by_order_; }
  void put(const SlotName& slot, sl::Term&& value);
  void skip(const SlotName& slot);
  sl::Term finish() &&;

 private:
  std::string symbol_;
  bool by_order_;
  std::string_view skipped_;
  std::vector<sl::Argument> slots_;
};

template <class T>
sl::Term write_field(const SlotName& slot, const T& field) {
  if constexpr (is_list<T>) {
    sl::Term list = TermOf<T>::write(field);
    return slot.is_set ? as_set(std::move(list)) : list;
  } else {
    return TermOf<T>::write(field);
  }
}

template <class T>
void write_slot(FrameWriter& writer, const SlotName& slot, const T& field) {
  if constexpr (is_optional<T>) {
    if (!field) return writer.skip(slot);
    writer.put(slot, write_field(slot, *field));
  } else {
    if constexpr (is_list<T>) {
      if (field.empty() && !writer.by_order()) return writer.skip(slot);
    }
    writer.put(slot, write_field(slot, field));
  }
}

template <class T>
bool read_slot(std::string_view frame, const SlotName& slot, const sl::Term* given, T& field,
               TermReader& reader) {
  if (given == nullptr) {
    field = T{};
    if constexpr (is_optional<T> || is_list<T>) return true;
    reader.refuse(Mismatch::Kind::missing_slot, "is missing");
    return reader.in_slot(frame, slot.name);
  }
  bool is_read = false;
  if constexpr (is_optional<T>) {
    is_read = TermOf<typename T::value_type>::read(*given, field.emplace(), reader);
  } else {
    is_read = TermOf<T>::read(*given, field, reader);
  }
  return is_read || reader.in_slot(frame, slot.name);
}

}  // namespace frames

template <>
struct TermOf<bool> {
  static sl::Term write(bool value) { return value; }
  static bool read(const sl::Term& term, bool& value, TermReader& reader);
};

template <std::integral T>
struct TermOf<T> {
  static sl::Term write(T value) { return value; }
  static bool read(const sl::Term& term, T& value, TermReader& reader) {
    using Range = std::numeric_limits<T>;
    std::int64_t number = 0;
    const bool is_read = frames::read_integer(term, std::int64_t{Range::min()},
                                              std::uint64_t{Range::max()}, number, reader);
    if (is_read) value = static_cast<T>(number);
    return is_read;
  }
};

template <std::floating_point T>
struct TermOf<T> {
  static sl::Term write(T value) { return value; }
  static bool read(const sl::Term& term, T& value, TermReader& reader) {
    double number = 0;
    if (!frames::read_real(term, number, reader)) return false;
    if (number > double{std::numeric_limits<T>::max()} ||
        number < double{std::numeric_limits<T>::lowest()}) {
      return reader.refuse_value("is out of range");
    }
    value = static_cast<T>(number);
    return true;
  }
};

template <>
struct TermOf<std::string> {
  static sl::Term write(const std::string& value) { return value; }
  static bool read(const sl::Term& term, std::string& value, TermReader& reader) {
    return frames::read_text(term, value, reader);
  }
};

template <>
struct TermOf<DateTime> {
  static sl::Term write(const DateTime& value) { return value; }
  static bool read(const sl::Term& term, DateTime& value, TermReader& reader);
};

template <>
struct TermOf<std::vector<std::byte>> {
  static sl::Term write(const std::vector<std::byte>& value) { return value; }
  static bool read(const sl::Term& term, std::vector<std::byte>& value, TermReader& reader);
};

// Any term, unchanged.
template <>
struct TermOf<sl::Term> {
  static sl::Term write(const sl::Term& value) { return value; }
  static bool read(const sl::Term& term, sl::Term& value, TermReader&) {
    value = term;
    return true;
  }
};

// (agent-identifier :name n :addresses (sequence u) :resolvers (sequence …) :X-key value).
template <>
struct TermOf<AgentId> {
  static sl::Term write(const AgentId& value);
  static bool read(const sl::Term& term, AgentId& value, TermReader& reader);
};

// A sequence; a set is read, too.
template <class T>
struct TermOf<std::vector<T>> {
  static sl::Term write(const std::vector<T>& value) {
    std::vector<sl::Term> elements;
    elements.reserve(value.size());
    for (const T& each : value) elements.push_back(TermOf<T>::write(each));
    return sl::sequence(std::move(elements));
  }
  static bool read(const sl::Term& term, std::vector<T>& value, TermReader& reader) {
    value.clear();
    const auto* elements = frames::read_elements(term, reader);
    if (elements == nullptr) return false;
    value.reserve(elements->size());
    for (const sl::Argument& each : *elements) {
      if (!TermOf<T>::read(each.value, value.emplace_back(), reader)) {
        return reader.in_element(value.size() - 1);
      }
    }
    return true;
  }
};

template <frames::IsFrame T>
struct TermOf<T> {
  static constexpr auto frame = frames::frame_of<T>();
  static constexpr std::size_t count = coracle::detail::count_fields<T>();
  static_assert(frame.slots.size() == count,
                "coracle: the frame of a struct has one slot name for each field");

  static sl::Term write(const T& value) {
    frames::FrameWriter writer(frame.symbol, frame.by_order);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto fields = coracle::detail::tie_fields(value);
      (frames::write_slot(writer, frame.slots[I], std::get<I>(fields)), ...);
    }
    (std::make_index_sequence<count>());
    return std::move(writer).finish();
  }

  static bool read(const sl::Term& term, T& value, TermReader& reader) {
    const sl::Compound* compound = nullptr;
    // A frame that has two symbols is written with the first.
    if constexpr (requires { T::other_symbol; }) compound = term.as_compound(T::other_symbol);
    if (compound == nullptr) compound = frames::open_frame(term, frame.symbol, reader);
    if (compound == nullptr) return false;
    std::array<const sl::Term*, count> given{};
    const SlotName* slots = nullptr;
    if constexpr (count > 0) slots = frame.slots.data();
    if (!frames::arrange(*compound, slots, count, given.data(), reader)) return false;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto fields = coracle::detail::tie_fields(value);
      return (
          frames::read_slot(frame.symbol, frame.slots[I], given[I], std::get<I>(fields), reader) &&
          ...);
    }
    (std::make_index_sequence<count>());
  }
};

// One of several frames, by its symbol.
template <frames::IsFrame... Ts>
struct TermOf<std::variant<Ts...>> {
  static sl::Term write(const std::variant<Ts...>& value) {
    return std::visit([]<class T>(const T& each) { return TermOf<T>::write(each); }, value);
  }
  static bool read(const sl::Term& term, std::variant<Ts...>& value, TermReader& reader) {
    bool is_read = false;
    const auto is_one = [&]<class T>(std::in_place_type_t<T>) {
      if (term.as_compound(TermOf<T>::frame.symbol) == nullptr) return false;
      is_read = TermOf<T>::read(term, value.template emplace<T>(), reader);
      return true;
    };
    if ((is_one(std::in_place_type<Ts>) || ...)) return is_read;
    return reader.refuse(Mismatch::Kind::wrong_frame, "is none of the frames that can be there");
  }
};

}  // namespace coracle::acl
