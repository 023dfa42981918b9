// What happened in a test, by any thread, in its order: lines such as "ann works on dig".
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
  // How many lines there are of that kind.
  std::size_t count(const std::string& line) const;
  // The place of the first that has that in it, counted from one; zero: there is none.
  std::size_t place(const std::string& part) const;
  bool has(const std::string& part) const { return place(part) != 0; }
  std::string all() const;

 private:
  mutable std::mutex mutex_;  // guards lines_
  std::vector<std::string> lines_;
};

}  // namespace coracle::test
