// Tests of the header traceparent: the rules of W3C Trace Context, level 1 and 2.
#include "coracle/traceparent.hpp"

#include "coracle/errors.hpp"
#include "coracle/post.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::test {

namespace {

const std::string usual = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr TraceContext its_trace{0x4bf92f3577b34da6, 0xa3ce929d0e0e4736, 0x00f067aa0ba902b7};

}  // namespace

BOOST_AUTO_TEST_SUITE(traceparent)

BOOST_AUTO_TEST_CASE(a_trace_context_is_written_in_lower_case_with_all_its_zeros) {
  BOOST_TEST(to_traceparent(its_trace) == usual);
  BOOST_TEST(to_traceparent({0, 1, 2}, false) ==
             "00-00000000000000000000000000000001-0000000000000002-00");
}

BOOST_AUTO_TEST_CASE(a_trace_context_without_a_trace_or_a_span_cannot_be_written) {
  for (const TraceContext& each : {TraceContext{}, TraceContext{0, 0, 1}, TraceContext{1, 1, 0}}) {
    BOOST_CHECK_EXCEPTION(to_traceparent(each), Error,
                          [](const Error& error) { return error.errc() == Errc::bad_options; });
  }
}

BOOST_AUTO_TEST_CASE(every_trace_context_that_is_written_is_read_again) {
  BOOST_TEST(rc::check([](std::uint64_t high, std::uint64_t low, std::uint64_t span, bool sampled) {
    const TraceContext trace{high, low | 1, span | 1};
    RC_ASSERT(trace_context_in(to_traceparent(trace, sampled)) == trace);
  }));
}

BOOST_AUTO_TEST_CASE(the_trace_of_a_header_goes_onto_a_message) {
  Post post("bob", "hello");
  for (const std::string& header : {usual, std::string("no trace")}) {
    if (const auto trace = trace_context_in(header)) post.trace(*trace);
  }
  BOOST_TEST(!trace_context_in("no trace").has_value());
}

BOOST_AUTO_TEST_CASE(flags_do_not_matter_but_must_be_digits) {
  const auto with = [](const char* flags) { return usual.substr(0, 53) + flags; };
  for (const char* each : {"00", "01", "02", "03", "ff"})
    BOOST_CHECK(trace_context_in(with(each)) == its_trace);
  for (const char* each : {"", "1", "0g", "0A", " 1", "001"})
    BOOST_CHECK(!trace_context_in(with(each)));
}

BOOST_AUTO_TEST_CASE(upper_case_zeros_and_other_forms_are_not_valid) {
  for (const std::string& each :
       {std::string(), std::string("00"), std::string(55, '0'), std::string(55, '-'),
        std::string("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"),
        std::string("00-00000000000000000000000000000000-00f067aa0ba902b7-01"),
        std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"),
        std::string("00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01"),
        std::string("0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), " " + usual,
        usual + " ", usual + "-", usual + "-what"}) {
    BOOST_TEST_CONTEXT(each) BOOST_CHECK(!trace_context_in(each));
  }
}

BOOST_AUTO_TEST_CASE(of_a_later_version_the_shared_part_is_read) {
  const std::string rest = usual.substr(2);
  for (const std::string& each :
       {"01" + rest, "cc" + rest, "fe" + rest + "-", "cc" + rest + "-x-y"})
    BOOST_TEST_CONTEXT(each) BOOST_CHECK(trace_context_in(each) == its_trace);
  for (const std::string& each : {"ff" + rest, "01" + rest + "x", "01" + rest + ".what"})
    BOOST_TEST_CONTEXT(each) BOOST_CHECK(!trace_context_in(each));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
