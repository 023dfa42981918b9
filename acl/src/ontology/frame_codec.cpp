#include "coracle/acl/ontology/frame.hpp"

#include "coracle/acl/base64.hpp"

#include "coracle/acl/sl/text.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::acl {

using coracle::detail::quoted;
using Kind = Mismatch::Kind;

Error unreadable(const Mismatch& mismatch) {
  const std::string place = mismatch.place.empty() ? "the term" : quoted(mismatch.place, 200);
  return Error(Errc::bad_encoding, "a term of SL cannot be read: " + place + " " + mismatch.reason +
                                       "; its sender has to correct it");
}

void fail_reading(const Mismatch& mismatch) { throw unreadable(mismatch); }

Mismatch TermReader::mismatch() && {
  mismatch_.place.insert(0, outermost_);
  return std::move(mismatch_);
}

bool TermReader::refuse(Kind kind, std::string reason) {
  mismatch_ = {kind, {}, {}, {}, std::move(reason)};
  return false;
}

bool TermReader::refuse_value(const char* reason) { return refuse(Kind::wrong_value, reason); }

bool TermReader::in_element(std::size_t index) {
  mismatch_.place.insert(0, "[" + std::to_string(index) + "]");
  return false;
}

bool TermReader::in_slot(std::string_view frame, std::string_view slot) {
  if (mismatch_.frame.empty()) {
    mismatch_.frame = frame;
    mismatch_.slot = slot;
  }
  mismatch_.place.insert(0, "." + std::string(slot));
  outermost_ = frame;
  return false;
}

namespace frames {

namespace {

bool arrange_by_order(const sl::Compound& compound, std::size_t count, const sl::Term** arranged,
                      TermReader& reader) {
  const auto& arguments = compound.arguments;
  for (std::size_t i = 0; i < std::min(count, arguments.size()); ++i) {
    arranged[i] = &arguments[i].value;
  }
  if (arguments.size() <= count || reader.policy() == UnknownSlots::ignore) return true;
  return reader.refuse(Kind::too_many, "has " + std::to_string(arguments.size()) +
                                           " arguments, and at most " + std::to_string(count) +
                                           " belong there");
}

}  // namespace

bool arrange(const sl::Compound& compound, const SlotName* slots, std::size_t count,
             const sl::Term** arranged, TermReader& reader) {
  const auto& arguments = compound.arguments;
  if (arguments.empty() || arguments.front().slot.empty()) {
    return arrange_by_order(compound, count, arranged, reader);
  }
  for (const sl::Argument& each : arguments) {
    const auto* const found = std::find_if(slots, slots + count, [&](const SlotName& slot) {
      return sl::is_same_symbol(slot.name, each.slot);
    });
    const bool is_known = found != slots + count;
    if (!is_known && reader.policy() == UnknownSlots::ignore) continue;
    if (!is_known) {
      reader.refuse(Kind::unknown_slot, "is no slot of that frame");
      return reader.in_slot(compound.symbol, each.slot);
    }
    const sl::Term*& place = arranged[found - slots];
    if (place != nullptr) {
      reader.refuse_value("is given more than once");
      return reader.in_slot(compound.symbol, each.slot);
    }
    place = &each.value;
  }
  return true;
}

const sl::Compound* open_frame(const sl::Term& term, std::string_view symbol, TermReader& reader) {
  const sl::Compound* found = term.as_compound(symbol);
  if (found == nullptr) {
    reader.refuse(Kind::wrong_frame, "is no frame '" + std::string(symbol) + "'");
  }
  return found;
}

bool read_integer(const sl::Term& term, std::int64_t least, std::uint64_t most,
                  std::int64_t& number, TermReader& reader) {
  const auto* found = term.as<std::int64_t>();
  if (found == nullptr) return reader.refuse_value("is not an integer");
  if (*found < least || (*found > 0 && static_cast<std::uint64_t>(*found) > most)) {
    return reader.refuse_value("is out of range");
  }
  number = *found;
  return true;
}

bool read_real(const sl::Term& term, double& number, TermReader& reader) {
  if (const auto* real = term.as<double>()) number = *real;
  else if (const auto* integer = term.as<std::int64_t>()) number = static_cast<double>(*integer);
  else return reader.refuse_value("is not a number");
  return true;
}

bool read_text(const sl::Term& term, std::string& text, TermReader& reader) {
  if (const auto* found = term.as<std::string>()) {
    text = *found;
    return true;
  }
  // Another platform may have written a text as a byte string that looks like base64.
  if (const auto* bytes = term.as<std::vector<std::byte>>()) {
    text.clear();
    append_base64(text, *bytes);
    return true;
  }
  return reader.refuse_value("is not a text");
}

const std::vector<sl::Argument>* read_elements(const sl::Term& term, TermReader& reader) {
  const auto* found = sl::elements_of(term);
  if (found == nullptr) reader.refuse_value("is neither a set nor a sequence");
  return found;
}

sl::Term as_set(sl::Term&& sequence) {
  std::vector<sl::Term> elements;
  for (const sl::Argument& each : *sl::elements_of(sequence)) elements.push_back(each.value);
  return sl::set(std::move(elements));
}

void FrameWriter::put(const SlotName& slot, sl::Term&& value) {
  if (!skipped_.empty()) {
    throw Error(Errc::bad_options, "the frame '" + symbol_ +
                                       "' cannot be written: its arguments go by their order, and "
                                       "'" +
                                       std::string(slot.name) + "' is given but '" +
                                       std::string(skipped_) + "' is not; give both");
  }
  slots_.push_back({by_order_ ? std::string() : std::string(slot.name), std::move(value)});
}

void FrameWriter::skip(const SlotName& slot) {
  if (by_order_) skipped_ = slot.name;
}

sl::Term FrameWriter::finish() && {
  if (!by_order_) return sl::frame(std::move(symbol_), std::move(slots_));
  std::vector<sl::Term> arguments;
  arguments.reserve(slots_.size());
  for (sl::Argument& each : slots_) arguments.push_back(std::move(each.value));
  return sl::compound(std::move(symbol_), std::move(arguments));
}

}  // namespace frames

bool TermOf<bool>::read(const sl::Term& term, bool& value, TermReader& reader) {
  const auto* found = term.as<bool>();
  if (found == nullptr) return reader.refuse_value("is neither true nor false");
  value = *found;
  return true;
}

bool TermOf<DateTime>::read(const sl::Term& term, DateTime& value, TermReader& reader) {
  const auto* found = term.as<DateTime>();
  if (found == nullptr) return reader.refuse_value("is not a date");
  value = *found;
  return true;
}

bool TermOf<std::vector<std::byte>>::read(const sl::Term& term, std::vector<std::byte>& value,
                                          TermReader& reader) {
  if (const auto* bytes = term.as<std::vector<std::byte>>()) {
    value = *bytes;
    return true;
  }
  // The text of a byte string that is not base64.
  const auto* text = term.as<std::string>();
  if (text == nullptr) return reader.refuse_value("is no byte string");
  const auto* data = reinterpret_cast<const std::byte*>(text->data());
  value.assign(data, data + text->size());
  return true;
}

}  // namespace coracle::acl
