// The values of properties, as omniORB and Java write them, and those that are not read.
#include "any_stream.hpp"

#include "coracle/errors.hpp"
#include "encapsulation.hpp"
#include "support/broker.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace coracle::fipa {

namespace {

constexpr std::size_t most = 1000;

acl::Property read(cdrStream& stream) {
  acl::Property property;
  read_any(stream, property, most);
  return property;
}
template <class Fill>
acl::Property of(const Fill& fill) {
  CORBA::Any any;
  fill(any);
  cdrMemoryStream stream;
  any >>= stream;
  return read(stream);
}
bool is_refused(cdrStream& stream) {
  try {
    read(stream);
  } catch (const Error& error) {
    return error.errc() == Errc::bad_encoding;
  } catch (const CORBA::SystemException&) {
    return true;
  }
  return false;
}

// A box as Java has for a text: its type, and up to its content.
void begin_box(cdrStream& out, std::uint32_t tag, std::uint32_t kind) {
  EncapsulationWriter type;
  type.text("IDL:omg.org/CORBA/WStringValue:1.0");
  type.text("WStringValue");
  type.number(kind);
  type.number(0);
  out.marshalULong(30);
  out.marshalULong(static_cast<CORBA::ULong>(type.taken().size()));
  out.put_octet_array(reinterpret_cast<const CORBA::Octet*>(type.taken().data()),
                      static_cast<int>(type.taken().size()));
  out.marshalULong(tag);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(any_stream, test::Broker)

BOOST_AUTO_TEST_CASE(texts_numbers_and_octets_of_omniorb_are_read) {
  BOOST_TEST(of([](CORBA::Any& any) { any <<= "a\"b"; }).value == "a\"b");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= L"gr\u00fc\u00df!"; }).value ==
             "gr\xc3\xbc\xc3\x9f!");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= CORBA::Long(-5); }).value == "-5");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= CORBA::ULongLong(1) << 40; }).value ==
             "1099511627776");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= CORBA::Double(1.5); }).value == "1.5");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= CORBA::Any::from_boolean(true); }).value == "true");
  BOOST_TEST(of([](CORBA::Any& any) { any <<= CORBA::Any::from_octet(200); }).value == "200");
  BOOST_TEST(of([](CORBA::Any&) {}).value.empty());
  const auto octets = of([](CORBA::Any& any) {
    CORBA::OctetSeq bytes;
    bytes.length(2);
    bytes[0] = 0;
    bytes[1] = 255;
    any <<= bytes;
  });
  BOOST_TEST(octets.value == "AP8=");
  BOOST_TEST(octets.type == "byte-array");
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  for (const acl::Property& each :
       {acl::Property{"", "text", "string"}, acl::Property{"", "AP8=", "byte-array"}}) {
    cdrMemoryStream stream;
    write_any(stream, each);
    BOOST_TEST((read(stream) == each));
  }
}

BOOST_AUTO_TEST_CASE(texts_in_boxes_are_read_as_java_writes_them) {
  cdrMemoryStream plain;
  begin_box(plain, 0x7fffff02, 27);
  plain.marshalULong(7);
  plain.put_octet_array(reinterpret_cast<const CORBA::Octet*>("IDL:x:1"), 7);
  plain.marshalWString(L"\u00fc");
  BOOST_TEST(read(plain).value == "\xc3\xbc");
  cdrMemoryStream chunked;
  begin_box(chunked, 0x7fffff08, 18);
  chunked.marshalLong(8);
  chunked.marshalString("abc");
  chunked.marshalLong(-1);
  BOOST_TEST(read(chunked).value == "abc");
  cdrMemoryStream null;
  begin_box(null, 0, 27);
  BOOST_TEST(read(null).value.empty());
}

BOOST_AUTO_TEST_CASE(structures_and_values_that_may_be_deep_or_cyclic_are_refused) {
  for (const std::uint32_t kind : {11u, 12u, 13u, 14u, 15u, 16u, 17u, 20u, 22u, 25u, 26u, 28u, 29u,
                                   31u, 32u, 33u, 99u, 0xffffffffu}) {
    cdrMemoryStream stream;
    stream.marshalULong(kind);
    for (int i = 0; i < 100; ++i) stream.marshalULong(0);
    BOOST_TEST(is_refused(stream));
  }
  for (const std::uint32_t tag : {0xffffffffu, 0x7ffffeffu, 1u, 0x7fffff06u, 0x7fffff03u}) {
    cdrMemoryStream stream;
    begin_box(stream, tag, 27);
    stream.marshalULong(0xfffffff0);  // an indirection, or a great number
    stream.marshalULong(0xfffffff0);
    BOOST_TEST(is_refused(stream));
  }
  cdrMemoryStream in_a_sequence;  // sequences of sequences
  in_a_sequence.marshalULong(19);
  in_a_sequence.marshalULong(12);
  in_a_sequence.marshalULong(1);
  in_a_sequence.marshalULong(19);
  in_a_sequence.marshalULong(0);
  BOOST_TEST(is_refused(in_a_sequence));
  cdrMemoryStream box_of_a_structure;
  begin_box(box_of_a_structure, 0x7fffff00, 15);
  BOOST_TEST(is_refused(box_of_a_structure));
}

BOOST_AUTO_TEST_CASE(a_value_that_is_too_long_is_refused) {
  cdrMemoryStream text;
  write_any(text, {"", std::string(2 * most, 'x'), "string"});
  BOOST_TEST(is_refused(text));
  cdrMemoryStream type;
  type.marshalULong(19);
  type.marshalULong(0x7fffffff);
  BOOST_TEST(is_refused(type));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
