// What the text that opens a realization may say of any kind of it.
#include "coracle/realizations/open.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace coracle {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(open_text)

BOOST_AUTO_TEST_CASE(how_long_workers_look_is_said_in_any_place) {
  BOOST_TEST((open("local:spin=0").spin == Duration::zero()));
  BOOST_TEST((open("local:names=10,spin=50us").spin == Duration(50us)));
  BOOST_TEST((open("local:spin=2ms,names=10").spin == Duration(2ms)));
  BOOST_TEST((open("central+unix:///none?spin=7us&society=lab").spin == Duration(7us)));
  BOOST_TEST((open("distributed:society=lab,spin=0").spin == Duration::zero()));
}

BOOST_AUTO_TEST_CASE(nothing_and_auto_leave_it_to_the_node) {
  BOOST_TEST(!open("local:").spin.has_value());
  BOOST_TEST(!open("local:spin=auto").spin.has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_time_is_refused_with_what_would_be) {
  for (const char* text : {"local:spin=", "local:spin=x", "local:spin=50", "local:spin=-1us",
                           "local:spin=5h", "local:spin=0us", "local:spin=2000000us"}) {
    const auto is_clear = [text](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             error.sentence().find("50us") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(open(text), Error, is_clear);
  }
}

BOOST_AUTO_TEST_CASE(whether_memory_is_shared_is_yes_or_no) {
  BOOST_CHECK_EXCEPTION(open("distributed:shared_memory=perhaps"), Error,
                        [](const Error& error) { return error.errc() == Errc::bad_realization; });
  BOOST_CHECK_NO_THROW(open("distributed:shared_memory=no"));
  BOOST_CHECK_NO_THROW(open("central+unix:///none?shared_memory=yes"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
