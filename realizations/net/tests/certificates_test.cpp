// The certificates that `coracle keys` makes.
#include "realizations/net/src/asio/certificates.hpp"
#include "realizations/net/src/asio/network.hpp"
#include "support/asio_bench.hpp"
#include "support/party.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

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

BOOST_AUTO_TEST_CASE(nodes_of_one_authority_meet_and_know_each_other_by_name) {
  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  const std::string ann = Maker(keys, "lab").issue("ann", {"127.0.0.1", "::1", "ann.lab"}, 30);
  // The authority is the same when it is opened again.
  const std::string bob = Maker(keys, "lab").issue("bob", {}, 30);
  BOOST_TEST(certified_node(tls_files_in(bob), "lab") == "bob");
  AsioBench bench(Endpoint::Scheme::tls, with(ann), with(bob));
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 30s, caller);
  BOOST_REQUIRE(bench.until([&] { return caller.party && !host.guests.empty(); }));
  BOOST_TEST(
      (host.guests[0]->connection->peer().names == std::vector<std::string>{"coracle://lab/bob"}));
}

BOOST_AUTO_TEST_CASE(others_cannot_read_the_keys) {
  const TemporaryFolder folder;
  const std::string keys = folder / "keys";
  const std::string place = Maker(keys, "lab").issue("ann", {}, 30);
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
  const std::string place = maker.issue("ann", {}, 30);
  const auto before = std::filesystem::last_write_time(place + "/node.key");
  BOOST_CHECK_EXCEPTION(maker.issue("ann", {}, 30), Error, refusal_that_says("already"));
  BOOST_TEST((std::filesystem::last_write_time(place + "/node.key") == before));
  for (const char* name : {"", "a/b", "..", "a,DNS:evil", "a b"}) {
    BOOST_CHECK_EXCEPTION(maker.issue(name, {}, 30), Error, refusal_that_says("no name"));
  }
  BOOST_CHECK_EXCEPTION(maker.issue("bob", {"a,URI:coracle://lab/ann"}, 30), Error,
                        refusal_that_says("no name or address"));
  BOOST_TEST(!std::filesystem::exists(keys + "/bob"));
  BOOST_CHECK_EXCEPTION(Maker(folder / "other", "a/b"), Error, refusal_that_says("no name"));
  BOOST_CHECK_EXCEPTION(Maker("/dev/null/keys", "lab"), Error, refusal_that_says("/dev/null/keys"));
  std::filesystem::remove(keys + "/authority.key");
  BOOST_CHECK_EXCEPTION(Maker(keys, "lab"), Error, refusal_that_says("authority.key"));
}

BOOST_AUTO_TEST_CASE(a_certificate_is_for_its_society) {
  const TemporaryFolder folder;
  const std::string place = Maker(folder / "keys", "lab").issue("ann", {}, 30);
  BOOST_CHECK_EXCEPTION((void)certified_node(tls_files_in(place), "home"), Error,
                        refusal_that_says("--society home"));
  BOOST_CHECK_EXCEPTION((void)certified_node(tls_files_in(folder / "nothing"), "lab"), Error,
                        refusal_that_says("coracle keys"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
