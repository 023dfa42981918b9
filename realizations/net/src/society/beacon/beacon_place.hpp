// The address of the beacon of a LAN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace coracle::society {

// The address to which questions are sent.
struct BeaconPlace {
  std::string group = "239.192.44.10";
  std::uint16_t port = 4410;
  // The address of the only interface that is used; empty: all.
  std::string interface;

  // Parses "239.192.44.10:4410" and "239.192.44.10:4410@127.0.0.1". Fails with Errc::bad_options.
  static BeaconPlace parse(const std::string& text);
};

// Returns the beacon that the text of a setting asks for, if any: "off" means none, an empty text
// means the default one, and without a key there is none.
std::optional<BeaconPlace> beacon_at(const std::string& text, const std::string& key);

}  // namespace coracle::society
