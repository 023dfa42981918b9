// Policies and names drawn at random, from so few parts that they often match.
#pragma once

#include "coracle/clock.hpp"
#include "support/seeds.hpp"

#include <cstddef>
#include <iterator>
#include <string>

namespace coracle::trust {

class Draw {
 public:
  explicit Draw(Random& random) : random_(random) {}

  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(test::below(random_, count));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class List>
  auto& of(List&& list) {
    return list[below(std::size(list))];
  }

  std::string part() {
    static constexpr const char* parts[] = {"a", "b", "ab", "ba", "lab"};
    return of(parts);
  }
  std::string name() {
    std::string made = part();
    for (std::size_t more = below(3); more != 0; --more) made += "/" + part();
    return made;
  }
  // A pattern with stars that matches many of these names.
  std::string pattern() {
    switch (below(8)) {
      case 0:
        return "**";
      case 1:
        return "*";
      case 2:
        return part() + "/**";
      case 3:
        return "**/" + part();
      case 4:
        return part() + "*/" + part();
      case 5:
        return "*" + part() + "/*";
      case 6:
        return part() + "/*" + (chance(50) ? "/**" : "");
      default:
        return name();
    }
  }
  std::string policy() {
    static constexpr const char* words[] = {"register", "send", "send",     "overhear",
                                            "overhear", "join", "redirect", "inspect"};
    std::string text = chance(60) ? "allow * register **\n" : "";
    for (std::size_t lines = below(14); lines != 0; --lines) {
      if (chance(10)) text += "  # allow ** send **\n";
      text += chance(70) ? "allow " : "deny\t";
      text += pattern() + "  " + of(words) + " " + pattern();
      text += chance(10) ? " # of course\n" : "\n";
    }
    return text;
  }

 private:
  Random& random_;
};

}  // namespace coracle::trust
