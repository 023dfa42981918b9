#include "coracle/caf/voting/charter.hpp"

#include <string>

namespace coracle::caf {

Electorate::Electorate(std::vector<Member> members) : members_(std::move(members)) {
  names_.reserve(members_.size());
  numbers_.reserve(members_.size());
  for (const Member& member : members_) {
    if (member.weight < Fraction(0)) {
      throw Error(Errc::bad_options, "member '" + member.name + "' has the negative weight " +
                                         member.weight.str() + "; give zero or more");
    }
    names_.emplace_back(member.name);
    const auto number = static_cast<std::uint32_t>(names_.size() - 1);
    if (!numbers_.emplace(names_.back(), number).second) {
      throw Error(Errc::bad_options,
                  "member '" + member.name + "' is named twice; name each member once");
    }
    weight_ = weight_ + member.weight;
  }
}

std::optional<std::uint32_t> Electorate::find(const Name& name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

}  // namespace coracle::caf
