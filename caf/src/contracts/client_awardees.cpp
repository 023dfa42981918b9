// The handling of an awardee's end.
#include "client_impl.hpp"

namespace coracle::caf {

namespace {

// The number of awardees of closed contracts that are still watched. Often the same awardees win
// again.
constexpr std::size_t former_awardees = 64;

}  // namespace

// Begins to watch a bidder before it is sent its award.
void Client::Impl::attend(OpenContract& one, std::uint32_t bidder) {
  if (one.is_closed) return;
  const Name& who = one.bidders[bidder].name();
  if (std::find(one.awardees.begin(), one.awardees.end(), who) == one.awardees.end()) {
    one.awardees.push_back(who);
    if (++awardees_[who] == 1) std::erase(former_, who);
  }
  if (!attendance_.here(who)) self_.spawn(look_for(who));
}

void Client::Impl::attend_no_more(OpenContract& one) {
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

Task<> Client::Impl::look_for(Name who) {
  try {
    const bool is_here = co_await attendance_.look_for(who);
    if (!is_here) on_gone(who, nullptr);
  } catch (const Error& error) {
    if (error.errc() != Errc::stopped) throw;
  }
}

// Handles the end of an agent, or a name that nobody holds.
void Client::Impl::on_gone(const Name& who, const Ending* ending) {
  const Address address = self_.find(who);
  for (const ContractId id : open_) {
    const std::shared_ptr<OpenContract> one = find(id);
    const auto number = one ? one->find(address) : std::nullopt;
    if (!number) continue;
    const Time present = self_.now();
    if (ending != nullptr) one->tender.ended(*number, *ending, present);
    else one->tender.give_up(*number, nobody_holds_it, present);
    if (!one->tender.is_quiet()) touch(one);
  }
}

}  // namespace coracle::caf
