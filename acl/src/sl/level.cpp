#include "coracle/acl/sl/level.hpp"

#include "sl/operators.hpp"

#include <algorithm>

namespace coracle::acl::sl {

Level level_of(const Term& term) noexcept {
  if (term.kind() == Term::Kind::variable) return Level::sl2;
  const auto* compound = term.as<Compound>();
  if (compound == nullptr) return Level::sl0;
  Level level = level_of_operator(compound->symbol).value_or(Level::sl0);
  // Only the full language has a condition behind the action that is done.
  if (compound->is("done") && compound->arguments.size() > 1) level = Level::sl2;
  for (const Argument& each : compound->arguments) level = std::max(level, level_of(each.value));
  return level;
}

Level level_of(const std::vector<Term>& content) noexcept {
  Level level = Level::sl0;
  for (const Term& each : content) level = std::max(level, level_of(each));
  return level;
}

std::string_view language_of(Level level) noexcept {
  switch (level) {
    case Level::sl0:
      return "fipa-sl0";
    case Level::sl1:
      return "fipa-sl1";
    case Level::sl2:
      break;
  }
  return "fipa-sl2";
}

std::optional<Level> level_of_language(std::string_view language) noexcept {
  for (const Level level : {Level::sl0, Level::sl1, Level::sl2}) {
    if (is_same_symbol(language, language_of(level))) return level;
  }
  if (is_same_symbol(language, "fipa-sl")) return Level::sl2;
  return std::nullopt;
}

}  // namespace coracle::acl::sl
