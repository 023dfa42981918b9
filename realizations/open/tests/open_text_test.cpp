// Tests of the settings that the text that opens a realization may have for every kind of it.
#include "coracle/realizations/open.hpp"

#include "coracle/errors.hpp"
#include "coracle/node.hpp"
#include "tests/support/keys.hpp"

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

BOOST_AUTO_TEST_CASE(a_comma_and_an_ampersand_separate_settings_of_every_kind) {
  for (const std::string text : {"local:names=10", "sim:seed=4", "distributed:society=lab",
                                 "central+unix:///none?society=lab"}) {
    for (const char* const separator : {",", "&"})
      BOOST_TEST((open(text + separator + "spin=0" + separator + "connect_time=2s").connect_time ==
                  Duration(2s)));
  }
  BOOST_CHECK_NO_THROW(open("sim:seed=4&workers=2"));
  BOOST_CHECK_NO_THROW(open("local:names=4&watches=2"));
}

BOOST_AUTO_TEST_CASE(nothing_and_auto_leave_it_to_the_node) {
  BOOST_TEST(!open("local:").spin.has_value());
  BOOST_TEST(!open("local:spin=auto").spin.has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_time_is_refused_with_what_would_be) {
  for (const char* text : {"local:spin=", "local:spin=x", "local:spin=50", "local:spin=-1us",
                           "local:spin=5h", "local:spin=0us", "local:spin=2000000us"}) {
    const auto is_clear = [](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             error.sentence().find("50us") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(open(text), Error, is_clear);
  }
}

BOOST_AUTO_TEST_CASE(how_long_a_node_waits_for_an_answer_is_said_alike_everywhere) {
  BOOST_TEST((open("local:connect_time=5s").connect_time == Duration(5s)));
  BOOST_TEST((open("central+unix:///none?connect_time=50ms").connect_time == Duration(50ms)));
  BOOST_TEST((open("distributed:society=lab,connect_time=3s").connect_time == Duration(3s)));
  BOOST_TEST(!open("local:").connect_time.has_value());
  for (const char* text : {"local:connect_time=", "local:connect_time=5", "local:connect_time=0s",
                           "local:connect_time=-1s", "local:connect_time=86401s"}) {
    const auto is_clear = [](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             error.sentence().find("connect_time is a time from 1ms to 86400s") !=
                 std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(open(text), Error, is_clear);
  }
}

// No server is at these places. Without the setting, each of these takes 20 s.
BOOST_AUTO_TEST_CASE(a_node_whose_server_does_not_answer_fails_after_that_time) {
  const auto fails = [](Realization realization, NodeOptions options, const std::string& span) {
    const auto is_clear = [&span](const Error& error) {
      return error.errc() == Errc::unreachable &&
             error.sentence().find("has not answered for " + span) != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(Node(std::move(realization), std::move(options)), Error, is_clear);
  };
  fails(open("central+unix:///nowhere/server?connect_time=70ms"), {}, "70 ms");
  fails(open("distributed:directory=unix:///nowhere/directory,connect_time=70ms"), {}, "70 ms");
  NodeOptions options;
  options.connect_time = 60ms;
  fails(open("central+unix:///nowhere/server"), options, "60 ms");
  options.connect_time = Duration::zero();
  BOOST_CHECK_EXCEPTION(Node(open("local:"), options), Error,
                        [](const Error& error) { return error.errc() == Errc::bad_options; });
}

BOOST_AUTO_TEST_CASE(whether_memory_is_shared_is_yes_or_no) {
  BOOST_CHECK_EXCEPTION(open("distributed:shared_memory=perhaps"), Error,
                        [](const Error& error) { return error.errc() == Errc::bad_realization; });
  BOOST_CHECK_NO_THROW(open("distributed:shared_memory=no"));
  BOOST_CHECK_NO_THROW(open("central+unix:///none?shared_memory=yes"));
}

BOOST_AUTO_TEST_CASE(whether_others_may_take_names_over_is_yes_or_no) {
  for (const std::string text : {"distributed:takeover=", "central+unix:///none?takeover="}) {
    const auto is_clear = [](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             error.sentence().find("takeover is yes or no") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(open(text + "all"), Error, is_clear);
    BOOST_CHECK_NO_THROW(open(text + "no"));
    BOOST_CHECK_NO_THROW(open(text + "yes"));
  }
}

// This holds for every mistyped text, and for every realization.
BOOST_AUTO_TEST_CASE(a_key_in_a_text_is_never_shown) {
  const std::string good = test::society_key;
  for (const std::string& secret : {good, std::string("hunter2-hunter2-hunter2-hunter2")}) {
    for (const std::string& text : {"local:key=" + secret,
                                    "local:" + secret,
                                    "local:names=" + secret,
                                    "local:spin=" + secret,
                                    "sim:key=" + secret,
                                    "sim:seed=1;key=" + secret,
                                    "sim:" + secret,
                                    "distributed:kye=" + secret,
                                    "distributed:" + secret,
                                    "distributed:society=a/b;key=" + secret,
                                    "distributed:shared_memory=no;key=" + secret,
                                    "distributed:directory=lab:1;key=" + secret,
                                    "distributed:listen=lab:1key=" + secret,
                                    "distributed:directory=" + secret + "@lab:x",
                                    "distributed:key=" + secret + "x",
                                    "distributed:spin=0;key=" + secret,
                                    "distributed?key=" + secret,
                                    secret + ":",
                                    "key=" + secret + ":",
                                    secret,
                                    "centrall://lab:1?key=" + secret,
                                    "central:lab:1?key=" + secret,
                                    "central://lab?key=" + secret}) {
      const auto is_not_shown = [&](const Error& error) {
        return error.sentence().find(secret) == std::string::npos;
      };
      BOOST_CHECK_EXCEPTION(open(text), Error, is_not_shown);
    }
  }
}

BOOST_AUTO_TEST_CASE(plain_text_leaves_this_host_only_if_it_is_said_to_be_insecure) {
  for (const std::string text :
       {"distributed:directory=192.0.2.7:1", "distributed:directory=127.0.0.1:1,listen=0.0.0.0:0",
        "central://192.0.2.7:1?society=a"}) {
    BOOST_CHECK_EXCEPTION(open(text), Error, [](const Error& error) {
      for (const char* const choice : {"coracle keys --society-key", "tls=FOLDER", "insecure=yes"})
        if (error.sentence().find(choice) == std::string::npos) return false;
      return error.errc() == Errc::bad_options;
    });
    BOOST_CHECK_NO_THROW(open(text + "&insecure=yes"));
    BOOST_CHECK_NO_THROW(open(text + "&key=" + test::society_key));
  }
}

BOOST_AUTO_TEST_CASE(the_name_of_a_realization_has_no_key) {
  const std::string key = test::society_key, other = test::another_key;
  BOOST_TEST(open("central://lab:1?society=a&key=" + key + "&durable=yes").name ==
             "central://lab:1?society=a&key=***&durable=yes");
  BOOST_TEST(open("distributed:key=" + key + "," + other + ",society=a,beacon=off").name ==
             "distributed:key=***,society=a,beacon=off");
  BOOST_TEST(open("local:names=5").name == "local:names=5");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
