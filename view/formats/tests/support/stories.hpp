// Stories for the tests: of a society that the simulator plays, and of hostile texts.
#pragma once

#include "coracle/formats/story.hpp"
#include "coracle/recording/recording.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::test {

// A recording of a society in which messages are consumed, expire, are dropped, cross two nodes, go
// to a group, are answered, refused, and given again; an agent crashes.
recording::Recording recorded_society();
// The same, into a file, which is kept.
void record_society(const std::string& file);

// Texts that could break out of a format: quotes, ends of lines, escapes, markup, bytes that are
// no UTF-8.
const std::vector<std::string>& hostile_texts();

// A story that is made by hand. It keeps the texts.
class HandMade {
 public:
  // Adds a message, and returns it for changes.
  formats::StoryMessage& add(const std::string& source, const std::string& target,
                             std::string content, std::string type = "text/plain");
  formats::Story story;

 private:
  std::deque<std::string> texts_;
};

// A story whose names, types, contents, headers and errors are hostile.
HandMade hostile_story();

// The output of a writer.
template <class Write>
std::string output_of(Write write) {
  std::string all;
  write([&](std::string_view part) { all += part; });
  return all;
}

}  // namespace coracle::test
