#include "coracle/dispel/role.hpp"

#include <string>

namespace coracle::dispel {

Task<> Role::tell(std::string_view key, Operand value) {
  about_.set(key, std::move(value));
  const Properties all = about_;
  co_await describe(all);
}

Task<> Role::play(std::string_view role, const std::vector<Name>& with) {
  std::string names;
  for (const Name& each : with) names += each.str() + "\n";
  about_.set("role", true);
  const std::string key = "role." + std::string(role);
  co_await tell(key, names);
}

}  // namespace coracle::dispel
