// A message record as patterns see it.
#pragma once

#include "coracle/pattern.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace coracle::detail {

class RecordHeaders : public HeaderView {
 public:
  explicit RecordHeaders(const MessageRecord& record) noexcept : fields_(record.fields) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (fields_ == nullptr) return std::nullopt;
    for (const auto& [name, value] : fields_->headers) {
      if (name == key) return value;
    }
    return std::nullopt;
  }

 private:
  const OptionalFields* fields_;
};

// The name to which the message was addressed.
inline const Name& addressed_to(const MessageRecord& record) noexcept {
  const bool renamed = record.fields != nullptr && !record.fields->target_name.empty();
  return renamed ? record.fields->target_name : record.target->name;
}

// Returns the text that patterns match; empty for a value that cannot be encoded.
inline std::string_view text_of(const MessageRecord& record) noexcept try {
  if (record.content == nullptr) return {};
  const auto bytes = record.content->is_typed()
                         ? record.content->bytes()
                         : std::span(record.content->inline_bytes(), record.content->size);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
} catch (...) {
  return {};
}

}  // namespace coracle::detail
