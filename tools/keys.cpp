// coracle keys: the certificates of a society.
#include "commands.hpp"

#include "realizations/net/src/asio/certificates.hpp"

#include <fmt/format.h>

namespace coracle::command {

int run_keys(const KeysSettings& settings) {
  net::Authority authority(settings.folder, settings.society);
  const std::string place = authority.issue(settings.node, settings.hosts, settings.days);
  fmt::print(
      "the certificate of '{}' is in {}: copy that folder to where it runs\n"
      "the authority of the society '{}' is in {}: its authority.key stays here\n",
      settings.node, place, settings.society, settings.folder);
  return done;
}

}  // namespace coracle::command
