// Feeds any bytes to the beacon as a datagram, as they are and with a proof behind them. There must
// be no crash; a decoded datagram must mean the same when it is encoded again, and no reply may be
// longer than its request.
#include "realizations/net/src/society/beacon/beacon.hpp"
#include "support/keys.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

using namespace coracle::society;

namespace {

BeaconKey key_of(const char* text, const char* society) {
  return beacon_key(coracle::net::SocietyKey::parse(text).value(), society);
}

void try_datagram(const BeaconKey& key, std::span<const std::byte> datagram) {
  static const BeaconKey others[] = {key_of(coracle::test::another_key, "lab"),
                                     key_of(coracle::test::society_key, "another society")};
  const auto read = read_beacon(key, datagram);
  if (!read) return;
  for (const BeaconKey& other : others)
    if (read_beacon(other, datagram)) std::abort();
  const Here* const here = std::get_if<Here>(&*read);
  if (here == nullptr) return;
  const auto written = write_beacon(key, *here);
  if (written.size() > beacon_size) std::abort();
  const auto again = read_beacon(key, written);
  if (!again) std::abort();
  const Here& same = std::get<Here>(*again);
  if (same.nonce != here->nonce || same.started != here->started || same.salt != here->salt ||
      same.endpoints != here->endpoints)
    std::abort();
  Findings findings;
  findings.add({same, "192.0.2.7"}, std::nullopt, coracle::Time());
  if (findings.places(coracle::Time()).size() > 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const BeaconKey key = key_of(coracle::test::society_key, "lab");
  const auto bytes = std::as_bytes(std::span(data, size));
  try_datagram(key, bytes);
  try_datagram(key, seal_beacon(key, {bytes.begin(), bytes.end()}));
  return 0;
}
