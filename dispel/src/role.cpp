#include "coracle/dispel/role.hpp"

#include <string>

namespace coracle::dispel {

namespace {

std::string lines_of(const std::vector<Name>& names) {
  std::string lines;
  for (const Name& each : names) lines += each.str() + "\n";
  return lines;
}

}  // namespace

Task<> Role::tell(std::string_view key, Operand value) {
  about_.set(key, std::move(value));
  const Properties all = about_;
  co_await describe(all);
}

Task<> Role::play(std::string_view role, const std::vector<Name>& with) {
  about_.set("role", true);
  const std::string key = "role." + std::string(role);
  const std::string names = lines_of(with);
  co_await tell(key, names);
}

Task<> Role::deal(std::string_view verb, const std::vector<Name>& with) {
  if (with.empty()) co_return;
  const std::string key = "does." + std::string(verb);
  const std::string names = lines_of(with);
  co_await tell(key, names);
}

}  // namespace coracle::dispel
