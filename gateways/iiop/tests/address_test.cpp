// Addresses of IIOP: references as other brokers make them, corbalocs, and texts that are neither.
#include "address.hpp"

#include "coracle/errors.hpp"
#include "encapsulation.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa {

namespace {

std::string refusal(const std::string& text) {
  const auto result = parse_iiop_address(text);
  BOOST_TEST_REQUIRE(!result.has_value());
  BOOST_TEST((result.error().errc() == Errc::bad_endpoint));
  return result.error().sentence();
}

bool is_refused(const std::string& text, const std::string& words) {
  return refusal(text).find(words) != std::string::npos;
}

std::string hex(const std::string& bytes) {
  std::string text = "IOR:";
  for (const char c : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// A reference with these profiles.
std::string reference(const std::vector<std::pair<std::uint32_t, std::string>>& profiles) {
  EncapsulationWriter writer;
  writer.text("IDL:x:1.0");
  writer.number(static_cast<std::uint32_t>(profiles.size()));
  for (const auto& [tag, bytes] : profiles) {
    writer.number(tag);
    writer.bytes(bytes);
  }
  return hex(writer.taken());
}

std::string profile(std::uint8_t major, const std::string& host, std::uint16_t port,
                    const std::string& key) {
  EncapsulationWriter writer;
  writer.octet(major);
  writer.octet(0);
  writer.text(host);
  writer.half(port);
  writer.bytes(key);
  return writer.taken();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(address)

BOOST_AUTO_TEST_CASE(a_reference_in_either_order_of_bytes_is_read) {
  const IiopAddress omniorb =  // of version 4.2.5, on a little-endian host
      parse_iiop_address(
          "IOR:010000001100000049444c3a464950412f4d54533a312e3000000000010000000000000054000000"
          "010102000a0000003132372e302e302e310045e20300000061636300020000000000000008000000"
          "0100000000545441010000001c000000010000000100010501000000010001050901010001000000"
          "09010100")
          .value();
  BOOST_TEST(omniorb.host == "127.0.0.1");
  BOOST_TEST(omniorb.port == 57925);
  BOOST_TEST(omniorb.key == "acc");
  BOOST_TEST(omniorb.minor == 2);
  BOOST_TEST((omniorb.narrow == CodeSets{utf_8, {utf_8}}));
  BOOST_TEST((omniorb.wide == CodeSets{utf_16, {utf_16}}));
  const IiopAddress jade =  // in capital letters, version 1.0, big-endian
      parse_iiop_address(
          "IOR:000000000000001149444C3A464950412F4D54533A312E300000000000000001000000000000001C"
          "000100000000000A3132372E302E302E31000AF90000000401002F6B")
          .value();
  BOOST_TEST(jade.port == 2809);
  BOOST_TEST(jade.key == std::string("\1\0/k", 4));
  BOOST_TEST(jade.minor == 0);
  BOOST_TEST(!jade.narrow.has_value());
}

BOOST_AUTO_TEST_CASE(a_reference_that_is_written_is_read_as_the_same_address) {
  rc::check([] {
    IiopAddress address;
    address.host = *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc.-019_:"))));
    RC_PRE(address.host.size() <= IiopAddress::max_host);
    address.port = *rc::gen::inRange<std::uint16_t>(1, 65535);
    address.key = *rc::gen::nonEmpty<std::string>();
    address.minor = *rc::gen::inRange<std::uint8_t>(0, 3);
    if (address.minor > 0 && *rc::gen::arbitrary<bool>()) {
      address.narrow = CodeSets{utf_8, {latin_1}};
      address.wide = CodeSets{utf_16, {}};
    }
    RC_ASSERT(parse_iiop_address(ior_of(address)).value() == address);
  });
}

BOOST_AUTO_TEST_CASE(a_corbaloc_that_is_written_is_read_as_the_same_address) {
  rc::check([] {
    IiopAddress address;
    address.host = *rc::gen::elementOf(std::vector<std::string>{"127.0.0.1", "::1", "a.b"});
    address.port = *rc::gen::inRange<std::uint16_t>(1, 65535);
    address.key = *rc::gen::nonEmpty<std::string>();
    RC_PRE(address.key.size() <= IiopAddress::max_key);
    RC_ASSERT(parse_iiop_address(corbaloc_of(address)).value() == address);
  });
}

BOOST_AUTO_TEST_CASE(a_corbaloc_is_read_in_each_of_its_forms) {
  const auto read = [](const char* text) { return parse_iiop_address(text).value(); };
  IiopAddress jade;
  jade.host = "p2.lab";
  jade.port = 1099;
  jade.key = "JADE/MTS \xff";
  BOOST_TEST((read("corbaloc::p2.lab:1099/JADE/MTS%20%fF") == jade));
  BOOST_TEST((read("CORBALOC:IIOP:P2.lab:1099/JADE/MTS%20%FF") == jade));
  BOOST_TEST((read("corbaloc:iiop:1.0@p2.lab:1099,:other:1/JADE/MTS%20%FF") == jade));
  BOOST_TEST(read("corbaloc::p2.lab/acc").port == IiopAddress::usual_port);
  BOOST_TEST(read("corbaloc::[::1]:5/acc").host == "::1");
  const IiopAddress newer = read("corbaloc:iiop:1.2@[::1]/acc");
  BOOST_TEST(newer.minor == 2);
  BOOST_TEST((newer.narrow == CodeSets{latin_1, {utf_8}}));
}

BOOST_AUTO_TEST_CASE(of_several_profiles_the_first_of_iiop_1_counts) {
  const std::string text = reference({{1, "other"},
                                      {0, profile(2, "future", 1, "k")},
                                      {0, profile(1, "", 1, "k")},
                                      {0, profile(1, "HERE", 7, "k")},
                                      {0, profile(1, "later", 8, "k")}});
  const IiopAddress found = parse_iiop_address(text).value();
  BOOST_TEST(found.host == "here");
  BOOST_TEST(found.port == 7);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_address_is_refused_with_the_reason) {
  BOOST_TEST(is_refused("http://x/acc", "begins with IOR: or corbaloc:"));
  BOOST_TEST(is_refused("IOR:", "may have been cut"));
  BOOST_TEST(is_refused("IOR:000", "two digits"));
  BOOST_TEST(is_refused("IOR:0g", "hexadecimal"));
  BOOST_TEST(is_refused("IOR:00000000000000ff", "no object reference"));
  BOOST_TEST(is_refused(reference({}), "no host, port and key"));
  BOOST_TEST(is_refused(reference({{0, profile(1, "h", 0, "k")}}), "no host, port and key"));
  BOOST_TEST(is_refused(reference({{0, profile(1, "h\n", 1, "k")}}), "no host, port and key"));
  BOOST_TEST(is_refused(reference({{0, profile(1, "h", 1, "")}}), "no host, port and key"));
  BOOST_TEST(is_refused(hex(std::string("\0\0\0\0\0\0\0\2x\0\0\0\x7f\xff\xff\xff", 16)),
                        "no object reference"));
  BOOST_TEST(is_refused("corbaname::ns:2809/NameService#a/b", "no naming service"));
  BOOST_TEST(is_refused("corbaloc::h:1", "the key of the object"));
  BOOST_TEST(is_refused("corbaloc::h:1/", "the key of the object"));
  BOOST_TEST(is_refused("corbaloc:ssliop:h:1/k", "only iiop"));
  BOOST_TEST(is_refused("corbaloc:rir:/NameService", "only iiop"));
  BOOST_TEST(is_refused("corbaloc::2.0@h:1/k", "version"));
  BOOST_TEST(is_refused("corbaloc::h:0/k", "port"));
  BOOST_TEST(is_refused("corbaloc::h:65536/k", "port"));
  BOOST_TEST(is_refused("corbaloc::h:/k", "port"));
  BOOST_TEST(is_refused("corbaloc::::1:5/k", "brackets"));
  BOOST_TEST(is_refused("corbaloc::[::1/k", "bracket"));
  BOOST_TEST(is_refused("corbaloc::h h:1/k", "host"));
  BOOST_TEST(is_refused("corbaloc::h:1/%4", "escaped"));
  BOOST_TEST(is_refused("corbaloc::h:1/%zz", "escaped"));
  BOOST_TEST(is_refused("corbaloc::h:1/a b", "escaped"));
  BOOST_TEST(is_refused("corbaloc::h:1/" + std::string(2000, 'k'), "too long"));
  BOOST_TEST(is_refused("IOR:" + std::string(20'000, '0'), "16 KiB"));
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_reference_is_refused_or_an_address) {
  IiopAddress address;
  address.host = "127.0.0.1";
  address.key = "acc";
  address.minor = 2;
  address.narrow = CodeSets{utf_8, {latin_1}};
  address.wide = CodeSets{utf_16, {}};
  const std::string text = ior_of(address);
  for (std::size_t size = 0; size < text.size(); ++size)
    BOOST_TEST(!parse_iiop_address(text.substr(0, size)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
