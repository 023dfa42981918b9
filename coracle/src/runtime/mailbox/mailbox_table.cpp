#include "mailbox_table.hpp"

#include <new>

#include <algorithm>

namespace coracle::detail {

MailboxTable::~MailboxTable() {
  for (std::size_t index = 0; index < size_; ++index) at(index).~Mailbox();
}

Mailbox& MailboxTable::at(std::size_t index) noexcept {
  std::byte* const memory = chunks_[index / chunk_mailboxes]->memory;
  return *std::launder(
      reinterpret_cast<Mailbox*>(memory + index % chunk_mailboxes * sizeof(Mailbox)));
}

Mailbox* MailboxTable::find(std::string_view name, std::uint32_t hash) noexcept {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = hash & mask; slots_[place].number != 0; place = (place + 1) & mask) {
    if (slots_[place].hash != hash) continue;
    Mailbox& mailbox = at(slots_[place].number - 1);
    if (mailbox.name.view() == name) return &mailbox;
  }
  return nullptr;
}

Mailbox* MailboxTable::find_or_add(std::string_view name, Worker& home, bool& is_new) {
  const std::uint32_t hash = secret_hash(name);
  const std::lock_guard lock(mutex_);
  Mailbox* const found = find(name, hash);
  is_new = found == nullptr;
  return is_new ? add(Name(name), hash, home) : found;
}

Mailbox* MailboxTable::find_or_add(const Name& name, Worker& home, bool& is_new) {
  const std::uint32_t hash = SecretHash()(name);
  const std::lock_guard lock(mutex_);
  Mailbox* const found = find(name.view(), hash);
  is_new = found == nullptr;
  return is_new ? add(name, hash, home) : found;
}

Mailbox* MailboxTable::find(std::string_view name) {
  const std::uint32_t hash = secret_hash(name);
  const std::lock_guard lock(mutex_);
  return find(name, hash);
}

Mailbox* MailboxTable::add(Name name, std::uint32_t hash, Worker& home) {
  if (size_ >= limit_) {
    throw Error(Errc::limit_reached, "this node has " + std::to_string(limit_) +
                                         " names already; use fewer of them, or raise "
                                         "NodeOptions::names_limit");
  }
  if ((size_ + 1) * 3 > slots_.size() * 2) grow();
  if (size_ == chunks_.size() * chunk_mailboxes) {
    chunks_.push_back(std::unique_ptr<Chunk>(new Chunk));  // not make_unique: that would clear it
    // The first chunk is seldom full: it takes only as much memory as it needs.
    if (chunks_.size() > 1) want_large_pages(chunks_.back().get(), sizeof(Chunk));
  }
  std::byte* const memory = chunks_[size_ / chunk_mailboxes]->memory;
  auto* const mailbox =
      ::new (memory + size_ % chunk_mailboxes * sizeof(Mailbox)) Mailbox(std::move(name), home);
  ++size_;
  free_slot(hash) = {hash, static_cast<std::uint32_t>(size_)};
  return mailbox;
}

MailboxTable::Slot& MailboxTable::free_slot(std::uint32_t hash) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].number != 0) place = (place + 1) & mask;
  return slots_[place];
}

void MailboxTable::grow() {
  Slots old(slots_.size() * 2);
  old.swap(slots_);
  first_.store(slots_.data(), std::memory_order_relaxed);
  mask_.store(slots_.size() - 1, std::memory_order_relaxed);
  for (const Slot& slot : old) {
    if (slot.number != 0) free_slot(slot.hash) = slot;
  }
}

void MailboxTable::each(const std::function<void(Mailbox&)>& show) {
  const std::lock_guard lock(mutex_);
  for (std::size_t index = 0; index < size_; ++index) show(at(index));
}

bool MailboxTable::some(std::size_t from, std::size_t count,
                        const std::function<void(Mailbox&)>& show) {
  const std::lock_guard lock(mutex_);
  const std::size_t end = std::min(size_, from + count);
  for (std::size_t index = from; index < end; ++index) show(at(index));
  return end < size_;
}

}  // namespace coracle::detail
