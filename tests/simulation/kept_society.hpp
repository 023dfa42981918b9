// A society whose custodian keeps what nodes leave when they stop, and loses its power, as the
// clearinghouse does.
#pragma once

#include "custodian_society.hpp"

#include <cstdint>
#include <vector>

namespace coracle::test {

class KeptSociety final : public CustodianSociety {
 public:
  explicit KeptSociety(std::uint64_t seed, Slip slip = Slip::nothing);

  // What happens under its seed, to the end.
  void play();

 private:
  // Ann sends a batch to bob, and her node stops; meanwhile these hosts lose their power.
  void write(int batch, const std::vector<unsigned>& doomed);
  // Bob is there for as long as nothing is missing for `patience`, or until he has read so much.
  void read(int most, Duration patience, const std::vector<unsigned>& doomed = {});
  // They begin again, the clearinghouse first, and the writer as another node.
  void recover();

  const std::uint64_t seed_;
};

}  // namespace coracle::test
