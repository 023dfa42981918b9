// Any bytes as a datagram of the beacon, as they are and with a proof behind them: no crash; what
// is understood means the same when it is written again, and no answer is longer than a question.
#include "realizations/net/src/society/beacon.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

using namespace coracle::society;

namespace {

void try_datagram(const Secret& secret, std::span<const std::byte> datagram) {
  const auto read = read_beacon(secret, datagram);
  if (!read) return;
  if (read_beacon({secret.society, "another key"}, datagram)) std::abort();
  if (read_beacon({"another society", secret.key}, datagram)) std::abort();
  const Here* const here = std::get_if<Here>(&*read);
  if (here == nullptr) return;
  const auto written = write_beacon(secret, *here);
  if (written.size() > beacon_size) std::abort();
  const auto again = read_beacon(secret, written);
  if (!again) std::abort();
  const Here& same = std::get<Here>(*again);
  if (same.nonce != here->nonce || same.started != here->started || same.salt != here->salt ||
      same.endpoints != here->endpoints)
    std::abort();
  Findings findings;
  findings.add(same, "192.0.2.7", std::nullopt, coracle::Time());
  if (findings.places(coracle::Time()).size() > 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Secret secret{"lab", "what we know"};
  const auto bytes = std::as_bytes(std::span(data, size));
  try_datagram(secret, bytes);
  try_datagram(secret, seal_beacon(secret, {bytes.begin(), bytes.end()}));
  return 0;
}
