#include "coracle/http/sites.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::http {
namespace {

Request request_to(const char* url, const Headers& headers = {}) {
  Request request;
  request.url = Url::parse(url).value();
  request.headers = headers;
  return request;
}

BOOST_AUTO_TEST_SUITE(sites)

BOOST_AUTO_TEST_CASE(a_page_that_gives_its_name_to_this_host_is_refused) {
  const Sites sites;
  BOOST_TEST(!sites.objection(request_to("http://localhost:7/")).has_value());
  BOOST_TEST(!sites.objection(request_to("http://[::1]:7/")).has_value());
  BOOST_TEST(sites.objection(request_to("http://evil.example:7/")).has_value());
  BOOST_TEST(sites.objection(request_to("http://localhost.evil.example/")).has_value());
}

BOOST_AUTO_TEST_CASE(the_header_counts_beside_the_target) {
  const Sites sites;
  BOOST_TEST(!sites.objection(request_to("http://localhost:7/", {{"Host", "127.0.0.1:7"}})));
  for (const char* host : {"evil.example", "", "local host"})
    BOOST_TEST(sites.objection(request_to("http://localhost:7/", {{"Host", host}})).has_value());
}

BOOST_AUTO_TEST_CASE(pages_of_other_sites_are_refused) {
  Sites sites;
  sites.origins = {"https://tool.example"};
  const auto refuses = [&](const char* origin) {
    return sites.objection(request_to("http://localhost:7/", {{"Origin", origin}})).has_value();
  };
  BOOST_TEST(!refuses("http://localhost:7"));
  BOOST_TEST(!refuses("https://tool.example"));
  for (const char* origin :
       {"null", "http://localhost:8", "https://localhost:7", "http://evil.example",
        "http://tool.example", "https://tool.example.evil.example", ""})
    BOOST_TEST(refuses(origin));
}

BOOST_AUTO_TEST_CASE(only_listed_origins_may_read_responses) {
  Sites sites;
  sites.origins = {"https://tool.example"};
  const auto shared = [&](const Headers& headers) {
    return sites.shared_with(request_to("http://localhost/", headers)).has_value();
  };
  BOOST_TEST(shared({{"Origin", "https://tool.example"}}));
  BOOST_TEST(!shared({{"Origin", "http://localhost"}}));
  BOOST_TEST(!shared({}));
  BOOST_TEST(!shared({{"Origin", "https://tool.example"}, {"Origin", "http://evil.example"}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
