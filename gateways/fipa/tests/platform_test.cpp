// Names of agents at other platforms and in the society.
#include "coracle/fipa/platform.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::fipa {

namespace {

bool has_no_name(const acl::AgentId& id) {
  try {
    foreign_name(id);
  } catch (const Error& error) {
    return error.errc() == Errc::bad_name;
  }
  return false;
}

bool is_refused(const std::string& name, const std::vector<std::string>& exposed) {
  try {
    Platform(name, exposed);
  } catch (const Error& error) {
    return error.errc() == Errc::bad_options;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(platform)

BOOST_AUTO_TEST_CASE(only_exposed_agents_are_known) {
  Platform ours("ours", {"lab/**", "desk"});
  ours.set_addresses({"http://127.0.0.1:7778/acc"});
  BOOST_TEST(ours.id_of("lab/ann").name == "lab/ann@ours");
  BOOST_TEST(ours.id_of("lab/ann").addresses.size() == 1U);
  BOOST_TEST((ours.agent_of({.name = "lab/ann@OURS"}) == Name("lab/ann")));
  BOOST_TEST((ours.agent_of({.name = "desk@ours"}) == Name("desk")));
  for (const char* each : {"boss@ours", "lab/ann@theirs", "lab/ann", "@ours", "lab//x@ours", ""})
    BOOST_TEST(!ours.agent_of({.name = each}).has_value());
  BOOST_TEST(!Platform("ours", {}).agent_of({.name = "desk@ours"}).has_value());
}

BOOST_AUTO_TEST_CASE(the_agents_of_the_gateway_and_foreign_agents_are_never_exposed) {
  const Platform ours("ours", {"**"});
  for (const char* each : {"fipa", "fipa/transport", "fipa/zed@p2", "df", "ams"}) {
    BOOST_TEST(!ours.exposes(each));
    BOOST_TEST(!ours.agent_of({.name = std::string(each) + "@ours"}).has_value());
  }
  BOOST_TEST(ours.exposes("fipas"));
}

BOOST_AUTO_TEST_CASE(a_platform_needs_a_name_and_patterns) {
  BOOST_TEST(is_refused("", {}));
  BOOST_TEST(is_refused("a@b", {}));
  BOOST_TEST(is_refused("ours", {""}));
}

BOOST_AUTO_TEST_CASE(a_foreign_agent_has_one_name_in_the_society) {
  BOOST_TEST(foreign_name({.name = "zed@p2"}).str() == "fipa/zed@p2");
  BOOST_TEST(foreign_name({.name = "Zed@P2"}).str() == "fipa/zed@p2");
  BOOST_TEST(foreign_name({.name = "df@host:1099/JADE"}).str() == "fipa/df@host:1099%2fjade");
  BOOST_TEST(foreign_name({.name = "../x y\n%"}).str() == "fipa/..%2fx%20y%0a%25");
  BOOST_TEST(has_no_name({}));
  BOOST_TEST(has_no_name({.name = std::string(100, '/')}));
}

BOOST_AUTO_TEST_CASE(the_name_in_the_society_gives_the_agent_again) {
  for (const std::string each : {"zed@p2", "df@host:1099/jade", "../x y\n%", "caf\xc3\xa9@p"})
    BOOST_TEST(foreign_agent(foreign_name({.name = each})).value() == each);
  for (const char* each : {"lab/ann", "fipa/a%2", "fipa/a%zz", "fipa/A", "fipa/a/b"})
    BOOST_TEST(!foreign_agent(Name(each)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
