// Does random things to a durable store on a simulated disk, and kills it in every way.
#pragma once

#include "cutting_disk.hpp"
#include "realizations/net/src/simulated/disk.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "store_model.hpp"

#include <optional>

namespace coracle::store::test {

// Small limits, so that segments change and are cleaned all the time.
DurableOptions small_options();

// Does each piece of work some time after it was submitted.
std::unique_ptr<DiskWorker> late_worker(std::unique_ptr<SegmentFiles> files, Random& random);

class StorePlayer {
 public:
  explicit StorePlayer(std::uint64_t seed);

  // Plays several runs of the program; returns the failure as a sentence, or nothing.
  std::string play();

  // The events seen over all runs.
  struct Seen {
    std::uint64_t lives = 0, stored = 0, refused = 0, failed_syncs = 0, cleaned = 0, torn = 0;
    std::uint64_t died_in_recovery = 0;
  };
  const Seen& seen() const { return seen_; }

 private:
  bool open();
  void live();
  void act();
  void store_one();
  void finish_some();
  void change_registry();
  void pump();
  void crash();
  std::string end_well();
  void fault(const std::string& what);
  const StoredMessage* any_message();

  net::SeededRandom random_;
  net::SimDisk sim_;
  DurableOptions options_;
  std::unique_ptr<CuttingDisk> disk_;
  std::unique_ptr<DurableStore> store_;
  StoreModel model_;
  Time now_{};
  std::string verdict_;
  Seen seen_;
  std::uint32_t oldest_ = 0;
};

}  // namespace coracle::store::test
