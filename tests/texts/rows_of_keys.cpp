// The reports of society keys and certificates.
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "realizations/net/src/society_key.hpp"
#include "support/early_certificate.hpp"
#include "support/temporary_folder.hpp"
#include "table.hpp"

#include <filesystem>
#include <fstream>

namespace coracle::test {

namespace {

namespace fs = std::filesystem;

std::optional<Error> key_error(const std::string& text) {
  return error_in(net::KeySource(text, "lab").read());
}

// The error of a file with that text, which others may read if `is_open`.
std::function<std::optional<Error>()> in_a_file(std::string text, bool is_open = false) {
  return [text, is_open] {
    const TemporaryFolder folder;
    const std::string file = folder / "lab.key";
    std::ofstream(file) << text;
    fs::permissions(file, is_open ? fs::perms(0644) : fs::perms(0600));
    return key_error(file);
  };
}

std::string many_keys() {
  std::string all;
  for (std::size_t i = 0; i <= net::KeySource::most_keys; ++i)
    all += net::SocietyKey::make().text() + "\n";
  return all;
}

Rows of_keys() {
  return {
      {"a passphrase as a key", Errc::bad_options, [] { return key_error("hunter2"); },
       "the society's key cannot be used: it is neither a key that was made at random (a key that "
       "a person thinks up can be guessed) nor the path of a file, which has a slash; make one "
       "with: coracle keys --society-key"},
      {"half a key", Errc::bad_options, [] { return key_error("coracle-key-abc"); },
       "the society's key cannot be used: behind \"coracle-key-\" there have to be 40 letters and "
       "digits; make one with: coracle keys --society-key"},
      {"a key with a mistake", Errc::bad_options,
       [] {
         std::string text = net::SocietyKey::make().text();
         text.back() = text.back() == 'a' ? 'b' : 'a';
         return key_error(text);
       },
       "the society's key cannot be used: there is a mistake in its letters: copy it again; make "
       "one with: coracle keys --society-key"},
      {"a key file that is not there", Errc::bad_options,
       [] { return key_error("/no/such/lab.key"); },
       "the society's key cannot be used: the file \"/no/such/lab.key\" cannot be read; check its "
       "path and its owner"},
      {"a key file that others may read", Errc::not_permitted, in_a_file("", true),
       "other users may read the key \"<...>/lab.key\"; make it private (chmod 600) and, if they "
       "may have read it already, replace it"},
      {"a key file without a key", Errc::bad_options, in_a_file("# nothing yet\n"),
       "the society's key cannot be used: there is none; make one with: coracle keys "
       "--society-key"},
      {"a key file that is something else", Errc::bad_options, in_a_file(std::string(5000, '#')),
       "the society's key cannot be used: the file \"<...>/lab.key\" has more than 4096 bytes; "
       "give "
       "one with a key on each line"},
      {"too many keys", Errc::bad_options, in_a_file(many_keys()),
       "the society's key cannot be used: there are more than 16 keys; leave old ones out"},
  };
}

// The error of `act` on an authority and its folder.
template <class Act>
std::function<std::optional<Error>()> signing(Act act) {
  return [act] {
    const TemporaryFolder folder;
    net::Authority authority(folder / "keys", "lab");
    return error_from([&] { act(authority, folder / "keys"); });
  };
}

template <class Spoil>
std::function<std::optional<Error>()> showing(int days, const char* society, Spoil spoil) {
  return signing([days, society, spoil](net::Authority& authority, const std::string& folder) {
    const std::string place = authority.issue("robot", {}, days);
    spoil(place, folder);
    central::ServerOptions options;
    options.listen = {"unix://" + folder + "/server"};
    options.society = society;
    options.tls = place;
    options.log = [](const std::string&) {};
    const central::Server server(options);
  });
}
void spoils_nothing(const std::string&, const std::string&) {}

Rows of_authorities() {
  return {
      {"a node with a name that is none", Errc::bad_options,
       signing([](net::Authority& authority, const std::string&) {
         (void)authority.issue("a b", {}, 90);
       }),
       "'a b' is no name for a node; use letters, digits, '-', '_' and '.'"},
      {"a host that is none", Errc::bad_options,
       signing([](net::Authority& authority, const std::string&) {
         (void)authority.issue("robot", {"a,b"}, 90);
       }),
       "'a,b' is no name or address of a host; give one such as db.lab.org or 10.0.0.7"},
      {"a second certificate of a node", Errc::bad_options,
       signing([](net::Authority& authority, const std::string&) {
         (void)authority.issue("robot", {}, 90);
         (void)authority.issue("robot", {}, 90);
       }),
       "there is \"<...>/keys/robot\" already; --renew makes another certificate in its place"},
      {"revoking what nobody has", Errc::bad_options,
       signing([](net::Authority& authority, const std::string&) { authority.revoke("robot"); }),
       "no certificate was issued to 'robot' by the authority in \"<...>/keys\"; look at the name, "
       "or at the folder"},
      {"an authority for a society that cannot have one", Errc::bad_options,
       [] {
         const TemporaryFolder folder;
         return error_from([&] { const net::Authority made(folder / "keys", "a/b"); });
       },
       "'a/b' is no name for a society with certificates; use letters, digits, '-', '_' and '.'"},
      {"an authority in a folder that cannot be", Errc::bad_options,
       [] { return error_from([] { const net::Authority made("/dev/null/keys", "lab"); }); },
       "the folder \"/dev/null/keys\" cannot be made (<...>); choose another, or check who owns "
       "the folders above it"},
      {"an authority without its key", Errc::bad_options,
       signing([](net::Authority&, const std::string& folder) {
         fs::remove(folder + "/authority.key");
         const net::Authority again(folder, "lab");
       }),
       "<...>authority.key<...>"},
  };
}

Rows of_certificates() {
  return {
      {"a certificate that is not there", Errc::bad_options,
       [] {
         return error_from([] { (void)net::certified_node(net::tls_files_in("/no/keys"), "lab"); });
       },
       "there is no certificate in \"/no/keys/node.pem\"; make one with: coracle keys"},
      {"a certificate that has expired", Errc::bad_options, showing(-1, "lab", spoils_nothing),
       "the certificate \"<...>/robot/node.pem\" has expired on <n>-<n>-<n>; make another one: "
       "coracle keys FOLDER NODE --renew"},
      {"a certificate that is not valid yet", Errc::bad_options,
       showing(90, "lab",
               [](const std::string& place, const std::string& folder) {
                 begin_in_days(place, folder, 2);
               }),
       "the certificate \"<...>/robot/node.pem\" is not valid before <n>-<n>-<n>, and this host's "
       "clock shows <n>-<n>-<n>; set the clock of this host or, if it is right, make another one: "
       "coracle keys FOLDER NODE --renew"},
      {"a certificate of another society", Errc::bad_options, showing(90, "home", spoils_nothing),
       "the certificate \"<...>/robot/node.pem\" is not for the society 'home'; make one with: "
       "coracle keys --society home"},
      {"a certificate with another's key", Errc::bad_options,
       showing(90, "lab",
               [](const std::string& place, const std::string& folder) {
                 net::Authority same(folder, "lab");
                 const std::string other = same.issue("other", {}, 90);
                 fs::copy_file(other + "/node.key", place + "/node.key",
                               fs::copy_options::overwrite_existing);
               }),
       "the key \"<...>/robot/node.key\" is not that of the certificate \"<...>/robot/node.pem\"; "
       "give two that belong together"},
      {"a certificate without its key", Errc::bad_options,
       showing(
           90, "lab",
           [](const std::string& place, const std::string&) { fs::remove(place + "/node.key"); }),
       "the file \"<...>/robot/node.key\" cannot be used as the <...> of tls:// endpoints (<...>); "
       "give a PEM file that this user may read"},
  };
}

// Two proofs, or none, where one is needed.
Rows of_proofs() {
  return {
      {"a key and certificates for a clearinghouse", Errc::bad_options,
       [] {
         return error_from([] {
           central::Options options;
           options.server = "127.0.0.1:1";
           options.key = net::SocietyKey::make().text();
           options.tls = "/no/keys";
           (void)central::realization(options);
         });
       },
       "both a key and certificates are set, and with certificates the key has no effect; leave "
       "out key=... (or CORACLE_KEY), or tls=FOLDER (or CORACLE_TLS)"},
      {"TLS with neither", Errc::bad_options,
       [] {
         return error_from([] {
           central::Options options;
           options.server = "tls://127.0.0.1:1";
           (void)central::realization(options);
         });
       },
       "tls://127.0.0.1:1 needs a society key (coracle keys --society-key, then CORACLE_KEY or "
       "key=...), or a certificate (coracle keys, then CORACLE_TLS or tls=FOLDER)"},
      {"plain text that is forbidden with a key", Errc::bad_options,
       [] {
         return error_from([] {
           central::Options options;
           options.server = "127.0.0.1:1";
           options.key = net::SocietyKey::make().text();
           options.insecure = true;
           (void)central::realization(options);
         });
       },
       "insecure=yes is for a society without a key and without certificates; leave it out, or "
       "CORACLE_KEY and CORACLE_TLS"},
      {"a beacon at a place that is none", Errc::bad_options,
       [] {
         return error_from([] {
           distributed::Options options;
           options.key = net::SocietyKey::make().text();
           options.beacon = "10.0.0.1:4410";
           (void)distributed::realization(options);
         });
       },
       "beacon: '10.0.0.1:4410' is no place for a beacon; write off, or GROUP:PORT such as "
       "239.192.44.10:4410"},
  };
}

}  // namespace

Rows rows_of_keys() {
  return joined({of_keys(), of_authorities(), of_certificates(), of_proofs()});
}

}  // namespace coracle::test
