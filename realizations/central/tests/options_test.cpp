// Tests of the text that opens a node of a Central society.
#include "coracle/realizations/central.hpp"
#include "tests/support/keys.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>

namespace coracle::central {

namespace {

// The reason why the text is refused; empty if it is accepted.
std::string refusal(const std::string& text) {
  try {
    (void)options_from(text);
  } catch (const Error& error) {
    BOOST_TEST(error.errc() == Errc::bad_realization);
    return error.sentence();
  }
  return {};
}

bool names(const std::string& text, const std::string& word) {
  return refusal(text).find(word) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(options)

const std::string key = test::society_key, other_key = test::another_key;

BOOST_AUTO_TEST_CASE(a_server_is_reached_by_tcp_or_by_a_unix_socket) {
  const Options by_tcp = options_from("central://127.0.0.1:4410?society=lab");
  BOOST_TEST(by_tcp.server == "tcp://127.0.0.1:4410");
  BOOST_TEST(by_tcp.society == "lab");
  BOOST_TEST(options_from("central+unix:///run/lab").server == "unix:///run/lab");
}

BOOST_AUTO_TEST_CASE(who_has_a_key_shows_it) {
  const Options by_tls = options_from("central://10.1.2.3:4410?society=lab&key=" + key);
  BOOST_TEST(by_tls.server == "tls://10.1.2.3:4410");
  BOOST_TEST(by_tls.key == key);
  const Options both = options_from("central://lab:1?key=" + key + "," + other_key + ",society=x");
  BOOST_TEST(both.key == key + "," + other_key);
  BOOST_TEST(both.society == "x");
  BOOST_TEST(options_from("central://lab:1?key=/etc/lab.key").key == "/etc/lab.key");
}

BOOST_AUTO_TEST_CASE(a_key_that_was_not_generated_is_refused_and_not_shown) {
  for (const char* const text :
       {"central://lab:1?key=hunter2", "central://lab:1?society=a&key=hunter2hunter2hunter2",
        "central+unix:///lab?key=hunter2"}) {
    BOOST_TEST(names(text, "coracle keys --society-key"));
    BOOST_TEST(!names(text, "hunter2"));
  }
  Options options;
  options.server = "127.0.0.1:1";
  options.key = "hunter2";
  BOOST_CHECK_EXCEPTION((void)realization(options), Error, [](const Error& error) {
    return error.errc() == Errc::bad_options &&
           error.sentence().find("coracle keys --society-key") != std::string::npos;
  });
  ServerOptions server;
  server.listen = {"127.0.0.1:0"};
  server.key = "hunter2";
  BOOST_CHECK_EXCEPTION(Server{server}, Error, [](const Error& error) {
    return error.errc() == Errc::bad_options &&
           error.sentence().find("coracle keys --society-key") != std::string::npos;
  });
}

// The key is hidden in every mistyped text.
BOOST_AUTO_TEST_CASE(a_key_in_a_mistyped_text_is_never_shown) {
  for (const std::string& secret : {key, std::string("hunter2-hunter2-hunter2-hunter2")}) {
    for (const std::string& text : {"central://lab:1?kye=" + secret,
                                    "central://lab:1?key:" + secret,
                                    "central://lab:1?key " + secret,
                                    "central://lab:1?" + secret,
                                    "central://lab:1?" + secret + "=",
                                    "central://lab:1?society=a;key=" + secret + "/",
                                    "central://lab:1,key=" + secret,
                                    "central://lab:1;key=" + secret,
                                    "central://lab:1key=" + secret,
                                    "central://lab:1&key=" + secret,
                                    "central://" + secret + "@lab:x",
                                    "central://lab:1?durable=yes;key=" + secret,
                                    "central://lab:1?durable=" + secret,
                                    "central://lab:1?poll=" + secret,
                                    "central://lab:1?take=1;key=" + secret,
                                    "central://lab:1?delivery=" + secret,
                                    "central://lab:1?matching=set;key=" + secret,
                                    "central?key=" + secret + "://lab:1",
                                    "centralkey=" + secret + "://lab:1",
                                    "central://lab:1?key=" + secret + "x"})
      BOOST_TEST(refusal(text).find(secret) == std::string::npos, refusal(text));
  }
}

BOOST_AUTO_TEST_CASE(a_key_and_a_certificate_are_one_too_many) {
  Options options;
  options.server = "127.0.0.1:1";
  options.key = key;
  options.tls = "/keys/ann";
  BOOST_CHECK_EXCEPTION((void)realization(options), Error, [](const Error& error) {
    return error.sentence().find("with certificates the key has no effect") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(who_has_a_certificate_shows_it) {
  const Options by_tls = options_from("central+tls://lab:4410?tls=/keys/ann");
  BOOST_TEST(by_tls.server == "tls://lab:4410");
  BOOST_TEST(by_tls.tls == "/keys/ann");
  BOOST_TEST(options_from("central://lab:4410?tls=/keys/ann").server == "tls://lab:4410");
  BOOST_TEST(options_from("central+unix:///run/lab?tls=/keys/ann").server == "unix:///run/lab");
  BOOST_TEST(names("central+tls://lab:4410?tls=", "coracle keys"));
  Options without;
  without.server = "tls://127.0.0.1:1";
  BOOST_CHECK_EXCEPTION((void)realization(without), Error, [](const Error& error) {
    return error.sentence().find("coracle keys") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(what_is_sent_goes_to_the_disk_first_if_that_is_asked_for) {
  BOOST_TEST(!options_from("central://127.0.0.1:1").durable);
  BOOST_TEST(options_from("central://127.0.0.1:1?durable=yes").durable);
  BOOST_TEST(realization(options_from("central://127.0.0.1:1?durable=yes")).stores);
  BOOST_TEST(names("central://127.0.0.1:1?durable=perhaps", "'perhaps'"));
}

BOOST_AUTO_TEST_CASE(how_messages_come_and_are_matched_can_be_said) {
  using How = Delivery::How;
  const Options usual = options_from("central://lab:4410");
  BOOST_TEST((usual.delivery.how == How::push && usual.matching == Matching::set));
  const Options polled = options_from("central://lab:4410?poll=250us&delivery=poll,take=5");
  BOOST_TEST((polled.delivery.how == How::poll));
  BOOST_TEST((polled.delivery.interval == std::chrono::microseconds(250)));
  BOOST_TEST(polled.delivery.most == 5U);
  const Options told = options_from("central+unix:///lab?delivery=notify&matching=linear");
  BOOST_TEST((told.delivery.how == How::notify && told.matching == Matching::linear));
  BOOST_TEST(told.delivery.most == 1U);
  BOOST_TEST((realization(told).matching == Matching::linear));
}

BOOST_AUTO_TEST_CASE(other_channels_to_deliver_and_match_are_refused_by_the_key) {
  BOOST_TEST(names("central://lab:1?delivery=pigeon", "delivery is push, notify or poll"));
  BOOST_TEST(names("central://lab:1?matching=", "matching is set or linear"));
  for (const char* time : {"0ms", "10", "ms", "-1ms", "61s", "1h", ""})
    BOOST_TEST(names(std::string("central://lab:1?delivery=poll&poll=") + time, "poll needs"));
  BOOST_TEST(names("central://lab:1?delivery=poll&take=0", "take needs"));
  // Settings that would have no effect are refused.
  BOOST_TEST(names("central://lab:1?poll=10ms", "delivery=poll"));
  BOOST_TEST(names("central://lab:1?delivery=notify&poll=10ms", "delivery=poll"));
  BOOST_TEST(names("central://lab:1?take=2", "delivery=notify"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_understood_is_refused_by_its_name) {
  BOOST_TEST(names("central://127.0.0.1:1?colour=red", "'colour'"));
  BOOST_TEST(names("central://127.0.0.1:1?society=", "society"));
  BOOST_TEST(names("central://127.0.0.1:1?society=a/b", "society"));
  BOOST_TEST(names("central://127.0.0.1:1?society", "'society'"));
  BOOST_TEST(names("central+pigeon://127.0.0.1:1", "'central+pigeon:'"));
  BOOST_TEST(names("central:", "where the server is"));
  BOOST_TEST(names("central://", "where the server is"));
  BOOST_TEST(names("central://127.0.0.1:99999", "where the server is"));
}

BOOST_AUTO_TEST_CASE(plain_text_leaves_this_host_only_if_it_is_said_to_be_insecure) {
  const auto says_the_choices = [](const Error& error) {
    for (const char* const choice : {"coracle keys --society-key", "tls=FOLDER", "insecure=yes"})
      if (error.sentence().find(choice) == std::string::npos) return false;
    return error.errc() == Errc::bad_options;
  };
  const std::string far = "central://192.0.2.7:4410?society=lab";
  BOOST_CHECK_EXCEPTION((void)realization(options_from(far)), Error, says_the_choices);
  BOOST_CHECK_NO_THROW((void)realization(options_from(far + "&insecure=yes")));
  BOOST_CHECK_NO_THROW((void)realization(options_from(far + "&key=" + key)));
  BOOST_TEST(names(far + "&insecure=perhaps", "insecure is yes or no"));
  BOOST_CHECK_EXCEPTION((void)realization(options_from(far + "&insecure=yes&key=" + key)), Error,
                        [](const Error& error) {
                          return error.sentence().find("insecure=yes is for") != std::string::npos;
                        });
  ServerOptions server;
  server.listen = {"0.0.0.0:0"};
  BOOST_CHECK_EXCEPTION(Server{server}, Error, says_the_choices);
  server.insecure = true;
  BOOST_CHECK_NO_THROW(Server{server});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
