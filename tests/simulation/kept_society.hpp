// A society whose custodian keeps its messages on a disk, and loses its power, as the clearinghouse
// does. What was stored is given, in order, and not twice without a mark.
#pragma once

#include "linked_hosts.hpp"
#include "slipping_custody.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace coracle::test {

class KeptSociety final : public Nodes {
 public:
  explicit KeptSociety(std::uint64_t seed, Slip slip = Slip::nothing);

  // What happens under its seed, to the end.
  void play();

  std::size_t stored() const { return stored_.size(); }
  std::size_t again() const { return again_; }
  // What is not as it was promised.
  std::string wrong() const;

 private:
  using Service = std::shared_ptr<std::unique_ptr<LinkedDirectory>>;

  KeptSociety(std::uint64_t seed, Slip slip, const Service& service);

  // Ann sends a batch to bob, and her node stops; meanwhile these hosts lose their power.
  void write(int batch, const std::vector<unsigned>& doomed);
  // Bob is there for as long as nothing is missing for `patience`, or until he has read so much.
  void read(int most, Duration patience, const std::vector<unsigned>& doomed = {});
  // These are to lose their power soon.
  void doom(const std::vector<unsigned>& hosts);
  // They begin again, the clearinghouse first, and the writer as another node.
  void recover();
  void on(const Message& message);

  const std::uint64_t seed_;
  const Service service_;
  std::set<unsigned> doomed_;
  int round_ = 0;
  std::set<int> stored_, seen_;
  std::map<int, int> last_;
  std::size_t again_ = 0;
  std::string wrong_;
};

}  // namespace coracle::test
