#include "inode.hpp"

#include "realizations/net/src/seeded_random.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

void Inode::append(std::span<const std::byte> bytes) {
  changes_.push_back({now_.size(), Bytes(bytes.begin(), bytes.end())});
  now_.insert(now_.end(), bytes.begin(), bytes.end());
}

void Inode::truncate(std::size_t size) {
  now_.resize(size);
  changes_.push_back({size, std::nullopt});
}

void Inode::apply(const Change& change, Bytes& to) {
  if (!change.appended) {
    to.resize(std::min(to.size(), change.at));
    return;
  }
  to.resize(std::max(to.size(), change.at + change.appended->size()));
  std::copy(change.appended->begin(), change.appended->end(),
            to.begin() + static_cast<std::ptrdiff_t>(change.at));
}

void Inode::sync() {
  for (const Change& each : changes_) apply(each, synced_);
  changes_.clear();
}

void Inode::fail_sync(Random& random, std::size_t sector) {
  synced_ = torn(random, sector);
  changes_.clear();
}

void Inode::flip_bit(std::uint64_t bit) {
  const auto at = static_cast<std::size_t>(bit / 8);
  const auto mask = static_cast<std::byte>(1u << (bit % 8));
  for (Bytes* each : {&now_, &synced_})
    if (at < each->size()) (*each)[at] ^= mask;
}

void Inode::lose() {
  now_ = synced_;
  changes_.clear();
}

void Inode::tear(Random& random, std::size_t sector) {
  now_ = synced_ = torn(random, sector);
  changes_.clear();
}

Bytes Inode::torn(Random& random, std::size_t sector) const {
  Bytes left = synced_;
  const std::size_t survive = between(random, 0, changes_.size());
  for (std::size_t i = 0; i < survive; ++i) {
    const Change& change = changes_[i];
    apply(change, left);
    if (!change.appended) continue;
    const std::size_t last = change.at + change.appended->size();
    for (std::size_t at = change.at, end; at < last; at = end) {
      end = std::min((at / sector + 1) * sector, last);
      if (chance(random, 50)) continue;
      // The beginning of the sector may have been written; the rest is empty, or bytes of a removed
      // file.
      const std::size_t written = chance(random, 50) ? at : between(random, at, end);
      const bool stale = chance(random, 25);
      for (std::size_t each = written; each < end; ++each)
        left[each] = stale ? static_cast<std::byte>(random.next()) : std::byte{0};
    }
    if (i + 1 == survive && chance(random, 25)) left.resize(between(random, change.at, last));
  }
  return left;
}

const Entry* Folder::find(std::string_view name) const {
  const auto found = now_.find(name);
  return found == now_.end() ? nullptr : &found->second;
}

void Folder::put(const std::string& name, Entry entry) {
  now_[name] = std::move(entry);
  changes_.push_back(now_);
}

void Folder::remove(const std::string& name) {
  now_.erase(name);
  changes_.push_back(now_);
}

void Folder::rename(const std::string& from, const std::string& to) {
  Entry entry = std::move(now_.at(from));
  now_.erase(from);
  now_[to] = std::move(entry);
  changes_.push_back(now_);
}

void Folder::sync() {
  synced_ = now_;
  changes_.clear();
}

// Calls `function` with every entry of the folder; each file once.
template <class Function>
void Folder::for_each(Function function) {
  for (auto& [name, entry] : now_) function(entry);
}

void Folder::survive(std::size_t changes) {
  if (changes > 0) synced_ = std::move(changes_[changes - 1]);
  now_ = synced_;
  changes_.clear();
}

void Folder::lose() {
  survive(0);
  for_each([](Entry& entry) { entry.file ? entry.file->lose() : entry.folder->lose(); });
}

void Folder::tear(Random& random, std::size_t sector) {
  survive(between(random, 0, changes_.size()));
  for_each([&](Entry& entry) {
    entry.file ? entry.file->tear(random, sector) : entry.folder->tear(random, sector);
  });
}

}  // namespace coracle::net
