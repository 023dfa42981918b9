#include "coracle/http/routes.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::http {
namespace {

BOOST_AUTO_TEST_SUITE(routes)

// Each handler is known by its number.
struct Table {
  Routes routes;
  int called = 0;
  Table& on(const char* method, const char* pattern, int number) {
    routes.on(method, pattern,
              [this, number](const Request&, const Responder&) { called = number; });
    return *this;
  }
  // The number and the parameters: "2 name=x".
  std::string find(std::string_view method, std::string_view path) {
    const auto found = routes.find(method, path);
    if (found.handler == nullptr) return "- " + found.allowed;
    (*found.handler)(Request(), Responder());
    std::string text = std::to_string(called);
    for (const auto& [name, value] : found.parameters) text += ' ' + name + '=' + value;
    return text;
  }
};

BOOST_AUTO_TEST_CASE(a_text_is_preferred_to_a_name_and_a_name_to_the_rest) {
  Table table;
  table.on("GET", "/{all...}", 4).on("GET", "/a/{x}", 3).on("GET", "/a/b", 2).on("GET", "/", 1);
  BOOST_TEST(table.find("GET", "/") == "1");
  BOOST_TEST(table.find("GET", "/a/b") == "2");
  BOOST_TEST(table.find("GET", "/a/c") == "3 x=c");
  BOOST_TEST(table.find("GET", "/a/c/d") == "4 all=a/c/d");
  BOOST_TEST(table.find("GET", "/a/") == "3 x=");
}

BOOST_AUTO_TEST_CASE(the_values_of_a_path_are_decoded) {
  Table table;
  table.on("POST", "/agents/{name}/card", 1).on("GET", "/files/{path...}", 2);
  BOOST_TEST(table.find("POST", "/agents/lab%2Frobot/card") == "1 name=lab/robot");
  BOOST_TEST(table.find("GET", "/files") == "2 path=");
  BOOST_TEST(table.find("GET", "/files/a%20b/c") == "2 path=a b/c");
  BOOST_TEST(table.find("GET", "/%66iles/x") == "2 path=x");
}

BOOST_AUTO_TEST_CASE(a_known_path_has_its_methods) {
  Table table;
  table.on("GET", "/a", 1).on("POST", "/a", 2).on("DELETE", "/b", 3);
  BOOST_TEST(table.find("HEAD", "/a") == "1");
  BOOST_TEST(table.find("PUT", "/a") == "- GET, HEAD, POST, OPTIONS");
  BOOST_TEST(table.find("GET", "/b") == "- DELETE, OPTIONS");
  BOOST_TEST(table.find("GET", "/c") == "- ");
  BOOST_TEST(table.find("get", "/a") == "- GET, HEAD, POST, OPTIONS");
  BOOST_TEST(table.routes.knows("POST"));
  BOOST_TEST(!table.routes.knows("PUT"));
}

BOOST_AUTO_TEST_CASE(paths_that_lead_elsewhere_are_unknown) {
  Table table;
  table.on("GET", "/{all...}", 1);
  for (const char* path : {"/../x", "/a/%2e%2E/b", "/.", "x", "", "/%", "/%00"})
    BOOST_TEST(table.find("GET", path) == "- ");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "/a";
  BOOST_TEST(table.find("GET", deep) == "- ");
}

BOOST_AUTO_TEST_CASE(a_pattern_without_meaning_is_refused) {
  Routes routes;
  const Handler handler = [](const Request&, const Responder&) {};
  for (const char* pattern : {"", "a", "/{}", "/{...}", "/{a...}/b"})
    BOOST_CHECK_THROW(routes.on("GET", pattern, handler), Error);
  BOOST_CHECK_THROW(routes.on("G T", "/", handler), Error);
  BOOST_CHECK_THROW(routes.on("GET", "/", nullptr), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
