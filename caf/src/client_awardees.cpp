// How a client learns that an awardee has ended.
#include "client_parts.hpp"

namespace coracle::caf {

namespace {

// Awardees of contracts that are over who are watched still: often the same ones win again.
constexpr std::size_t former_awardees = 64;

}  // namespace

// Before it is sent its award.
void Client::Parts::attend(Case& one, std::uint32_t bidder) {
  if (one.is_closed) return;
  const Name& who = one.bidders[bidder].name();
  if (std::find(one.awardees.begin(), one.awardees.end(), who) == one.awardees.end()) {
    one.awardees.push_back(who);
    if (++awardees_[who] == 1) std::erase(former_, who);
  }
  if (!attendance_.here(who)) self_.spawn(look_for(who));
}

void Client::Parts::attend_no_more(Case& one) {
  for (const Name& who : std::exchange(one.awardees, {})) {
    const auto found = awardees_.find(who);
    if (--found->second > 0) continue;
    awardees_.erase(found);
    former_.push_back(who);
  }
  while (former_.size() > former_awardees) {
    attendance_.drop(former_.front());
    former_.pop_front();
  }
}

Task<> Client::Parts::look_for(Name who) {
  try {
    const bool is_here = co_await attendance_.look_for(who);
    if (!is_here) on_gone(who, nullptr);
  } catch (const Error& error) {
    if (error.errc() != Errc::stopped) throw;
  }
}

// Its agent has ended, or nobody holds the name.
void Client::Parts::on_gone(const Name& who, const Ending* ending) {
  const Address address = self_.find(who);
  for (const ContractId id : open_) {
    const std::shared_ptr<Case> one = find(id);
    const auto number = one ? one->find(address) : std::nullopt;
    if (!number) continue;
    const Time present = self_.now();
    if (ending != nullptr) one->tender.ended(*number, *ending, present);
    else one->tender.give_up(*number, nobody_holds_it, present);
    if (!one->tender.is_quiet()) touch(one);
  }
}

}  // namespace coracle::caf
