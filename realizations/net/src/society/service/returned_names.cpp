#include "returned_names.hpp"

#include <utility>

namespace coracle::society {

Result<Incarnation> ReturnedNames::claim(detail::Book& book, Claim claim, const Log& log) {
  auto life = book.claim(claim);
  const auto holder = book.look_up(claim.name);
  if (!life && life.error().errc() == Errc::name_taken && holder) {
    const auto known = origins_.find(claim.name);
    const bool is_of_it = known != origins_.end() && known->second.life == holder->incarnation;
    if (claim.earlier <= (is_of_it ? known->second.earlier : holder->incarnation)) return life;
    log("'" + claim.name.str() + "' was registered in two directories: the later holder keeps it");
    life = book.take_over(claim);
  }
  if (life) origins_[claim.name] = {*life, claim.earlier};
  return life;
}

void ReturnedNames::note_ended(const Name& name, Incarnation life) {
  const auto origin = origins_.find(name);
  if (origin != origins_.end() && origin->second.life == life) origins_.erase(origin);
}

}  // namespace coracle::society
