// The program is killed, on the machine's own disk.
#include "realizations/net/src/seeded_random.hpp"
#include "support/store_player.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <set>

namespace coracle::store::test {
namespace {

using coracle::test::TemporaryFolder;
using net::SeededRandom;

// The child's report before or after an action.
struct Said {
  enum What : std::uint64_t { appended, stored, finishing, finished } what = appended;
  MessageId id = 0;
};

void say(int pipe, Said said) {
  if (::write(pipe, &said, sizeof said) != sizeof said) ::_exit(3);  // pipes write it whole
}

// Stores and finishes messages for ever.
[[noreturn]] void run_child(const std::string& folder, std::uint64_t seed, int pipe) {
  const auto disk = posix_disk(folder).value();
  SeededRandom random(seed);
  std::mutex mutex;
  std::condition_variable changed;
  bool rung = false;
  DurableOptions options = small_options();
  options.journal.segment_bytes = 64u << 10;
  options.worker = [&](auto files) {
    return thread_worker(std::move(files), [&] {
      const std::lock_guard lock(mutex);
      rung = true;
      changed.notify_one();
    });
  };
  const auto store = DurableStore::open(*disk, options, random, Time()).value();
  std::deque<std::pair<Sequence, Said>> under_way;
  for (;;) {
    for (auto i = net::between(random, 1, 20); i > 0; --i) {
      Incoming message;
      const std::string content(net::between(random, 0, 500), 'x');
      message.queue = "bob";
      message.content = bytes_of(content);
      if (const auto id = store->messages().store(message, Time())) {
        say(pipe, {Said::appended, *id});
        under_way.push_back({*id, {Said::stored, *id}});
      }
    }
    const MessageQueue* queue = store->messages().queue("bob");
    for (auto i = net::between(random, 0, 20); i > 0 && queue != nullptr; --i) {
      const MessageId id = queue->first->id;
      say(pipe, {Said::finishing, id});
      under_way.push_back(
          {store->messages().finish(std::vector{id}).value(), {Said::finished, id}});
      queue = store->messages().queue("bob");
    }
    store->pump(Time());
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return rung; });
    rung = false;
    lock.unlock();
    store->pump(Time());
    if (store->failure()) ::_exit(4);
    for (; !under_way.empty() && under_way.front().first <= store->durable(); under_way.pop_front())
      say(pipe, under_way.front().second);
  }
}

// The reports of all children.
struct Heard {
  std::set<MessageId> appended, stored, finishing, finished;

  void hear(const Said& said) {
    switch (said.what) {
      case Said::appended:
        appended.insert(said.id);
        break;
      case Said::stored:
        stored.insert(said.id);
        break;
      case Said::finishing:
        finishing.insert(said.id);
        break;
      case Said::finished:
        finished.insert(said.id);
        break;
    }
  }
};

// Lets a child run until it has made so many reports, then kills it.
void run_and_kill(const std::string& folder, std::uint64_t seed, Heard& heard) {
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    try {
      run_child(folder, seed, ends[1]);
    } catch (...) {
      ::_exit(5);
    }
  }
  ::close(ends[1]);
  SeededRandom random(seed);
  Said said;
  for (auto left = net::between(random, 1, 600); left > 0; --left) {
    if (::read(ends[0], &said, sizeof said) != sizeof said) break;
    heard.hear(said);
  }
  ::kill(child, SIGKILL);
  while (::read(ends[0], &said, sizeof said) == sizeof said) heard.hear(said);
  ::close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_REQUIRE_MESSAGE(WIFSIGNALED(status), "the child ended by itself: " << WEXITSTATUS(status));
}

BOOST_AUTO_TEST_SUITE(store_kill)

BOOST_AUTO_TEST_CASE(what_was_stored_survives_kill_minus_nine) {
  const TemporaryFolder folder;
  Heard heard;
  const char* text = std::getenv("CORACLE_STORE_KILLS");
  const std::uint64_t kills = text != nullptr ? std::strtoull(text, nullptr, 10) : 30;
  for (std::uint64_t kill = 0; kill < kills; ++kill) {
    run_and_kill(folder / "data", kill, heard);
    const auto disk = posix_disk(folder / "data").value();
    SeededRandom random(kill);
    const auto store = DurableStore::open(*disk, small_options(), random, Time()).value();
    BOOST_REQUIRE(store->report().damages.empty());
    for (const MessageId id : heard.stored)
      if (!heard.finishing.contains(id)) BOOST_REQUIRE(store->messages().find(id) != nullptr);
    for (const MessageId id : heard.finished) BOOST_REQUIRE(store->messages().find(id) == nullptr);
    const MessageQueue* queue = store->messages().queue("bob");
    MessageId last = 0;
    for (const StoredMessage* each = queue == nullptr ? nullptr : queue->first; each != nullptr;
         each = each->next) {
      BOOST_REQUIRE(heard.appended.contains(each->id));
      BOOST_REQUIRE(each->id > last);
      last = each->id;
    }
  }
  BOOST_TEST(heard.stored.size() > kills * 10);
  BOOST_TEST(heard.finished.size() > kills * 10);
  BOOST_TEST_MESSAGE(kills << " kills, " << heard.stored.size() << " stored, "
                           << heard.finished.size() << " finished");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
