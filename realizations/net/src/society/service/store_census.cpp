#include "store_census.hpp"

#include <filesystem>
#include <system_error>

namespace coracle::society {

void count_kept(StoreBackend& backend, Census& census) {
  census.counts.emplace_back("kept_messages", backend.counts().messages());
  census.counts.emplace_back("kept_bytes", backend.counts().bytes());
  census.counts.emplace_back("kept_limit", backend.limit());
}

void count_journal(const JournalUse& use, Census& census) {
  census.counts.emplace_back("journal_bytes", use.journal_bytes);
  census.counts.emplace_back("reserve_bytes", use.reserve_bytes);
  census.counts.emplace_back("disk_full", use.full ? 1 : 0);
  if (use.folder.empty()) return;
  std::error_code failure;
  const auto space = std::filesystem::space(use.folder, failure);
  if (!failure) census.counts.emplace_back("free_bytes", space.available);
}

}  // namespace coracle::society
