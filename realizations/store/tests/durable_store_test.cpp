// A store as its server uses it.
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/tests/support/files.hpp"
#include "support/script.hpp"
#include "support/store_player.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <mutex>

namespace coracle::store::test {
namespace {

using net::CrashDisk;
using net::SeededRandom;
using net::SimDisk;
using net::test::errc;
using namespace std::chrono_literals;

// A store on a simulated disk.
struct Bench {
  explicit Bench(net::SimDiskOptions disk = {}) : sim(random, disk) { open(); }

  void open() {
    store.reset();
    store = DurableStore::open(sim.disk(), options, random, now).value();
  }
  void cut_power() {
    store.reset();
    sim.crash(CrashDisk::lose);
    open();
  }
  Result<MessageId> put(std::string_view queue, std::string_view content,
                        Duration time_to_live = Duration::max()) {
    Incoming message;
    message.queue = queue;
    message.header = bytes_of("h");
    message.content = bytes_of(content);
    message.time_to_live = time_to_live;
    return store->messages().store(message, now);
  }
  void pass(Duration span) {
    now += span;
    store->pump(now);
  }
  std::string content(MessageId id) {
    std::string text = "(nothing)";
    store->fetch(
        id, [&](Result<Bytes> bytes) { text = bytes ? std::string(text_of(*bytes)) : "(failed)"; });
    store->pump(now);
    return text;
  }

  SeededRandom random{5};
  SimDisk sim;
  DurableOptions options = small_options();
  Time now{};
  std::unique_ptr<DurableStore> store;
};

BOOST_AUTO_TEST_SUITE(durable_store)

BOOST_AUTO_TEST_CASE(everything_is_there_after_the_power_was_cut) {
  Bench bench;
  const auto one = bench.put("bob", "hello").value(), two = bench.put("bob", "again").value();
  const auto three = bench.put("ann", "hi").value();
  bench.store->messages().deliver(one).value();
  bench.store->messages().finish(std::vector{two}).value();
  Registration bob;
  bob.incarnation = 7;
  bob.lease = 30s;
  bob.owner = "cert:bob";
  bob.details = Bytes(3);
  bench.store->messages().put_registration("bob", bob).value();
  bench.store->messages().join("choir", "bob").value();
  bench.store->messages().join("choir", "ann").value();
  bench.store->messages().leave("choir", "ann").value();
  bench.pass(0s);
  bench.cut_power();
  const MessageStore& messages = bench.store->messages();
  BOOST_TEST(messages.messages() == 2u);
  BOOST_TEST(messages.find(one)->deliveries == 1u);
  BOOST_TEST(messages.find(three)->deliveries == 0u);
  BOOST_TEST(messages.find(two) == nullptr);
  BOOST_TEST(bench.content(one) == "hhello");
  BOOST_TEST(messages.find(one)->header_bytes == 1u);
  const Registration& found = *messages.registration("bob");
  BOOST_TEST(found.incarnation == 7u);
  BOOST_TEST((found.lease == 30s));
  BOOST_TEST(found.owner == "cert:bob");
  BOOST_TEST(found.details.size() == 3u);
  BOOST_TEST((messages.members("choir") == std::vector<std::string>{"bob"}));
  BOOST_TEST(!bench.store->report().ended_in_order);
}

BOOST_AUTO_TEST_CASE(what_was_not_synced_is_not_promised) {
  Bench bench;
  const auto id = bench.put("bob", "hello").value();
  BOOST_TEST(bench.store->durable() < id);
  bench.pass(0s);
  BOOST_TEST(bench.store->durable() == id);
  const auto lost = bench.put("bob", "lost").value();
  bench.cut_power();
  BOOST_TEST(bench.store->messages().find(lost) == nullptr);
  BOOST_TEST(bench.put("bob", "new").value() > lost, "a number is not given twice");
}

BOOST_AUTO_TEST_CASE(many_changes_cost_one_sync) {
  Bench bench;
  bench.sim.take_latency();
  for (int i = 0; i < 100; ++i) bench.put("bob", "x").value();
  bench.pass(0s);
  BOOST_TEST((bench.sim.take_latency() < 10ms), "a sync takes 1 to 8 ms");
}

BOOST_AUTO_TEST_CASE(a_store_that_is_closed_says_so_at_the_next_start) {
  Bench bench;
  BOOST_TEST(bench.store->report().fresh);
  bench.put("bob", "x").value();
  bench.store->close(bench.now).value();
  bench.cut_power();
  BOOST_TEST(bench.store->report().ended_in_order);
  BOOST_TEST(!bench.store->report().fresh);
  BOOST_TEST(bench.store->messages().messages() == 1u);
}

BOOST_AUTO_TEST_CASE(time_to_live_counts_only_while_the_store_runs) {
  Bench bench;
  const auto id = bench.put("bob", "x", 10s).value();
  for (int i = 0; i < 4; ++i) bench.pass(1s);
  bench.cut_power();
  bench.now += 100h;  // the store is down meanwhile
  bench.open();
  const StoredMessage& message = *bench.store->messages().find(id);
  BOOST_TEST((bench.store->messages().left_of(message, bench.now) == 6s));
  BOOST_TEST(bench.store->messages().expire(bench.now + 5s, 9).value().empty());
  BOOST_TEST((bench.store->messages().next_expiry() == bench.now + 6s));
  BOOST_TEST((bench.store->messages().expire(bench.now + 6s, 9).value() == std::vector{id}));
  bench.pass(6s);
  bench.cut_power();
  BOOST_TEST(bench.store->messages().messages() == 0u);
}

BOOST_AUTO_TEST_CASE(long_contents_stay_on_the_disk) {
  Bench bench;
  const std::string text(3000, 'x');
  const auto id = bench.put("bob", text).value();
  BOOST_TEST(bench.content(id) == "h" + text, "before it is on the disk");
  bench.pass(0s);
  BOOST_TEST(bench.store->messages().find(id)->in_memory.empty());
  BOOST_TEST(bench.content(id) == "h" + text);
  bench.cut_power();
  BOOST_TEST(bench.store->messages().find(id)->in_memory.empty());
  BOOST_TEST(bench.content(id) == "h" + text);
  const auto& place = bench.store->messages().find(id)->place;
  bench.sim.flip_bit(segment_name(place.segment), 8 * (place.offset + 1000));
  BOOST_TEST(bench.content(id) == "(failed)", "never anything else");
  BOOST_TEST(bench.content(id + 1) == "(failed)");
}

BOOST_AUTO_TEST_CASE(segments_go_when_nothing_in_them_is_needed_and_one_old_message_holds_none) {
  Bench bench;
  const auto old = bench.put("absent", "old").value();
  for (int i = 0; i < 500; ++i) {
    const auto id = bench.put("bob", std::string(100, 'x')).value();
    bench.pass(1ms);
    bench.store->messages().finish(std::vector{id}).value();
    bench.pass(1ms);
  }
  BOOST_TEST(bench.store->journal().segments().size() <= 4u);
  BOOST_TEST(bench.sim.used() < 20'000u + bench.options.journal.reserve_bytes);
  bench.cut_power();
  BOOST_TEST(bench.content(old) == "hold");
  BOOST_TEST(bench.store->messages().messages() == 1u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_refuses_messages_while_consumers_drain_and_recovers) {
  net::SimDiskOptions disk;
  disk.capacity = 100'000;
  Bench bench(disk);
  std::vector<MessageId> ids;
  for (;;) {
    const auto id = bench.put("bob", std::string(1000, 'x'));
    if (!id) {
      BOOST_TEST((errc(id) == Errc::disk_full));
      break;
    }
    ids.push_back(*id);
    bench.pass(1ms);
  }
  BOOST_TEST(ids.size() > 50u);
  BOOST_TEST(bench.store->full());
  BOOST_TEST(bench.store->durable() == bench.store->journal().last(),
             "all that was taken is there");
  bench.cut_power();  // a restart works with a full disk
  BOOST_TEST(bench.store->messages().messages() == ids.size());
  for (const MessageId id : ids) {
    const auto done = bench.store->messages().finish(std::vector{id});
    BOOST_REQUIRE(done.has_value());
    bench.pass(1ms);
    BOOST_REQUIRE(bench.store->durable() >= *done);
  }
  for (int i = 0; i < 10; ++i) bench.pass(1ms);
  BOOST_TEST(!bench.store->full());
  BOOST_TEST(bench.put("bob", "again").has_value());
}

// Such a store would accept messages, and store none.
BOOST_AUTO_TEST_CASE(a_disk_that_has_never_had_room_is_refused_with_the_figure) {
  const std::uint64_t wanted = Bench().options.journal.reserve_bytes;
  net::SimDiskOptions disk;
  disk.capacity = wanted / 2;
  const auto is_clear = [wanted](const Error& error) {
    const std::string figure = std::to_string(wanted);
    return error.errc() == Errc::disk_full &&
           error.sentence().find("of the " + figure) != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(Bench bench(disk), Error, is_clear);
}

BOOST_AUTO_TEST_CASE(a_full_disk_recovers_when_somebody_makes_room) {
  Bench bench;
  bench.put("bob", "x").value();
  bench.pass(1ms);
  bench.sim.set_capacity(bench.sim.used());
  std::size_t taken = 0;
  while (bench.put("bob", std::string(200, 'y'))) bench.pass(1ms), ++taken;
  for (int i = 0; i < 5; ++i) bench.pass(1s);
  BOOST_TEST((errc(bench.put("bob", "z")) == Errc::disk_full));
  bench.sim.set_capacity(64u << 20);
  bench.pass(bench.options.retry);
  BOOST_TEST(bench.put("bob", "z").has_value());
  bench.pass(1ms);
  bench.cut_power();
  BOOST_TEST(bench.store->messages().messages() == taken + 2);
}

BOOST_AUTO_TEST_CASE(after_a_failed_sync_nothing_is_promised_until_a_restart) {
  Bench bench;
  bench.put("bob", "kept").value();
  bench.pass(0s);
  const Sequence durable = bench.store->durable();
  bench.put("bob", "not").value();
  bench.sim.fail_next_sync();
  bench.pass(0s);
  BOOST_REQUIRE(bench.store->failure().has_value());
  BOOST_TEST((bench.store->failure()->errc() == Errc::disk_failed));
  BOOST_TEST((errc(bench.put("bob", "more")) == Errc::disk_failed));
  bench.pass(1h);
  BOOST_TEST(bench.store->durable() == durable);
  BOOST_TEST((errc(bench.store->close(bench.now)) == Errc::disk_failed));
  bench.cut_power();
  BOOST_TEST(bench.store->messages().messages() >= 1u);
  BOOST_TEST(!bench.store->failure().has_value());
}

BOOST_AUTO_TEST_CASE(two_processes_do_not_share_a_folder) {
  const coracle::test::TemporaryFolder folder;
  const auto first = posix_disk(folder / "data").value();
  SeededRandom random(1);
  const auto store = DurableStore::open(*first, {}, random, Time()).value();
  BOOST_TEST((errc(posix_disk(folder / "data")) == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(the_machines_disk_and_a_thread_of_its_own) {
  const coracle::test::TemporaryFolder folder;
  SeededRandom random(1);
  StoreModel model;
  Picture before;
  for (int life = 0; life < 3; ++life) {
    const auto disk = posix_disk(folder / "data").value();
    std::mutex mutex;
    std::condition_variable changed;
    int woken = 0;
    DurableOptions options = small_options();
    options.worker = [&](auto files) {
      return thread_worker(std::move(files), [&] {
        const std::lock_guard lock(mutex);
        ++woken;
        changed.notify_one();
      });
    };
    const auto store = DurableStore::open(*disk, options, random, Time()).value();
    BOOST_TEST(store->report().damages.empty());
    BOOST_TEST((picture_of(*store, Time()) == before));
    play_script(*store, model, 60);
    if (life == 0) {
      const Sequence last = store->journal().last();
      while (store->durable() < last && !store->failure()) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return woken > 0; });
        woken = 0;
        lock.unlock();
        store->pump(Time());
      }
    } else {
      store->close(Time()).value();
    }
    BOOST_TEST(!store->failure().has_value());
    before = picture_of(*store, Time());
    BOOST_TEST((before == model.now()));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
