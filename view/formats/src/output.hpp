// The shared parts of the writers: their buffer, and short forms of names, times and contents.
#pragma once

#include "coracle/formats/writers.hpp"

#include <string>
#include <string_view>

namespace coracle::formats {

// Collects text, and passes it on in parts of about 64 KiB. Call finish() at the end.
class Output {
 public:
  explicit Output(const Sink& sink) : sink_(sink) {}

  Output& operator<<(std::string_view text) {
    text_ += text;
    if (text_.size() >= part_bytes) finish();
    return *this;
  }
  void finish() {
    if (!text_.empty()) sink_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t part_bytes = std::size_t{64} << 10;

  const Sink& sink_;
  std::string text_;
};

// Nanoseconds since the beginning of a story; zero for times before it.
std::uint64_t nanoseconds(const Story& story, Time at) noexcept;

// The content in one line of at most about `longest` bytes, without characters that could deceive.
std::string summary(const StoryMessage& message, std::size_t longest);

// The beginning of a text of UTF-8, cut between two characters.
std::string cut(std::string text, std::size_t longest);

// The gap for people: "missed 3 messages".
std::string gap_text(const StoryGap& gap);

// Returns whether the message belongs to a trace that other systems know.
bool has_trace(const StoryMessage& message) noexcept;

// The outcome with its reason, for people: "dropped, late reply"; "under way" without one.
std::string outcome_text(const StoryMessage& message);

}  // namespace coracle::formats
