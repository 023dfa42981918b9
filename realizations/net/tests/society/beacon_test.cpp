// The beacon: which datagrams are accepted, how often it replies, and which directory is the best.
#include "realizations/net/src/society/beacon/beacon.hpp"
#include "tests/support/keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <fstream>

namespace coracle::society {

namespace {

using namespace std::chrono_literals;

net::SocietyKey key(const char* text) { return net::SocietyKey::parse(text).value(); }

const BeaconKey lab = beacon_key(key(test::society_key), "lab");
constexpr Time start{std::chrono::seconds(100)};

BeaconNonce nonce(unsigned number) {
  BeaconNonce made{};
  made[0] = static_cast<std::byte>(number);
  made[1] = static_cast<std::byte>(number >> 8);
  return made;
}

Here directory(std::uint64_t started, std::vector<std::string> endpoints) {
  return {nonce(1), started, 7, std::move(endpoints)};
}

std::vector<std::string> texts(const std::vector<net::Endpoint>& endpoints) {
  std::vector<std::string> texts;
  for (const net::Endpoint& each : endpoints) texts.push_back(each.text());
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(beacon)

BOOST_AUTO_TEST_CASE(questions_and_answers_are_understood_by_the_society) {
  const auto question = read_beacon(lab, write_beacon(lab, Seek{nonce(5)}));
  BOOST_TEST_REQUIRE(question.has_value());
  BOOST_TEST((std::get<Seek>(*question).nonce == nonce(5)));
  const auto answer = read_beacon(lab, write_beacon(lab, directory(9, {"tcp://192.0.2.7:4410"})));
  BOOST_TEST_REQUIRE(answer.has_value());
  const Here& here = std::get<Here>(*answer);
  BOOST_TEST(here.started == 9u);
  BOOST_TEST(here.salt == 7u);
  BOOST_TEST(here.endpoints == std::vector<std::string>{"tcp://192.0.2.7:4410"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_older_directories_answer_one_that_asks) {
  Seek asked{nonce(5), 20, 7};
  const auto read = read_beacon(lab, write_beacon(lab, asked));
  BOOST_TEST_REQUIRE(read.has_value());
  asked = std::get<Seek>(*read);
  BOOST_TEST(asked.started == 20u);
  BOOST_TEST(asked.salt == 7u);
  BOOST_TEST(is_older(directory(19, {}), asked));
  BOOST_TEST(!is_older(directory(20, {}), asked));  // itself
  BOOST_TEST(!is_older(directory(21, {}), asked));
  BOOST_TEST(is_older(directory(21, {}), Seek{nonce(5)}));  // every directory replies to a node
}

BOOST_AUTO_TEST_CASE(nobody_else_understands_them) {
  const auto question = write_beacon(lab, Seek{nonce(5)});
  BOOST_TEST(!read_beacon(beacon_key(key(test::another_key), "lab"), question));
  BOOST_TEST(!read_beacon(beacon_key(key(test::society_key), "attic"), question));
  for (std::size_t at = 0; at < question.size(); ++at) {
    auto changed = question;
    changed[at] ^= std::byte{1};
    BOOST_TEST_REQUIRE(!read_beacon(lab, changed));
  }
}

// A beacon reveals nothing to its receivers by which nodes are admitted.
BOOST_AUTO_TEST_CASE(the_key_of_beacons_is_for_nothing_else) {
  const net::SocietyKey ours = key(test::society_key);
  BOOST_TEST((beacon_key(ours, "lab") != ours.derive("coracle tls", "lab")));
  BOOST_TEST((beacon_key(ours, "lab") != ours.derive("coracle tls name", "lab")));
}

BOOST_AUTO_TEST_CASE(the_keys_of_a_file_are_read_again_when_it_has_changed) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "key";
  const auto write = [&file](const std::string& text) {
    std::ofstream(file) << text;
    BOOST_TEST_REQUIRE(::chmod(file.c_str(), 0600) == 0);
  };
  write(test::society_key);
  BeaconKeys keys(net::KeySource(file, "lab"), start);
  BOOST_TEST((keys.at(start) == std::vector<BeaconKey>{lab}));
  write(std::string(test::another_key) + "\n" + test::society_key);
  BOOST_TEST(keys.at(start + 999ms).size() == 1u);
  BOOST_TEST_REQUIRE(keys.at(start + 1s).size() == 2u);
  BOOST_TEST((keys.at(start + 1s)[1] == lab));
  write("nonsense");
  BOOST_TEST(keys.at(start + 2s).size() == 2u);
}

BOOST_AUTO_TEST_CASE(no_answer_is_longer_than_the_question) {
  const std::vector<std::string> many(40, "tcp://" + std::string(60, 'h') + ":4410");
  const auto answer = write_beacon(lab, directory(9, many));
  BOOST_TEST(answer.size() <= write_beacon(lab, Seek{nonce(5)}).size());
  const auto read = read_beacon(lab, answer);
  BOOST_TEST_REQUIRE(read.has_value());
  BOOST_TEST(std::get<Here>(*read).endpoints.size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_question_that_comes_by_two_ways_is_answered_once) {
  Answering answering;
  BOOST_TEST(answering.may_answer(nonce(1), start));
  BOOST_TEST(!answering.may_answer(nonce(1), start));
  BOOST_TEST(answering.may_answer(nonce(2), start));
}

BOOST_AUTO_TEST_CASE(a_flood_of_questions_is_answered_slowly) {
  Answering answering;
  unsigned asked = 0;
  const auto answered = [&](unsigned questions, Time now) {
    unsigned count = 0;
    for (unsigned i = 0; i < questions; ++i) count += answering.may_answer(nonce(++asked), now);
    return count;
  };
  BOOST_TEST(answered(1000, start) == Answering::most_at_once);
  BOOST_TEST(answered(1000, start + 1s) == Answering::most_at_once);
  BOOST_TEST(answered(1000, start + 1s + 100ms) == 5u);
}

BOOST_AUTO_TEST_CASE(the_earliest_directory_is_the_best) {
  Findings findings;
  findings.add({directory(20, {"tcp://192.0.2.8:1"}), "192.0.2.8"}, {}, start);
  findings.add({directory(10, {"tcp://192.0.2.7:1"}), "192.0.2.7"}, {}, start);
  const std::vector<std::string> both = {"tcp://192.0.2.7:1", "tcp://192.0.2.8:1"};
  BOOST_TEST(texts(findings.places(start)) == both, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_directory_is_reached_where_its_answer_came_from) {
  Findings findings;
  findings.add(
      {directory(10, {"unix:///x", "tcp://172.17.0.1:1", "tcp://192.0.2.7:1"}), "192.0.2.7"}, {},
      start);
  BOOST_TEST(texts(findings.places(start)) == std::vector<std::string>{"tcp://192.0.2.7:1"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ones_own_is_reached_by_its_socket) {
  Findings findings;
  const auto own = net::Endpoint::parse("unix:///x");
  findings.add({directory(10, {"tcp://192.0.2.7:1", "unix:///x"}), "192.0.2.7"}, *own, start);
  BOOST_TEST(texts(findings.places(start)) == std::vector<std::string>{"unix:///x"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_heard_here_counts_more_than_what_another_directory_says) {
  Findings findings;
  const auto own = net::Endpoint::parse("unix:///x");
  findings.add({directory(10, {"tcp://192.0.2.7:1", "unix:///x"}), "192.0.2.7"}, *own, start);
  const DirectoryReport told{directory(10, {"tcp://172.17.0.1:1"}), "127.0.0.1"};
  BOOST_TEST(findings.add_reported(told, start).value().text() == "unix:///x");
  BOOST_TEST(findings.add_reported(told, start + Findings::lasting + 1ns).value().text() ==
             "tcp://172.17.0.1:1");
}

BOOST_AUTO_TEST_CASE(one_that_is_not_heard_any_more_is_forgotten) {
  Findings findings;
  findings.add({directory(10, {"tcp://192.0.2.7:1"}), "192.0.2.7"}, {}, start);
  BOOST_TEST(findings.places(start + Findings::lasting).size() == 1u);
  BOOST_TEST(findings.places(start + Findings::lasting + 1ns).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society
