#include "runtime/party_table.hpp"

namespace coracle::detail {

PartyTable::~PartyTable() {
  for (Party* party : slots_) delete party;
}

Party* PartyTable::find_or_add(std::string_view name, Worker& home) {
  const std::uint32_t hash = hash_of(name);
  const std::lock_guard lock(mutex_);
  std::size_t slot = slot_of(hash);
  for (; slots_[slot] != nullptr; slot = (slot + 1) & (slots_.size() - 1)) {
    const Name& found = slots_[slot]->name;
    if (found.hash() == hash && found.view() == name) return slots_[slot];
  }
  if (size_ >= limit_) {
    throw Error(Errc::limit_reached, "this node knows " + std::to_string(limit_) +
                                         " names already; use fewer of them, or raise "
                                         "NodeOptions::names_limit");
  }
  auto party = std::make_unique<Party>(Name(name), home);
  if ((size_ + 1) * 8 > slots_.size() * 7) {
    grow();
    slot = slot_of(hash);
    while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
  }
  slots_[slot] = party.get();
  ++size_;
  return party.release();
}

void PartyTable::grow() {
  std::vector<Party*> old(slots_.size() * 2);
  old.swap(slots_);
  for (Party* party : old) {
    if (party == nullptr) continue;
    std::size_t slot = slot_of(party->name.hash());
    while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = party;
  }
}

void PartyTable::each(const std::function<void(Party&)>& show) {
  const std::lock_guard lock(mutex_);
  for (Party* party : slots_) {
    if (party != nullptr) show(*party);
  }
}

std::size_t PartyTable::size() const noexcept {
  const std::lock_guard lock(mutex_);
  return size_;
}

}  // namespace coracle::detail
