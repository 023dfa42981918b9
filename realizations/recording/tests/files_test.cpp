// Tests of the content of a recording, and of the files that are refused; those are left unchanged.
#include "coracle/recording/recording.hpp"

#include "coracle/recording/recorder.hpp"
#include "coracle/typed.hpp"
#include "database.hpp"
#include "support/market.hpp"
#include "support/societies/expect.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>

namespace coracle::test {

namespace {

namespace fs = std::filesystem;

using recording::Happened;
using recording::Recorder;
using recording::RecorderOptions;
using recording::Recording;
using recording::Said;

std::string read_all(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(const std::string& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void record_market(const std::string& file, int rounds = 2) {
  Recorder recorder(file);
  sim::World world = recorder.world();
  hold_market(world, rounds);
  recorder.close();
}

// Returns whether `bytes` are refused as a recording, and left unchanged.
bool is_refused(const std::string& file, const std::string& bytes) {
  write_all(file, bytes);
  bool refused = false;
  try {
    Recording::load(file);
  } catch (const Error& error) {
    refused = error.errc() == Errc::bad_encoding;
  }
  expect(read_all(file) == bytes, "the file is as it was");
  expect(!fs::exists(file + "-journal") && !fs::exists(file + "-wal"), "there is nothing beside");
  return refused;
}

struct Route {
  static constexpr std::string_view content_type = "route/v1";
  std::vector<int> stops;
};

Content a_route() { return Content::of(Route{{1, 2, 3}}); }

class Poster final : public Agent {
 public:
  Task<> run() override {
    Post post("reader", a_route());
    post.header("colour", "red").header("size", "").conversation(7).reply_to("office");
    post.expires(2s).trace({1, 2, 3});
    co_await send(post);
    co_await send("reader", Content());
    co_await send("nobody/here", "lost");
  }
};

class Reader final : public Agent {
 public:
  Task<> run() override {
    for (int i = 0; i < 2; ++i) co_await receive();
  }
};

// Keeps its messages to the choir before an agent joins it.
class Singer final : public Agent {
 public:
  Task<> run() override {
    keep_last(group("choir"), 5);
    co_await multicast(group("choir"), "before");
    co_await send("late", "sung");
    co_await receive();
    co_await multicast(group("choir"), "after");
  }
};

class Latecomer final : public Agent {
 public:
  Task<> run() override {
    co_await receive();
    co_await join(group("choir"), last(5));
    co_await send("singer", "joined");
    for (int i = 0; i < 2; ++i) co_await receive();
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(everything_that_was_said_of_a_message_is_kept) {
  TemporaryFolder folder;
  {
    RecorderOptions options;
    options.notes = {{"author", "Anna"}};
    Recorder recorder(folder / "a.db", options);
    sim::World world = recorder.world();
    Node node(world.realization());
    node.create<Reader>("reader");
    node.create<Poster>("poster");
    node.wait();
  }
  const Recording recording = Recording::load(folder / "a.db");
  BOOST_TEST(recording.cut_off() == "");
  BOOST_TEST(recording.notes().at("author") == "Anna");
  BOOST_TEST(recording.realization() == "sim:seed=1");
  BOOST_REQUIRE(recording.messages().size() == 3u);
  const Said& first = recording.message(1);
  BOOST_TEST(first.source.str() == "poster");
  BOOST_TEST(first.target.str() == "reader");
  BOOST_TEST((first.content == a_route().text()));
  BOOST_TEST(first.type == "route/v1");
  BOOST_TEST(first.headers.size() == 2u);
  BOOST_TEST(first.headers[0].second == "red");
  BOOST_TEST(first.conversation == 7u);
  BOOST_TEST(first.reply_to.str() == "office");
  BOOST_TEST((first.deadline > first.at + 1s));
  BOOST_TEST((first.deadline <= first.at + 2s));
  BOOST_TEST((first.trace == TraceContext{1, 2, 3}));
  BOOST_TEST(recording.message(2).type == "");
  const auto last_of = [&](std::uint64_t id) {
    Happening what = Happening::accepted;
    for (const Happened& happened : recording.events()) {
      if (happened.message == id) what = happened.what;
    }
    return to_string(what);
  };
  BOOST_TEST(last_of(1) == std::string("consumed"));
  BOOST_TEST(last_of(3) == std::string("accepted"));
  expect_error(error_from([&] { recording.message(4); }), Errc::bad_options, "no such message");
  expect_error(error_from([&] { recording.message(0); }), Errc::bad_options, "no such message");
}

BOOST_AUTO_TEST_CASE(what_was_sent_to_a_group_before_somebody_joined_is_marked) {
  TemporaryFolder folder;
  {
    Recorder recorder(folder / "a.db");
    sim::World world = recorder.world();
    Node node(world.realization());
    node.create<Singer>("singer");
    node.create<Latecomer>("late");
    node.wait();
  }
  const Recording recording = Recording::load(folder / "a.db");
  std::vector<std::string> lines;
  for (const Said& said : recording.messages()) {
    BOOST_TEST(said.earlier == (said.content == "before"));
    lines.push_back(to_string(said));
  }
  const std::vector<std::string> expected = {
      "#1 singer -> late \"sung\"",
      "#2 singer -> late (by choir) (sent earlier) \"before\"",
      "#3 late -> singer \"joined\"",
      "#4 singer -> late (by choir) \"after\"",
  };
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_noticed_and_nothing_is_touched) {
  TemporaryFolder folder;
  record_market(folder / "good.db");
  const std::string good = read_all(folder / "good.db");
  BOOST_TEST(!is_refused(folder / "copy.db", good));
  std::size_t unnoticed = 0;
  // Flips all bits of the header, and one in two hundred bytes of the rest.
  for (std::size_t bit = 0; bit < good.size() * 8; bit += bit < 800 ? 1 : 1601) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    if (!is_refused(folder / "copy.db", bad)) ++unnoticed;
  }
  BOOST_TEST(unnoticed == 0u);
}

BOOST_AUTO_TEST_CASE(a_file_that_ends_too_early_is_refused) {
  TemporaryFolder folder;
  record_market(folder / "good.db");
  const std::string good = read_all(folder / "good.db");
  for (std::size_t size = 0; size < good.size(); size += size < 200 ? 1 : 1021) {
    BOOST_TEST(is_refused(folder / "copy.db", good.substr(0, size)), "cut at " << size);
  }
  write_all(folder / "copy.db", good.substr(0, 4096 * 3 + 1));
  const auto cut = error_from([&] { Recording::load(folder / "copy.db"); });
  BOOST_TEST(
      cut->sentence().find("it is cut off: of its " + std::to_string(good.size()) +
                           " bytes, 12289 are there; take another copy") != std::string::npos,
      cut->sentence());
  for (std::size_t size = 4096; size < good.size(); size += 4096) {
    BOOST_TEST(is_refused(folder / "copy.db", good.substr(0, size)), "cut at " << size);
  }
  BOOST_TEST(is_refused(folder / "copy.db", good + std::string(4096, '\0')), "too long");
  BOOST_TEST(is_refused(folder / "copy.db", good + "x"), "too long");
}

BOOST_AUTO_TEST_CASE(what_is_no_recording_is_refused_and_said_to_be_none) {
  TemporaryFolder folder;
  const std::string file = folder / "other";
  write_all(file, "a shopping list");
  const auto list = error_from([&] { Recording::load(file); });
  expect_error(list, Errc::bad_encoding, "a text");
  BOOST_TEST(list->sentence().find("no recording") != std::string::npos, list->sentence());
  fs::remove(file);
  write_all(file, "");
  {
    recording::Database other(file, recording::Database::Mode::write);
    other.run("CREATE TABLE messages(id INTEGER PRIMARY KEY)");
  }
  const std::string before = read_all(file);
  const auto database = error_from([&] { Recording::load(file); });
  expect_error(database, Errc::bad_encoding, "another database");
  BOOST_TEST(database->sentence().find("no recording") != std::string::npos);
  BOOST_TEST((read_all(file) == before));
  expect_error(error_from([&] { Recording::load(folder / "none"); }), Errc::no_such_file, "none");
  expect_error(error_from([&] { Recording::load(folder.path()); }), Errc::no_such_file, "folder");
}

BOOST_AUTO_TEST_CASE(a_recording_of_another_version_is_refused_and_left_alone) {
  TemporaryFolder folder;
  const std::string file = folder / "new.db";
  record_market(file);
  {
    recording::Database newer(file, recording::Database::Mode::write);
    newer.run("PRAGMA user_version = 2");
  }
  const std::string before = read_all(file);
  const auto error = error_from([&] { Recording::load(file); });
  expect_error(error, Errc::bad_encoding, "version 2");
  BOOST_TEST(error->sentence().find("version 2") != std::string::npos, error->sentence());
  BOOST_TEST((read_all(file) == before));
}

BOOST_AUTO_TEST_CASE(a_row_that_somebody_changed_is_noticed_even_without_a_seal) {
  TemporaryFolder folder;
  const std::string file = folder / "open.db";
  record_market(file);
  const std::string seal = "UPDATE seal SET value = 'coracle-seal:0000000000000000'";
  {
    recording::Database database(file, recording::Database::Mode::write);
    database.run(seal.c_str());
  }
  BOOST_TEST(!Recording::load(file).complete());
  for (const char* change :
       {"UPDATE messages SET content = 'x' WHERE id = 2", "DELETE FROM events WHERE id = 3",
        "UPDATE notes SET value = '2' WHERE key = 'sim.seed'", "DELETE FROM choices",
        "UPDATE account SET digest = 1 WHERE name = 'notes'", "DROP TABLE events",
        "ALTER TABLE notes RENAME TO old; CREATE VIEW notes AS SELECT * FROM old",
        "UPDATE events SET what = 'sang' WHERE id = 1"}) {
    fs::copy_file(file, folder / "copy.db", fs::copy_options::overwrite_existing);
    {
      recording::Database database(folder / "copy.db", recording::Database::Mode::write);
      database.run(change);
    }
    BOOST_TEST(is_refused(folder / "copy.db", read_all(folder / "copy.db")), change);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_there_is_not_written_over) {
  TemporaryFolder folder;
  write_all(folder / "mine", "precious");
  expect_error(error_from([&] { Recorder recorder(folder / "mine"); }), Errc::file_exists, "mine");
  BOOST_TEST(read_all(folder / "mine") == "precious");
  expect_error(error_from([&] { Recorder recorder(folder / "no/such/x.db"); }), Errc::no_such_file,
               "no folder");
  RecorderOptions tiny;
  tiny.file_bytes = 100;
  expect_error(error_from([&] { Recorder recorder(folder / "tiny.db", tiny); }), Errc::bad_options,
               "too small");
  BOOST_TEST(!fs::exists(folder / "tiny.db"));
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_grow_is_said_and_the_society_goes_on) {
  TemporaryFolder folder;
  RecorderOptions options;
  options.file_bytes = 128 << 10;
  Recorder recorder(folder / "full.db", options);
  sim::World world = recorder.world();
  std::vector<std::string> book;
  hold_market(world, 300, &book);
  BOOST_TEST(book.size() == 301u);
  expect_error(error_from([&] { recorder.close(); }), Errc::disk_full, "closing");
  BOOST_TEST(recorder.failure().find("full.db") != std::string::npos, recorder.failure());
  const Recording recording = Recording::load(folder / "full.db");
  BOOST_TEST(!recording.complete());
  const std::size_t count = recording.messages().size();
  const std::string last =
      count == 0 ? "before any message" : "after message " + std::to_string(count);
  BOOST_TEST(recording.cut_off().find("ends in the middle, " + last + ":") == 14u,
             recording.cut_off());
}

BOOST_AUTO_TEST_CASE(a_small_buffer_loses_nothing) {
  TemporaryFolder folder;
  RecorderOptions options;
  options.buffer_bytes = 1;
  {
    Recorder recorder(folder / "slow.db", options);
    sim::World world = recorder.world();
    hold_market(world, 3);
  }
  record_market(folder / "fast.db", 3);
  const Recording slow = Recording::load(folder / "slow.db");
  const Recording fast = Recording::load(folder / "fast.db");
  BOOST_TEST((slow.messages() == fast.messages()));
  BOOST_TEST((slow.events() == fast.events()));
  BOOST_TEST((slow.choices() == fast.choices()));
}

BOOST_AUTO_TEST_CASE(a_program_that_dies_leaves_what_it_had_written) {
  TemporaryFolder folder;
  const std::string file = folder / "died.db";
  const pid_t child = ::fork();
  if (child == 0) {
    recording::RecorderOptions options;
    options.buffer_bytes = 1;
    Recorder recorder(file, options);
    sim::World world = recorder.world();
    hold_market(world, 5);
    ::_exit(0);  // without closing
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  const Recording recording = Recording::load(file);
  BOOST_TEST(!recording.complete());
  BOOST_TEST(recording.messages().size() > 5u);
}

BOOST_AUTO_TEST_CASE(a_transaction_that_was_cut_off_is_undone_in_a_copy) {
  TemporaryFolder folder;
  const std::string file = folder / "cut.db";
  record_market(file, 20);
  const std::string whole = read_all(file);
  {
    recording::Database database(file, recording::Database::Mode::write);
    database.run("PRAGMA cache_size = 1; BEGIN; DELETE FROM events; UPDATE messages SET at = 1;");
    fs::copy_file(file, folder / "half.db");
    fs::copy_file(file + "-journal", folder / "half.db-journal");
  }
  const std::string half = read_all(folder / "half.db");
  const std::string journal = read_all(folder / "half.db-journal");
  BOOST_TEST((half != whole));
  const Recording recording = Recording::load(folder / "half.db");
  BOOST_TEST(recording.events().size() > 20u);
  BOOST_TEST((read_all(folder / "half.db") == half));
  BOOST_TEST((read_all(folder / "half.db-journal") == journal));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
