#include "coracle/caf/contracts/commitments.hpp"

#include <algorithm>
#include <bit>

namespace coracle::caf {

namespace {

// The greatest number of contracts with a bid. The limit protects the bidder against a client that
// floods it.
constexpr std::size_t open_limit = 100'000;

std::uint64_t room_for(const Contract& contract, Items items) {
  return std::uint64_t{contract.size} * static_cast<std::uint64_t>(std::popcount(items));
}

}  // namespace

const Commitments::Commitment* Commitments::find(const Key& key) const {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

Commitments::Commitment* Commitments::with_award(const Key& key, AwardNumber award) {
  const auto found = all_.find(key);
  if (found == all_.end() || found->second.award != award) return nullptr;
  return &found->second;
}

void Commitments::take(Commitment& one, std::uint64_t room) {
  taken_ = taken_ - one.room + room;
  one.room = room;
}

void Commitments::forget(const Key& key) {
  const auto found = all_.find(key);
  if (found != all_.end()) forget(found);
}

void Commitments::forget(All::iterator one) {
  take(one->second, 0);
  all_.erase(one);
}

std::string Commitments::on_call(const Key& key, const Contract& contract) {
  const auto found = all_.find(key);
  if (found != all_.end()) {
    if (found->second.state != State::bid) return "it has an award of this contract";
    if (found->second.contract().round > contract.round)
      return "a later call has replaced this one";
    forget(found);
  }
  if (contract.items.size() > items_limit) return "it has too many items";
  if (contract.lease <= Duration::zero()) return "its lease is over before it begins";
  if (contract.size > room()) return "there is no room for it";
  if (all_.size() >= open_limit) return "there are too many contracts under way";
  return {};
}

bool Commitments::bid(const Key& key, const Content& call, Bid bid, Time now, Content& offer) {
  const Contract& contract = call.as<Contract>();
  std::erase_if(bid.offerings,
                [&](const Offering& each) { return room_for(contract, each.items) > room(); });
  bid.contract = contract.id;
  bid.round = contract.round;
  if (bid.offerings.empty()) return false;
  std::uint64_t most = 0;
  for (const Offering& each : bid.offerings) most = std::max(most, room_for(contract, each.items));
  offer = Content::of(std::move(bid));
  const auto [found, is_new] = all_.try_emplace(key);
  Commitment& one = found->second;
  if (!is_new) {
    take(one, 0);
    one = Commitment();
  }
  one.call = call;
  one.offer = offer;
  one.until = Deadline(contract.bid_holds).at(now);
  expect(one.until);
  if (promises_ == Promises::at_bid) take(one, most);
  return true;
}

std::string Commitments::on_award(const Key& key, const Award& award, Time now) {
  const auto found = all_.find(key);
  if (found == all_.end()) return "the bid does not stand any more";
  Commitment& one = found->second;
  if (award.award <= one.seen) return "that award is not newer than the last one";
  if (one.state != State::bid) return "it has another award of this contract";
  if (award.round != one.contract().round) return "the award is for another call's bid";
  const std::vector<Offering>& offerings = one.offer.as<Bid>().offerings;
  const bool was_offered =
      std::any_of(offerings.begin(), offerings.end(), [&](const Offering& each) {
        return each.items == award.items && each.amount == award.amount;
      });
  if (!was_offered) return "the award differs from the bid";
  one.seen = award.award;
  const std::uint64_t wanted = room_for(one.contract(), award.items);
  if (wanted > room() + one.room) {
    forget(key);
    return "there is no room for it any more";
  }
  take(one, wanted);
  one.state = State::accepted;
  one.award = award.award;
  one.items = award.items;
  one.price = award.price;
  one.until = Deadline(one.contract().lease).at(now);
  expect(one.until);
  return {};
}

bool Commitments::on_lease(const Key& key, const Lease& lease, Time now) {
  Commitment* one = with_award(key, lease.award);
  if (one == nullptr || (one->state != State::accepted && one->state != State::held)) return false;
  const Duration asked(std::min(lease.asked, now.time_since_epoch().count()));
  const Time until = Deadline(one->contract().lease).at(Time(asked));
  // A lease that comes too late is ignored.
  if (until <= now) return false;
  const bool begins = one->state == State::accepted;
  one->state = State::held;
  one->until = begins ? until : std::max(one->until, until);
  one->renew = now + one->contract().lease / 3;
  expect(std::min(one->renew, one->until));
  return begins;
}

bool Commitments::report(const Key& key, AwardNumber award) {
  Commitment* one = with_award(key, award);
  if (one == nullptr || one->state != State::held) return false;
  one->state = State::reported;
  one->renew = Time::max();
  take(*one, 0);
  return true;
}

bool Commitments::withdraw(const Key& key, AwardNumber award) {
  Commitment* one = with_award(key, award);
  if (one == nullptr || one->state == State::reported) return false;
  forget(key);
  return true;
}

bool Commitments::drop(const Key& key, AwardNumber award) {
  Commitment* one = with_award(key, award);
  if (one == nullptr || award == 0) return false;
  const bool was_held = one->state == State::held;
  forget(key);
  return was_held;
}

void Commitments::reject(const Key& key, std::uint32_t round) {
  const auto found = all_.find(key);
  if (found == all_.end() || found->second.state != State::bid) return;
  if (found->second.contract().round <= round) forget(found);
}

Commitments::Chores Commitments::on_time(Time now) {
  Chores chores;
  if (now < due_) return chores;
  due_ = Time::max();
  std::vector<Key> over;
  for (auto& [key, each] : all_) {
    if (now >= each.until) {
      over.push_back(key);
      if (each.state == State::held) chores.lost.emplace_back(key, each.award);
      else if (each.state != State::reported) chores.ended.emplace_back(key, each.award);
      continue;
    }
    if (now >= each.renew) {
      chores.renew.emplace_back(key, each.award);
      each.renew = now + each.contract().lease / 3;
    }
    expect(std::min(each.until, each.renew));
  }
  for (const Key& key : over) forget(key);
  const auto earlier = [](const auto& a, const auto& b) {
    return std::pair(a.first.client.view(), a.first.contract) <
           std::pair(b.first.client.view(), b.first.contract);
  };
  std::sort(chores.renew.begin(), chores.renew.end(), earlier);
  std::sort(chores.lost.begin(), chores.lost.end(), earlier);
  std::sort(chores.ended.begin(), chores.ended.end(), earlier);
  return chores;
}

}  // namespace coracle::caf
