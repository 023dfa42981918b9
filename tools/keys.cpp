// coracle keys: the keys and certificates of a society.
#include "commands.hpp"

#include "realizations/net/src/asio/tls/certificates.hpp"
#include "realizations/net/src/society_key.hpp"

#include "coracle/errors.hpp"

#include <fmt/format.h>

namespace coracle::command {

int run_keys(const KeysSettings& settings) {
  if (settings.society_key) {
    fmt::print("{}\n", net::SocietyKey::make().text());
    return done;
  }
  if (settings.folder.empty() || settings.node.empty())
    throw Error(Errc::bad_options,
                "name the node, as in: coracle keys FOLDER NODE; or, for a key that all nodes "
                "share: coracle keys --society-key");
  net::Authority authority(settings.folder, settings.society);
  if (settings.revoke) {
    const std::string list = authority.revoke(settings.node);
    fmt::print(
        "the certificates of '{}' are revoked, in {} and in the folders of nodes beside it:\n"
        "copy that file into the folder of each node that runs elsewhere; it is read within "
        "seconds\n",
        settings.node, list);
    return done;
  }
  const std::string place = settings.renew
                                ? authority.renew(settings.node, settings.hosts, settings.days)
                                : authority.issue(settings.node, settings.hosts, settings.days);
  fmt::print(
      "the certificate of '{}' is in {}: copy that folder to where it runs\n"
      "the authority of the society '{}' is in {}: its authority.key stays here\n",
      settings.node, place, settings.society, settings.folder);
  return done;
}

}  // namespace coracle::command
