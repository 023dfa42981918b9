// Files and folders of the simulated disk: as they are, and as they would be after a power cut.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/disk.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

using Bytes = std::vector<std::byte>;

// The content of a file.
class Inode {
 public:
  const Bytes& now() const { return now_; }

  void append(std::span<const std::byte> bytes);
  void truncate(std::size_t size);
  void sync();
  // A sync that fails: some of the changes reach the disk, and the system forgets that the others
  // have not. A later sync writes only later changes.
  void fail_sync(Random& random, std::size_t sector);
  void flip_bit(std::uint64_t bit);

  // Leaves what a power cut leaves: only synced content.
  void lose();
  // Leaves what a power cut leaves when it comes while the disk writes: any number of the changes
  // and, of each appended sector, the whole, a part of it, or what was there before.
  void tear(Random& random, std::size_t sector);

 private:
  // A change that has not been synced: an append, or a truncation.
  struct Change {
    std::size_t at;  // where it was appended, or the size after the truncation
    std::optional<Bytes> appended;
  };
  static void apply(const Change& change, Bytes& to);
  Bytes torn(Random& random, std::size_t sector) const;

  Bytes now_, synced_;
  std::vector<Change> changes_;
};

// The file or folder that a name in a folder stands for.
struct Entry;

// A folder. Changes of its entries survive in their order, as in the journal of a file system;
// after a power cut some of the last ones may be missing.
class Folder {
 public:
  using Entries = std::map<std::string, Entry, std::less<>>;

  const Entries& now() const { return now_; }
  const Entry* find(std::string_view name) const;
  // Puts an entry under a name; remove() removes the entry.
  void put(const std::string& name, Entry entry);
  void remove(const std::string& name);
  // Does both at once: the change survives whole or not at all.
  void rename(const std::string& from, const std::string& to);
  void sync();

  // As in Inode, with everything in the folder. The number of changes that survive is drawn.
  void lose();
  void tear(Random& random, std::size_t sector);

 private:
  void survive(std::size_t changes);
  template <class Function>
  void for_each(Function function);

  Entries now_, synced_;
  std::vector<Entries> changes_;  // the folder after each change since it was synced
};

struct Entry {
  std::shared_ptr<Inode> file;
  std::shared_ptr<Folder> folder;  // one of the two
};

}  // namespace coracle::net
