// Counts for the census of a service: the messages of its message store, and the disk of their
// journal.
#pragma once

#include "census.hpp"

#include "coracle/store_backend.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace coracle::society {

// The disk usage of a backend's journal in that folder; empty: there is no journal here.
struct JournalUse {
  std::uint64_t journal_bytes = 0, reserve_bytes = 0;
  bool full = false;
  std::string folder;
};

// Adds to a census the stored messages, and, with a journal, its use of the disk and the free room.
void count_kept(StoreBackend& backend, Census& census);
void count_journal(const JournalUse& use, Census& census);
// Does both for ServiceSettings::count_more; `journal`, if there is one, has a usage().
template <class Journal>
auto counting(std::shared_ptr<StoreBackend> backend, std::shared_ptr<Journal> journal,
              std::string folder) {
  return [backend = std::move(backend), journal = std::move(journal),
          folder = std::move(folder)](Census& census) {
    count_kept(*backend, census);
    if (!journal) return;
    const auto use = journal->usage();
    count_journal({use.journal_bytes, use.reserve_bytes, use.full, folder}, census);
  };
}

}  // namespace coracle::society
