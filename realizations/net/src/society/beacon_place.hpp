// Where the beacon of a LAN is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace coracle::society {

// Where questions are asked.
struct BeaconPlace {
  std::string group = "239.192.44.10";
  std::uint16_t port = 4410;
  // The address of the only interface that is used; empty: all.
  std::string interface;

  // Understands "239.192.44.10:4410" and "239.192.44.10:4410@127.0.0.1".
  // Fails with Errc::bad_options.
  static BeaconPlace parse(const std::string& text);
};

// Whether the text of a setting wants a beacon, and where: "off" does not, nor does nothing at all
// when there is no key.
std::optional<BeaconPlace> beacon_at(const std::string& text, const std::string& key);

}  // namespace coracle::society
