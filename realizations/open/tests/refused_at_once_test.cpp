// A failure that waiting does not mend is reported at once: a node that will never be let in fails
// at its first attempt, with the reason and the remedy, in a Distributed and in a Central society.
#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "tests/support/early_certificate.hpp"
#include "tests/support/keys.hpp"
#include "tests/support/societies/expect.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test {
namespace {

// The proof that somebody belongs to a society.
struct Proof {
  std::string society = "lab", key, tls;
};

struct Served {
  std::shared_ptr<void> server;
  std::string place;
};
using Lines = std::shared_ptr<std::atomic<int>>;

// The two kinds of society.
struct WayIn {
  const char* name;
  Served (*serve)(const Proof& with, const std::string& place, const Lines& attempts);
  Realization (*join)(const Proof& with, const std::string& place, const std::string& folder);
};

template <class Options>
Options serving(const Proof& with, const std::string& place, const Lines& attempts) {
  Options options;
  options.society = with.society;
  options.key = with.key;
  options.tls = with.tls;
  options.listen = {place};
  options.log = [attempts](const std::string&) { ++*attempts; };
  return options;
}

template <class Options>
Options joining(const Proof& with) {
  Options options;
  options.society = with.society;
  options.key = with.key;
  options.tls = with.tls;
  return options;
}

Served serve_central(const Proof& with, const std::string& place, const Lines& attempts) {
  auto server =
      std::make_shared<central::Server>(serving<central::ServerOptions>(with, place, attempts));
  const std::string at = server->endpoints().front();
  return {std::move(server), at};
}

Served serve_directory(const Proof& with, const std::string& place, const Lines& attempts) {
  auto options = serving<distributed::DirectoryOptions>(with, place, attempts);
  options.beacon = "off";
  auto server = std::make_shared<distributed::DirectoryServer>(std::move(options));
  const std::string at = server->endpoints().front();
  return {std::move(server), at};
}

Realization join_central(const Proof& with, const std::string& place, const std::string&) {
  auto options = joining<central::Options>(with);
  options.server = place;
  return central::realization(std::move(options));
}

Realization join_distributed(const Proof& with, const std::string& place,
                             const std::string& folder) {
  auto options = joining<distributed::Options>(with);
  options.directories = {place};
  options.folder = folder;
  return distributed::realization(std::move(options));
}

constexpr WayIn ways_in[] = {{"Central", &serve_central, &join_central},
                             {"Distributed", &serve_directory, &join_distributed}};

std::string in_plain_text(std::string place) {
  return place.starts_with("tls:") ? "tcp" + place.substr(3) : place;
}

struct Row {
  const char* situation;
  Proof server, node;
  const char *cause, *remedy;
  bool by_socket = false;
};

// The folders of certificates.
struct Files {
  std::string server, robot, stranger, elsewhere, others, revoked, expired, early;
};

std::vector<Row> rows_of_keys(const std::string& server, const std::string& robot) {
  return {
      {"another key",
       {"lab", society_key, {}},
       {"lab", another_key, {}},
       "do not have the same society key",
       "look at CORACLE_KEY"},
      {"another society, with the key",
       {"lab", society_key, {}},
       {"other", society_key, {}},
       "are not of the same society",
       "CORACLE_SOCIETY"},
      {"another society",
       {"lab", {}, {}},
       {"other", {}, {}},
       "this is society lab, not other",
       "set CORACLE_SOCIETY"},
      {"another society, at a socket",
       {"lab", {}, {}},
       {"other", {}, {}},
       "this is society lab, not other",
       "set CORACLE_SOCIETY",
       true},
      {"no key",
       {"lab", society_key, {}},
       {"lab", {}, {}},
       "use TLS, with the society's key",
       "set CORACLE_KEY"},
      {"a key where there is none",
       {"lab", {}, {}},
       {"lab", society_key, {}},
       "it does not speak TLS",
       "start it with"},
      {"no certificate",
       {"lab", {}, server},
       {"lab", {}, {}},
       "use TLS, with certificates",
       "set CORACLE_TLS"},
      {"a certificate where there is none",
       {"lab", {}, {}},
       {"lab", {}, robot},
       "it does not speak TLS",
       "start it with"},
      {"a key where there are certificates",
       {"lab", {}, server},
       {"lab", society_key, {}},
       "do not have the same society key",
       "look at CORACLE_KEY"},
      {"a certificate where there is a key",
       {"lab", society_key, {}},
       {"lab", {}, robot},
       "handshake failure",
       "check the keys or certificates"},
  };
}

std::vector<Row> rows_of_certificates(const Files& of) {
  return {
      {"a certificate of strangers",
       {"lab", {}, of.server},
       {"lab", {}, of.stranger},
       "certificate",
       "check the keys or certificates"},
      {"a certificate of another society",
       {"lab", {}, of.server},
       {"other", {}, of.others},
       "certificate",
       "check the keys or certificates"},
      {"a server of another host",
       {"lab", {}, of.elsewhere},
       {"lab", {}, of.robot},
       "IP address mismatch",
       "--host HOST"},
      {"a revoked certificate",
       {"lab", {}, of.server},
       {"lab", {}, of.revoked},
       "which is revoked",
       "--renew"},
      {"a revoked server",
       {"lab", {}, of.revoked},
       {"lab", {}, of.robot},
       "certificate revoked",
       "--renew"},
      {"an expired certificate",
       {"lab", {}, of.server},
       {"lab", {}, of.expired},
       "has expired on",
       "--renew"},
      {"a clock that is slow",
       {"lab", {}, of.server},
       {"lab", {}, of.early},
       "is not valid before",
       "set the clock of this host"},
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refused_at_once)

BOOST_AUTO_TEST_CASE(whoever_is_never_let_in_is_told_why_at_the_first_attempt) {
  const TemporaryFolder folder;
  net::Authority ours(folder / "ours", "lab"), theirs(folder / "theirs", "lab");
  net::Authority other(folder / "other", "other");
  const std::vector<std::string> here = {"127.0.0.1"};
  const Files files = {
      ours.issue("server", here, 30),     ours.issue("robot", here, 30),
      theirs.issue("stranger", here, 30), ours.issue("elsewhere", {"192.0.2.1"}, 30),
      other.issue("robot", here, 30),     ours.issue("revoked", here, 30),
      ours.issue("expired", here, -1),    ours.issue("early", here, 30)};
  begin_in_days(files.early, folder / "ours", 2);
  ours.revoke("revoked");
  std::filesystem::remove(files.revoked + "/crl.pem");
  std::vector<Row> rows = rows_of_keys(files.server, files.robot);
  for (Row& each : rows_of_certificates(files)) rows.push_back(std::move(each));
  for (const WayIn& kind : ways_in) {
    for (const Row& row : rows) {
      BOOST_TEST_CONTEXT(kind.name << ", " << row.situation) {
        const auto attempts = std::make_shared<std::atomic<int>>(0);
        const std::string at =
            row.by_socket ? "unix://" + (folder / "socket") : std::string("127.0.0.1:0");
        const Served served = kind.serve(row.server, at, attempts);
        const auto error = error_from([&] {
          const Node node(kind.join(row.node, in_plain_text(served.place), folder.path()));
        });
        BOOST_REQUIRE(error);
        // Errc::unreachable would mean that the node tried in vain for 20 seconds.
        BOOST_TEST((error->errc() == Errc::not_permitted || error->errc() == Errc::bad_options));
        // The link may try again before the first refusal has reached the waiting caller.
        BOOST_TEST(*attempts <= 8);
        BOOST_TEST(error->sentence().find(row.cause) != std::string::npos, error->sentence());
        BOOST_TEST(error->sentence().find(row.remedy) != std::string::npos, error->sentence());
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
