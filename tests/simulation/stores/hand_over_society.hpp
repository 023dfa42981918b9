// A society whose message store keeps the messages that nodes leave when they stop. The store loses
// its power, as the clearinghouse does.
#pragma once

#include "store_society.hpp"

#include <cstdint>
#include <vector>

namespace coracle::test {

class HandOverSociety final : public StoreSociety {
 public:
  explicit HandOverSociety(std::uint64_t seed, BackendFault fault = BackendFault::nothing);

  // Plays the seed to its end.
  void play();

 private:
  // Ann sends a batch to bob, and her node stops; meanwhile these hosts lose their power.
  void write(int batch, const std::vector<unsigned>& doomed);
  // Bob stays until he has received nothing for `patience`, or has read `most` messages.
  void read(int most, Duration patience, const std::vector<unsigned>& doomed = {});
  // The hosts start again, the clearinghouse first, and the writer as another node.
  void recover();

  const std::uint64_t seed_;
};

}  // namespace coracle::test
