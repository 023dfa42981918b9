// The events of a test, from any thread, in their order: lines such as "ann works on dig".
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::test {

class Diary {
 public:
  void note(std::string line);
  std::size_t size() const;
  // The number of lines with that text.
  std::size_t count(const std::string& line) const;
  // The number of the first line that contains `part`, counted from one; zero: there is none.
  std::size_t place(const std::string& part) const;
  bool has(const std::string& part) const { return place(part) != 0; }
  std::string all() const;

 private:
  mutable std::mutex mutex_;  // guards lines_
  std::vector<std::string> lines_;
};

}  // namespace coracle::test
