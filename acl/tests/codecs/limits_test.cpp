#include "coracle/acl/limits.hpp"

#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/acl/string_codec.hpp"
#include "coracle/acl/xml_codec.hpp"
#include "support/hostile.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace coracle::acl::test;
using coracle::Errc;

std::string repeated(std::size_t times, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string beyond(std::string_view text, const Limits& limits) {
  return refusal(Errc::too_large, [&] { read_string(text, limits); });
}

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(a_string_has_as_many_bytes_as_the_limit_says) {
  BOOST_TEST(beyond("(inform)", {.bytes = 8}) == "");
  BOOST_TEST(beyond("(inform)", {.bytes = 7}) ==
             "cannot read the string form of a message: it has more than 7 bytes; raise the limit, "
             "or ask the sender for less");
}

BOOST_AUTO_TEST_CASE(a_string_has_as_many_elements_as_the_limit_says) {
  const std::string agent = "(agent-identifier :name a :addresses (sequence x) :X-k v)";
  const std::string text = "(inform :receiver (set " + agent + agent + ") :X-k v)";
  BOOST_TEST(beyond(text, {.items = 7}) == "");
  BOOST_TEST(beyond(text, {.items = 6}).find("more than 6 elements in its lists") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(brackets_of_a_string_are_nested_as_deep_as_the_limit_says) {
  const std::string text = "(inform :language ((())))";
  BOOST_TEST(beyond(text, {.depth = 3}) == "");
  BOOST_TEST(beyond(text, {.depth = 2}).find("more than 2 levels of brackets") !=
             std::string::npos);
  BOOST_TEST(beyond("(inform :language " + repeated(1'000'000, "("), {}) != "");
}

BOOST_AUTO_TEST_CASE(resolvers_of_a_string_are_nested_up_to_their_limit) {
  const auto nested = [](std::size_t depth) {
    const std::string agent = "(agent-identifier :name a";
    return "(inform :sender " + repeated(depth, agent + " :resolvers (sequence ") + agent +
           repeated(depth, "))") + "))";
  };
  BOOST_TEST(beyond(nested(max_resolver_depth), {}) == "");
  BOOST_TEST(beyond(nested(max_resolver_depth + 1), {}).find("8 levels of resolvers") !=
             std::string::npos);
  BOOST_TEST(beyond(nested(10'000), {}) != "");
  Message deepest = read_string(nested(max_resolver_depth));
  BOOST_TEST((read_string(write_string(deepest)) == deepest));
  deepest.sender = {.name = "b", .resolvers = {deepest.sender}};
  BOOST_TEST(refusal([&] {
               write_string(deepest);
             }).find("the resolvers of an agent are nested deeper than 8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_other_forms_have_the_same_limits) {
  Message message;
  message.receivers = {{.name = "a", .addresses = {"x"}, .user = {{"k", "v"}}},
                       {.name = "b", .addresses = {"y"}, .user = {{"k", "v"}}}};
  message.user = {{"k", "v"}};
  const auto check = [&](const std::string& written, auto read) {
    const auto sentence = [&](const Limits& limits) {
      return refusal(Errc::too_large, [&] { read(written, limits); });
    };
    BOOST_TEST(sentence({.bytes = written.size(), .items = 7}) == "");
    BOOST_TEST(sentence({.bytes = written.size() - 1}).find("bytes;") != std::string::npos);
    BOOST_TEST(sentence({.items = 6}).find("more than 6 elements in its lists") !=
               std::string::npos);
  };
  check(write_bit_efficient(message), read_bit_efficient);
  check(write_xml(message), read_xml);
}

BOOST_AUTO_TEST_CASE(brackets_of_bits_are_nested_as_deep_as_the_limit_says) {
  const auto nested = [](std::size_t depth) {
    return "\xfa\x10\x08\x0d" + repeated(depth, "\x60") + repeated(depth, "\x40") + "\x01";
  };
  const auto sentence = [&](std::size_t depth) {
    return refusal(Errc::too_large, [&] { read_bit_efficient(nested(depth), {.depth = 3}); });
  };
  BOOST_TEST(sentence(3) == "");
  BOOST_TEST(sentence(4).find("more than 3 levels of brackets") != std::string::npos);
  BOOST_TEST(sentence(1'000'000) != "");
}

BOOST_AUTO_TEST_CASE(resolvers_of_bits_and_of_xml_are_nested_up_to_their_limit) {
  const auto bits = [](std::size_t depth) {
    return "\xfa\x10\x08\x02" +
           repeated(depth,
                    "\x02\x10"
                    "a" +
                        std::string(1, 0) + "\x03") +
           "\x02\x10"
           "a" +
           std::string(1, 0) + "\x01" + repeated(depth, "\x01\x01") + "\x01";
  };
  const auto xml = [](std::size_t depth) {
    const std::string agent = "<agent-identifier><name id='a'/>";
    return "<fipa-message act='inform'><sender>" + repeated(depth, agent + "<resolvers>") + agent +
           "</agent-identifier>" + repeated(depth, "</resolvers></agent-identifier>") +
           "</sender></fipa-message>";
  };
  const auto check = [](auto nested, auto read) {
    BOOST_TEST(read(nested(max_resolver_depth), Limits()).sender.name == "a");
    for (const std::size_t depth : {max_resolver_depth + 1, std::size_t{10'000}}) {
      BOOST_TEST(refusal(Errc::too_large, [&] {
                   read(nested(depth), Limits());
                 }).find("8 levels of resolvers") != std::string::npos);
    }
  };
  check(bits, read_bit_efficient);
  check(xml, read_xml);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
