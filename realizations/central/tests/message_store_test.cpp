// Tests of what the clearinghouse takes over from nodes that stop, and keeps: in memory, and in a
// folder.
#include "clearinghouse.hpp"
#include "store/journal_backend.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace coracle::central {

namespace {

const Texts three = {"1", "2", "end"};
const Texts three_of_ann = {"ann: 1", "ann: 2", "ann: end"};

// The number of messages that a node that stopped had handed over up to `stage`.
std::size_t kept(const StopReport& report, Stage stage) {
  std::size_t count = 0;
  for (const auto& left : report.undelivered) count += left.kept == stage ? left.messages : 0;
  return count;
}

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// A message store's backend in a folder, at times that the test chooses.
struct Folder {
  Folder() { begin(); }
  void begin() {
    backend.reset();
    disk.reset();
    disk = posix_disk(folder / "data").value();
    store::JournalBackend::Settings settings;
    settings.own_thread = false;
    settings.log = [](const std::string&) {};
    backend = std::make_unique<store::JournalBackend>(*disk, machine_random(), settings, now);
    found = backend->begin([this] { ++woken; }, now);
  }
  void keep(const std::string& name, const std::string& head, bool handed_out = false) {
    backend->keep(Name(name), bytes(head), Content("content"), handed_out, now,
                  [this](const Result<std::uint64_t>& id) {
                    if (id) kept.push_back(*id);
                    else refused.push_back(id.error().errc());
                  });
  }
  // Changes the first letter of a text in the first segment.
  void damage(const std::string& text) {
    const std::string path = folder / "data/0000000001.journal";
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(file), {});
    const std::size_t at = all.find(text);
    BOOST_TEST_REQUIRE(at != all.npos);
    file.seekp(static_cast<std::streamoff>(at));
    file.put('#');
  }
  Texts heads() const {
    Texts texts;
    for (const StoreBackend::Kept& each : found)
      texts.push_back(
          (each.handed_out ? "!" : "") +
          std::string(reinterpret_cast<const char*>(each.head.data()), each.head.size()));
    return texts;
  }

  TemporaryFolder folder;
  Time now{1000h};
  std::unique_ptr<Disk> disk;
  std::unique_ptr<store::JournalBackend> backend;
  std::vector<StoreBackend::Kept> found;
  std::vector<std::uint64_t> kept;
  std::vector<Errc> refused;
  int woken = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(message_store)

BOOST_AUTO_TEST_CASE(what_waits_for_an_absent_agent_outlives_the_node_that_sent_it) {
  Clearinghouse house;
  house.begin();
  const StopReport report = house.send("bob", three);
  BOOST_TEST(kept(report, Stage::accepted) == 3u);
  BOOST_TEST(report.ledger.passed_on == 3u);
  BOOST_TEST(report.ledger.balanced());
  BOOST_TEST(house.read("bob") == three_of_ann, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_an_agent_has_not_read_outlives_its_node) {
  Clearinghouse house;
  house.begin();
  (void)house.as("bob", [](Agent& me) -> Task<> {
    co_await me.send("bob", "1");
    co_await me.send("bob", "2");
    co_await me.send("bob", "end");
  });
  BOOST_TEST(house.read("bob") == (Texts{"bob: 1", "bob: 2", "bob: end"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_stored_outlives_the_server_and_is_gone_when_it_was_read) {
  Clearinghouse house("data");
  house.begin();
  BOOST_TEST(house.server->found().fresh);
  BOOST_TEST(kept(house.send("bob", three), Stage::stored) == 3u);
  house.begin();
  BOOST_TEST(!house.server->found().fresh);
  BOOST_TEST(house.server->found().messages == 3u);
  BOOST_TEST(house.server->found().names == 1u);
  BOOST_TEST(house.server->found().ended_in_order);
  BOOST_TEST(house.read("bob") == three_of_ann, boost::test_tools::per_element());
  house.begin();
  BOOST_TEST(house.server->found().messages == 0u);
}

BOOST_AUTO_TEST_CASE(what_somebody_may_have_got_before_the_server_ended_is_marked) {
  Clearinghouse house("data");
  house.begin();
  (void)house.send("bob", three);
  // bob reads one message, and the server ends before it learns of that.
  (void)house.as("bob", [&house](Agent& me) -> Task<> {
    const Message first = co_await me.receive();
    house.server.reset();
    BOOST_TEST(first.text() == "1");
    BOOST_TEST(!first.redelivered());
  });
  house.begin();
  BOOST_TEST(house.read("bob") == (Texts{"!ann: 1", "!ann: 2", "!ann: end"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(more_than_the_server_keeps_for_one_name_stays_with_its_node) {
  Clearinghouse house;
  house.options.kept_for_name = 2;
  house.begin();
  const StopReport report = house.send("bob", {"1", "end", "one too many"});
  BOOST_TEST(kept(report, Stage::accepted) == 2u);
  BOOST_TEST(report.undelivered.size() == 2u);
  BOOST_TEST(report.ledger.queued == 1u);
  BOOST_TEST(report.ledger.balanced());
  BOOST_TEST(house.read("bob") == (Texts{"ann: 1", "ann: end"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(more_bytes_than_the_server_keeps_stay_with_their_node) {
  Clearinghouse house;
  house.options.kept_bytes = 9'600;
  house.begin();
  const StopReport report = house.send("bob", {std::string(9'000, 'x'), "end", "end"});
  BOOST_TEST(kept(report, Stage::accepted) == 2u);
  BOOST_TEST_REQUIRE(report.undelivered.size() == 2u);
  BOOST_TEST((report.undelivered.back().why == Errc::limit_reached));
  BOOST_TEST(
      report.to_string().find(
          "1 for bob: the message store has not accepted it: its limit of bytes is reached") !=
      std::string::npos);
  // Messages that were read make room.
  (void)house.as("bob", [](Agent& me) -> Task<> {
    for (int i = 0; i < 2; ++i) (void)co_await me.receive();
  });
  BOOST_TEST(kept(house.send("bob", {std::string(9'000, 'x')}), Stage::accepted) == 1u);
}

BOOST_AUTO_TEST_CASE(who_asks_is_gone_and_so_is_the_question) {
  Clearinghouse house;
  house.begin();
  const StopReport report = house.as("ann", [](Agent& me) -> Task<> {
    (void)co_await me.ask_result("bob", "are you there?", 1ms);
  });
  BOOST_TEST(kept(report, Stage::accepted) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_too_old_is_not_given) {
  Clearinghouse house;
  house.begin();
  NodeOptions impatient;
  impatient.absent_time_to_live = 1ms;
  (void)house.send("bob", {"too old"}, impatient);
  (void)house.send("bob", {"end"});
  const Texts got = house.read("bob");
  // The first message is gone, unless everything took less than a millisecond.
  BOOST_TEST(got.back() == "ann: end");
}

BOOST_AUTO_TEST_CASE(nothing_is_promised_before_the_disk_has_it) {
  Folder there;
  there.keep("bob", "1");
  there.keep("bob", "2");
  BOOST_TEST(there.kept.empty());
  BOOST_TEST(there.woken == 1);
  (void)there.backend->work(there.now);
  BOOST_TEST(there.kept.size() == 2u);
  there.keep("bob", "3");  // then the program is killed
  there.begin();
  BOOST_TEST(there.heads() == (Texts{"1", "2"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_may_get_it_waits_until_a_restart_would_know_that) {
  Folder there;
  there.keep("bob", "1");
  there.keep("bess", "2");
  (void)there.backend->work(there.now);
  bool is_open = false;
  there.backend->open(Name("bob"), there.now, [&] { is_open = true; });
  BOOST_TEST(!is_open);
  there.begin();
  BOOST_TEST(there.heads() == (Texts{"1", "2"}), boost::test_tools::per_element());
  there.backend->open(Name("bob"), there.now, [&] { is_open = true; });
  (void)there.backend->work(there.now);
  BOOST_TEST(is_open);
  there.begin();
  BOOST_TEST(there.heads() == (Texts{"!1", "2"}), boost::test_tools::per_element());
}

// The last group was synced, and its senders were notified, but nothing behind it proves that.
BOOST_AUTO_TEST_CASE(what_was_stored_last_and_is_damaged_is_not_said_to_be_promised_to_nobody) {
  for (const bool is_first : {true, false}) {
    Folder there;
    there.keep("bob", "first");
    there.keep("bob", "second");
    (void)there.backend->work(there.now);
    BOOST_TEST(there.kept.size() == 2u);
    there.damage(is_first ? "first" : "second");
    there.begin();
    BOOST_TEST(there.found.size() == (is_first ? 0u : 1u));
    BOOST_TEST_REQUIRE(there.backend->found().faults.size() == 1u);
    const std::string fault = there.backend->found().faults.front();
    BOOST_TEST(fault.find("nothing in them was reported as stored") != fault.npos, fault);
    BOOST_TEST(fault.find("messages that were reported as stored are lost") != fault.npos, fault);
    BOOST_TEST((fault.find("a copy is in 0000000001.journal.torn-") != fault.npos) == is_first,
               fault);
  }
}

BOOST_AUTO_TEST_CASE(where_nothing_waits_nobody_has_to_wait) {
  Folder there;
  bool is_open = false;
  there.backend->open(Name("bob"), there.now, [&] { is_open = true; });
  BOOST_TEST(is_open);
}

BOOST_AUTO_TEST_CASE(what_has_ended_is_not_found_again) {
  Folder there;
  for (const char* head : {"1", "2", "3"}) there.keep("bob", head);
  (void)there.backend->work(there.now);
  there.backend->finish(there.kept[1], there.now);
  (void)there.backend->work(there.now);
  there.begin();
  BOOST_TEST(there.heads() == (Texts{"1", "3"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_journal_takes_of_the_disk_is_counted) {
  Folder there;
  for (const char* head : {"one", "second"}) there.keep("bob", head);
  (void)there.backend->work(there.now);
  BOOST_TEST(there.backend->usage().journal_bytes > 23u);  // the heads and contents
  BOOST_TEST(there.backend->usage().reserve_bytes > 0u);
  BOOST_TEST(!there.backend->usage().full);
}

BOOST_AUTO_TEST_CASE(time_when_nobody_kept_it_does_not_count) {
  Folder there;
  there.keep("bob", "1");
  (void)there.backend->work(there.now);
  there.now += 90s;
  (void)there.backend->work(there.now);
  there.backend->end(there.now);
  there.now += 50h;
  there.begin();
  BOOST_TEST_REQUIRE(there.found.size() == 1u);
  BOOST_TEST((there.found.front().age >= 89s && there.found.front().age <= 91s));
}

BOOST_AUTO_TEST_CASE(whoever_waits_for_a_promise_is_told_that_there_will_be_none) {
  Folder there;
  there.backend->end(there.now);
  there.keep("bob", "1");
  BOOST_TEST(there.kept.empty());
  BOOST_TEST(there.refused == std::vector{Errc::stopped}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
