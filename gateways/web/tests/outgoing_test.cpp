#include "coracle/web/outgoing.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::web {
namespace {

http::Url url(const char* text) { return http::Url::parse(text).value(); }

const http::Url secure = url("https://hooks.example/");

BOOST_AUTO_TEST_SUITE(outgoing)

BOOST_AUTO_TEST_CASE(only_public_addresses_are_permitted) {
  const Outgoing rules;
  for (const char* address : {"8.8.8.8", "1.1.1.1", "172.32.0.1", "::ffff:8.8.8.8",
                              "2606:4700:4700::1111", "100.128.0.1", "11.0.0.1"})
    BOOST_TEST(rules.permits(secure, address), address);
  for (const char* address : {"127.0.0.1",
                              "127.1.2.3",
                              "0.0.0.0",
                              "10.0.0.1",
                              "172.16.0.1",
                              "172.31.255.255",
                              "192.168.1.1",
                              "169.254.169.254",
                              "100.64.0.1",
                              "198.18.0.1",
                              "224.0.0.1",
                              "240.0.0.1",
                              "255.255.255.255",
                              "::",
                              "::1",
                              "fe80::1",
                              "fe80::1%eth0",
                              "fc00::1",
                              "fd00:ec2::254",
                              "ff02::1",
                              "::ffff:127.0.0.1",
                              "::ffff:10.0.0.1",
                              "::127.0.0.1",
                              "64:ff9b::a00:1",
                              "2002:7f00:1::",
                              "2001:db8::1",
                              "2001::1",
                              "fec0::1",
                              "",
                              "localhost",
                              "8.8.8.8.8",
                              "0x7f000001",
                              "017700000001"})
    BOOST_TEST(!rules.permits(secure, address), address);
}

BOOST_AUTO_TEST_CASE(networks_of_the_list_are_permitted) {
  const Outgoing rules({.networks = {"127.0.0.1", "10.1.0.0/16", "fd00::/8"}});
  for (const char* address : {"127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3", "fd12::1"})
    BOOST_TEST(rules.permits(secure, address), address);
  for (const char* address : {"127.0.0.2", "10.2.0.1", "fc00::1", "::1"})
    BOOST_TEST(!rules.permits(secure, address), address);
  for (const char* wrong : {"", "lab", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/a", "::/129", "1.2.3"})
    BOOST_CHECK_THROW(Outgoing({.networks = {wrong}}), Error);
}

BOOST_AUTO_TEST_CASE(the_text_of_a_url_is_judged) {
  const Outgoing rules;
  BOOST_TEST(!rules.objection(url("https://hooks.example/a")).has_value());
  BOOST_TEST(rules.objection(url("http://hooks.example/a")).has_value());
  BOOST_TEST(rules.objection(url("https://hooks.example:8443/a")).has_value());
  BOOST_TEST(rules.objection(url("https://127.0.0.1/a")).has_value());
  BOOST_TEST(rules.objection(url("https://[::1]/a")).has_value());
  const Outgoing open({.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}});
  BOOST_TEST(!open.objection(url("http://127.0.0.1:8080/a")).has_value());
}

BOOST_AUTO_TEST_CASE(a_network_of_the_list_opens_nothing_else) {
  const Outgoing rules({.plain_http = true, .ports = {}, .networks = {"10.1.0.0/16"}});
  BOOST_TEST(rules.objection(url("http://8.8.8.8/")).value() == "it has to begin with https://");
  BOOST_TEST(rules.objection(url("https://8.8.8.8:22/")).value() == "its port is not permitted");
  for (const char* hidden : {"http://10.2.0.1/", "http://10.2.0.1:22/", "https://10.2.0.1:22/"})
    BOOST_TEST(rules.objection(url(hidden)).value() == "its address is not a public one");
  BOOST_TEST(!rules.objection(url("https://8.8.8.8/")).has_value());
  BOOST_TEST(!rules.objection(url("http://10.1.2.3:8080/")).has_value());
  // A name may have an address in the network; its address is judged when it is connected to.
  const http::Url plain = url("http://hooks.example:8080/");
  BOOST_TEST(!rules.objection(plain).has_value());
  BOOST_TEST(rules.permits(plain, "10.1.2.3"));
  BOOST_TEST(!rules.permits(plain, "8.8.8.8"));
  BOOST_TEST(rules.permits(secure, "8.8.8.8"));
  BOOST_TEST(!rules.permits(url("https://hooks.example:22/"), "8.8.8.8"));
  BOOST_TEST(!rules.guarded({}).permits(plain, "8.8.8.8"));
}

// The name is a good one, and its address is judged at the time of the connection.
BOOST_AUTO_TEST_CASE(a_name_with_an_address_that_is_not_permitted_is_not_connected_to) {
  http::Loop loop;
  loop.start();
  http::Routes routes;
  routes.on("GET", "/", [](http::Request, http::Responder to) {
    to.send(http::Response::with("here", "text/plain"));
  });
  const http::Server server(loop, {}, std::move(routes));
  http::Request request;
  request.url = server.url();
  request.url.host = "localhost";
  {
    http::Client guarded(loop, Outgoing({.plain_http = true, .ports = {}}).guarded({}));
    BOOST_CHECK_EXCEPTION(guarded.fetch_and_wait(request), Error,
                          [](const Error& error) { return error.errc() == Errc::unreachable; });
    request.url.host = "127.0.0.1";
    BOOST_CHECK_THROW(guarded.fetch_and_wait(request), Error);
    BOOST_TEST(server.counts().accepted == 0);
  }
  request.url.host = "localhost";
  const Outgoing permits({.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}});
  http::Client client(loop, permits.guarded({}));
  BOOST_TEST(client.fetch_and_wait(request).body == "here");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
