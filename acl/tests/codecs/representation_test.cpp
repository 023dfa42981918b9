#include "coracle/acl/representation.hpp"

#include "support/hostile.hpp"
#include "support/jade.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;

BOOST_AUTO_TEST_SUITE(representation)

BOOST_AUTO_TEST_CASE(each_form_has_the_name_that_fipa_gives_it) {
  for (const auto& [form, name] : {std::pair(Representation::string, "fipa.acl.rep.string.std"),
                                   {Representation::bit_efficient, "fipa.acl.rep.bitefficient.std"},
                                   {Representation::xml, "fipa.acl.rep.xml.std"}}) {
    BOOST_TEST(to_text(form) == name);
    BOOST_TEST((representation_of(name) == form), name);
  }
  BOOST_TEST((representation_of("FIPA.ACL.rep.String.std") == Representation::string));
  BOOST_TEST(!representation_of("leap.acl.rep"));
  BOOST_TEST(!representation_of(""));
}

BOOST_AUTO_TEST_CASE(a_message_is_written_and_read_in_the_form_that_is_given) {
  for (const Representation form :
       {Representation::string, Representation::bit_efficient, Representation::xml}) {
    const std::string bytes = write_message(form, jade_message());
    BOOST_TEST((bytes[0] == (form == Representation::bit_efficient ? '\xfa'
                             : form == Representation::xml         ? '<'
                                                                   : '(')));
    BOOST_TEST((read_message(form, bytes) == jade_message()));
    BOOST_TEST(
        refusal(coracle::Errc::too_large, [&] { read_message(form, bytes, {.bytes = 10}); }) != "");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
