#include "coracle/fitting.hpp"

#include "coracle/envelope.hpp"
#include "patterns/pattern_parts.hpp"

#include <utility>

namespace coracle {

namespace {

class HeadersOf final : public HeaderView {
 public:
  explicit HeadersOf(const MessageView& message) : message_(message) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    return message_.header(key);
  }

 private:
  const MessageView& message_;
};

}  // namespace

Match fitting(Pattern pattern) {
  return that([pattern = std::move(pattern)](const MessageView& message) {
    // A text costs the most: it may have to be generated first.
    const bool has_text = pattern.parts() != nullptr && pattern.parts()->has_text();
    const std::string_view text = has_text ? message.text() : std::string_view();
    return pattern.matches(message.source().name().view(), message.target().view(), text,
                           HeadersOf(message));
  });
}

}  // namespace coracle
