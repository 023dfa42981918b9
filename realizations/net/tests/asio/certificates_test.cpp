// The certificates that `coracle keys` makes.
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "realizations/net/src/asio/asio_network.hpp"
#include "realizations/net/src/asio/tls/credentials.hpp"
#include "support/asio_bench.hpp"
#include "support/side.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <ctime>
#include <filesystem>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using Maker = coracle::net::Authority;

auto refusal_that_says(std::string what) {
  return [what = std::move(what)](const Error& error) {
    BOOST_TEST_MESSAGE(error.sentence());
    return error.errc() == Errc::bad_options && error.sentence().find(what) != std::string::npos;
  };
}

AsioOptions with(const std::string& place) {
  AsioOptions options;
  options.tls = tls_files_in(place);
  return options;
}

BOOST_AUTO_TEST_SUITE(certificates)

BOOST_AUTO_TEST_CASE(one_that_soon_expires_is_a_line_in_the_log_and_one_that_has_is_refused) {
  const TemporaryFolder folder;
  Maker maker(folder / "keys", "lab");
  std::vector<std::string> lines;
  const auto credentials_of = [&](const std::string& node, int days) {
    AsioOptions options = with(maker.issue(node, {}, days));
    options.log = [&lines](const std::string& line) { lines.push_back(line); };
    const Credentials made(options);
    return *options.tls;
  };
  const TlsFiles fresh = credentials_of("ann", 32);
  BOOST_TEST(lines.empty());
  BOOST_TEST(certificate_end(fresh) > std::time(nullptr) + 31 * 86'400);
  (void)credentials_of("bob", 29);
  BOOST_TEST_REQUIRE(lines.size() == 1);
  BOOST_TEST(lines.front().find("bob/node.pem\" expires in 2") != std::string::npos, lines.front());
  const TlsFiles old = credentials_of("cid", -1);
  BOOST_TEST_REQUIRE(lines.size() == 2);
  BOOST_TEST(lines.back().find("has expired") != std::string::npos, lines.back());
  BOOST_CHECK_EXCEPTION((void)certified_node(old, "lab"), Error, refusal_that_says("has expired"));
}

BOOST_AUTO_TEST_CASE(nodes_of_one_authority_meet_and_know_each_other_by_name) {
  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  const std::string ann = Maker(keys, "lab").issue("ann", {"127.0.0.1", "::1", "ann.lab"}, 90);
  // The authority is the same when it is opened again.
  const std::string bob = Maker(keys, "lab").issue("bob", {}, 90);
  BOOST_TEST(certified_node(tls_files_in(bob), "lab") == "bob");
  AsioBench bench(Endpoint::Scheme::tls, with(ann), with(bob));
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 30s, caller);
  BOOST_REQUIRE(bench.until([&] { return caller.side && !host.guests.empty(); }));
  BOOST_TEST(
      (host.guests[0]->connection->peer().names == std::vector<std::string>{"coracle://lab/bob"}));
}

BOOST_AUTO_TEST_CASE(others_cannot_read_the_keys) {
  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  const std::string place = Maker(keys, "lab").issue("ann", {}, 90);
  for (const std::string& file : {keys + "/authority.key", place + "/node.key"}) {
    struct stat status {};
    BOOST_REQUIRE(::stat(file.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600u);
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made_is_refused_and_nothing_is_written_over) {
  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  Maker maker(keys, "lab");
  const std::string place = maker.issue("ann", {}, 90);
  const auto before = std::filesystem::last_write_time(place + "/node.key");
  BOOST_CHECK_EXCEPTION(maker.issue("ann", {}, 90), Error, refusal_that_says("already"));
  BOOST_TEST((std::filesystem::last_write_time(place + "/node.key") == before));
  for (const char* name : {"", "a/b", "..", "a,DNS:evil", "a b"}) {
    BOOST_CHECK_EXCEPTION(maker.issue(name, {}, 90), Error, refusal_that_says("no name"));
  }
  BOOST_CHECK_EXCEPTION(maker.issue("bob", {"a,URI:coracle://lab/ann"}, 90), Error,
                        refusal_that_says("no name or address"));
  BOOST_TEST(!std::filesystem::exists(keys + "/bob"));
  BOOST_CHECK_EXCEPTION(Maker(folder / "other", "a/b"), Error, refusal_that_says("no name"));
  BOOST_CHECK_EXCEPTION(Maker("/dev/null/keys", "lab"), Error, refusal_that_says("/dev/null/keys"));
  std::filesystem::remove(keys + "/authority.key");
  BOOST_CHECK_EXCEPTION(Maker(keys, "lab"), Error, refusal_that_says("authority.key"));
}

// A server, and nodes that connect to it, all from one authority.
struct Lab {
  Lab() : maker(keys, "lab") {}
  static AsioOptions watching(const std::string& place, std::vector<std::string>* log = nullptr) {
    AsioOptions options = with(place);
    options.look_again = 10ms;
    if (log != nullptr) options.log = [log](const std::string& line) { log->push_back(line); };
    return options;
  }
  // Lets the node with the files in `place` connect; returns its end, or nothing.
  Side* connect(const std::string& place) {
    networks.push_back(asio_network(bench->context, steady_clock(), with(place)));
    callers.push_back(std::make_unique<Caller>());
    Caller& caller = *callers.back();
    const std::size_t before = host.guests.size() + host.refused.size();
    caller.attempt = networks.back()->connect(std::span(&there, 1), 30s, caller);
    bench->until(
        [&] { return caller.told > 0 && host.guests.size() + host.refused.size() > before; });
    if (caller.side) caller.side->keep_reading();
    for (const auto& guest : host.guests) guest->keep_reading();
    return caller.side.get();
  }

  AsioBench& open(AsioOptions listening, AsioOptions connecting = {}) {
    bench.emplace(Endpoint::Scheme::tls, std::move(listening), std::move(connecting));
    listener = bench->listening().listen(bench->place(), host).value();
    there = listener->endpoint();
    return *bench;
  }

  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  Maker maker;
  std::optional<AsioBench> bench;  // ends last
  Host host;
  std::unique_ptr<Listener> listener;
  Endpoint there;
  std::vector<std::unique_ptr<Network>> networks;
  std::vector<std::unique_ptr<Caller>> callers;
};

BOOST_AUTO_TEST_CASE(a_node_that_is_revoked_loses_its_links_and_comes_in_no_more) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"127.0.0.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90), bob = lab.maker.issue("bob", {}, 90);
  AsioBench& bench = lab.open(Lab::watching(server));
  const Side* const anns = lab.connect(ann);
  const Side* const bobs = lab.connect(bob);
  BOOST_REQUIRE((anns && bobs && lab.host.guests.size() == 2));

  lab.maker.revoke("ann");
  BOOST_TEST(bench.until([&] { return anns->closed && lab.host.guests[0]->closed; }));
  const Error& why = *lab.host.guests[0]->closed;
  BOOST_TEST((why.errc() == Errc::not_permitted));
  BOOST_TEST(why.sentence().find("revoked") != std::string::npos, why.sentence());
  lab.connect(ann);
  BOOST_TEST(lab.host.guests.size() == 2u);
  BOOST_TEST_REQUIRE(lab.host.refused.size() == 1u);
  BOOST_TEST(lab.host.refused[0].sentence().find("revoked") != std::string::npos);
  lab.connect(bob);
  BOOST_TEST(lab.host.guests.size() == 3u);
  BOOST_TEST((!bobs->closed && !lab.host.guests[1]->closed));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_revoked_is_left_by_its_nodes) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"127.0.0.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90);
  AsioBench& bench = lab.open(with(server), Lab::watching(ann));
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&lab.there, 1), 30s, caller);
  BOOST_REQUIRE(bench.until([&] { return caller.side && !lab.host.guests.empty(); }));
  lab.maker.revoke("server");
  BOOST_TEST(bench.until([&] { return caller.side->closed.has_value(); }));
  BOOST_TEST((caller.side->closed->errc() == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(all_certificates_of_a_node_are_revoked_also_those_before_it_was_renewed) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"127.0.0.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90), old = lab.folder / "old";
  std::filesystem::copy(ann, old);
  BOOST_TEST(lab.maker.renew("ann", {}, 90) == ann);
  AsioBench& bench = lab.open(Lab::watching(server));
  BOOST_TEST(lab.connect(old) != nullptr);
  BOOST_TEST(lab.connect(ann) != nullptr);
  BOOST_TEST_REQUIRE(lab.host.guests.size() == 2u);
  lab.maker.revoke("ann");
  BOOST_TEST(bench.until([&] { return lab.host.guests[0]->closed && lab.host.guests[1]->closed; }));
  // A certificate that is made after that is valid, and its node has the list.
  lab.maker.renew("ann", {}, 90);
  lab.connect(ann);
  BOOST_TEST(lab.host.guests.size() == 3u);
  BOOST_TEST(std::filesystem::exists(ann + "/crl.pem"));
  BOOST_CHECK_EXCEPTION(lab.maker.revoke("carl"), Error, refusal_that_says("no certificate"));
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_renewed_is_shown_without_a_new_start) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"192.0.2.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90);
  std::vector<std::string> log;
  AsioBench& bench = lab.open(Lab::watching(server, &log));
  BOOST_TEST(lab.connect(ann) == nullptr);  // the certificate is for another host
  // Files that cannot be used change nothing.
  std::filesystem::rename(server + "/node.key", server + "/aside");
  BOOST_TEST(bench.until([&] { return !log.empty(); }));
  BOOST_TEST(log[0].find(server + "/node.key") != std::string::npos, log[0]);
  lab.maker.renew("server", {"127.0.0.1"}, 90);
  BOOST_TEST(bench.until([&] { return lab.connect(ann) != nullptr; }));
}

BOOST_AUTO_TEST_CASE(files_are_looked_at_at_once_when_somebody_asks_for_it_and_good_links_go_on) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"127.0.0.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90), bob = lab.maker.issue("bob", {}, 90);
  std::vector<std::string> log;
  AsioOptions rarely = Lab::watching(server, &log);
  rarely.look_again = 1h;
  AsioBench& bench = lab.open(rarely);
  const Side* const anns = lab.connect(ann);
  const Side* const bobs = lab.connect(bob);
  BOOST_REQUIRE((anns && bobs && lab.host.guests.size() == 2));
  BOOST_TEST(!bench.listening().read_keys_again().value());

  lab.maker.revoke("ann");
  BOOST_TEST(bench.listening().read_keys_again().value());
  BOOST_TEST(bench.until([&] { return anns->closed && lab.host.guests[0]->closed; }));
  BOOST_TEST((!bobs->closed && !lab.host.guests[1]->closed));

  // Each time, the reason why the files cannot be used is reported, and the old files stay in use.
  std::filesystem::rename(server + "/node.key", server + "/aside");
  for (int time = 0; time < 2; ++time) {
    const Result<bool> unusable = bench.listening().read_keys_again();
    BOOST_TEST_REQUIRE(!unusable.has_value());
    BOOST_TEST(unusable.error().sentence().find(server + "/node.key") != std::string::npos);
  }
  BOOST_TEST(log.size() == 1u);
  std::filesystem::rename(server + "/aside", server + "/node.key");
  BOOST_TEST(bench.listening().read_keys_again().has_value());

  // A new certificate that soon expires gets a line in the log, too.
  lab.maker.renew("server", {"127.0.0.1"}, 20);
  BOOST_TEST(bench.listening().read_keys_again().value());
  BOOST_TEST_REQUIRE(log.size() == 2u);
  BOOST_TEST(log.back().find("server/node.pem\" expires in ") != std::string::npos, log.back());
  BOOST_TEST((!bobs->closed && !lab.host.guests[1]->closed));
}

BOOST_AUTO_TEST_CASE(a_list_of_revoked_certificates_that_disappears_goes_on_to_hold) {
  Lab lab;
  const std::string server = lab.maker.issue("server", {"127.0.0.1"}, 90);
  const std::string ann = lab.maker.issue("ann", {}, 90);
  lab.maker.revoke("ann");
  std::vector<std::string> log;
  AsioBench& bench = lab.open(Lab::watching(server, &log));
  std::filesystem::remove(server + "/crl.pem");
  BOOST_TEST(bench.until([&] { return !log.empty(); }));
  BOOST_TEST(log[0].find("put it back") != std::string::npos, log[0]);
  lab.connect(ann);
  BOOST_TEST(lab.host.guests.empty());
}

BOOST_AUTO_TEST_CASE(a_certificate_is_for_its_society) {
  const TemporaryFolder folder;
  const std::string place = Maker(folder / "keys", "lab").issue("ann", {}, 90);
  BOOST_CHECK_EXCEPTION((void)certified_node(tls_files_in(place), "home"), Error,
                        refusal_that_says("--society home"));
  BOOST_CHECK_EXCEPTION((void)certified_node(tls_files_in(folder / "nothing"), "lab"), Error,
                        refusal_that_says("coracle keys"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
