// The library's answers to cases that oracles make up: one case on each line of the standard input,
// one answer on each line of the standard output. The oracles themselves are the scripts beside
// this file; they use nothing else of the library.
#include "answers.hpp"

#include <iostream>
#include <sstream>
#include <string>

namespace coracle::caf::oracles {

namespace {

std::string answer(const std::string& line) {
  std::istringstream in(line);
  std::ostringstream out;
  std::string what;
  in >> what;
  try {
    if (what == "vote") answer_vote(in, out);
    else if (what == "council") answer_council(in, out);
    else if (what == "auction") answer_auction(in, out);
    else if (what == "market") answer_market(in, out);
    else if (what == "curve") answer_curve(in, out);
    else if (what == "utility") answer_utility(in, out);
    else return "error: there is no such case";
    if (!in) return "error: the case is incomplete";
  } catch (const std::exception& error) {
    return std::string("error: ") + error.what();
  }
  return out.str();
}

}  // namespace

}  // namespace coracle::caf::oracles

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << coracle::caf::oracles::answer(line) << '\n' << std::flush;
  }
}
