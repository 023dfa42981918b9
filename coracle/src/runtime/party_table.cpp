#include "runtime/party_table.hpp"

#include <new>

namespace coracle::detail {

PartyTable::~PartyTable() {
  for (std::size_t index = 0; index < size_; ++index) at(index).~Party();
}

Party& PartyTable::at(std::size_t index) noexcept {
  std::byte* const memory = chunks_[index / chunk_parties]->memory;
  return *std::launder(reinterpret_cast<Party*>(memory + index % chunk_parties * sizeof(Party)));
}

Party* PartyTable::find(std::string_view name, std::uint32_t hash) noexcept {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask; slots_[place].number != 0; place = (place + 1) & mask) {
    if (slots_[place].hash != hash) continue;
    Party& party = at(slots_[place].number - 1);
    if (party.name.view() == name) return &party;
  }
  return nullptr;
}

Party* PartyTable::find_or_add(std::string_view name, Worker& home, bool& is_new) {
  const std::uint32_t hash = secret_hash(name);
  const std::lock_guard lock(mutex_);
  Party* const found = find(name, hash);
  is_new = found == nullptr;
  return is_new ? add(Name(name), hash, home) : found;
}

Party* PartyTable::find_or_add(const Name& name, Worker& home, bool& is_new) {
  const std::uint32_t hash = SecretHash()(name);
  const std::lock_guard lock(mutex_);
  Party* const found = find(name.view(), hash);
  is_new = found == nullptr;
  return is_new ? add(name, hash, home) : found;
}

Party* PartyTable::find(std::string_view name) {
  const std::uint32_t hash = secret_hash(name);
  const std::lock_guard lock(mutex_);
  return find(name, hash);
}

Party* PartyTable::add(Name name, std::uint32_t hash, Worker& home) {
  if (size_ >= limit_) {
    throw Error(Errc::limit_reached, "this node knows " + std::to_string(limit_) +
                                         " names already; use fewer of them, or raise "
                                         "NodeOptions::names_limit");
  }
  if ((size_ + 1) * 3 > slots_.size() * 2) grow();
  if (size_ == chunks_.size() * chunk_parties) {
    chunks_.push_back(std::unique_ptr<Chunk>(new Chunk));  // not make_unique: it would clear it
    // The first is seldom full: it takes just as much memory as it needs.
    if (chunks_.size() > 1) want_large_pages(chunks_.back().get(), sizeof(Chunk));
  }
  std::byte* const memory = chunks_[size_ / chunk_parties]->memory;
  auto* const party =
      ::new (memory + size_ % chunk_parties * sizeof(Party)) Party(std::move(name), home);
  ++size_;
  free_slot(hash) = {hash, static_cast<std::uint32_t>(size_)};
  return party;
}

PartyTable::Slot& PartyTable::free_slot(std::uint32_t hash) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].number != 0) place = (place + 1) & mask;
  return slots_[place];
}

void PartyTable::grow() {
  Slots old(slots_.size() * 2);
  old.swap(slots_);
  first_.store(slots_.data(), std::memory_order_relaxed);
  mask_.store(slots_.size() - 1, std::memory_order_relaxed);
  for (const Slot& slot : old) {
    if (slot.number != 0) free_slot(slot.hash) = slot;
  }
}

void PartyTable::each(const std::function<void(Party&)>& show) {
  const std::lock_guard lock(mutex_);
  for (std::size_t index = 0; index < size_; ++index) show(at(index));
}

}  // namespace coracle::detail
