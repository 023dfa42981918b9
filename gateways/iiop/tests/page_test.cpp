// The program of the manual's page 45.
#include "coracle/coracle.hpp"
#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/http_mtp.hpp"
#include "coracle/fipa/iiop_mtp.hpp"
#include "coracle/tests/support/in_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <string>

using namespace coracle;

BOOST_AUTO_TEST_SUITE(page)

BOOST_AUTO_TEST_CASE(a_gateway_has_both_transports_until_one_is_unplugged) {
  http::Loop loop;
  loop.start();
  Node node(coracle::test::in_memory());
  fipa::Gateway gateway(node, {.platform = "oslo", .exposed = {"lab/**"}});
  gateway.plug(fipa::http_mtp(loop));
  gateway.plug(fipa::iiop_mtp({.endpoint = "127.0.0.1:0"}));
  for (const std::string& each : gateway.addresses()) std::cout << each << "\n";
  gateway.unplug("fipa.mts.mtp.iiop.std");
  BOOST_TEST(gateway.addresses().size() == 1);
  gateway.plug(fipa::iiop_mtp());
  BOOST_TEST(gateway.addresses().size() == 2);
  BOOST_TEST(gateway.addresses().at(1).starts_with("IOR:"));
}

BOOST_AUTO_TEST_SUITE_END()
