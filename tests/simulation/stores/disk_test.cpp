// Hosts have disks: data that was synced is there after every crash, whatever else goes wrong with
// the disks.
#include "nodes.hpp"
#include "store/durable_store.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <set>

namespace coracle::test {

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string content_of(Disk& disk, std::string_view path) {
  const auto file = disk.open(path, Disk::Open::existing).value();
  std::string text(file->size().value(), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))).value());
  return text;
}

// Syncs "kept", appends " and not kept", and lets the host crash.
std::string left_after(sim::World& world, const std::function<void()>& crash) {
  const auto file = world.disk(1).open("log", Disk::Open::new_one).value();
  file->append(bytes_of("kept")).value();
  file->sync().value();
  world.disk(1).sync_folder("").value();
  file->append(bytes_of(" and not kept")).value();
  crash();
  expect_error(file->append(bytes_of("x")).error(), Errc::stopped, "what was opened before");
  return content_of(world.disk(1), "log");
}

sim::Options two_hosts(std::uint64_t seed = 1) {
  sim::Options options;
  options.seed = seed;
  options.nodes = 2;
  return options;
}

store::DurableOptions small_store() {
  store::DurableOptions options;
  options.journal.segment_bytes = 4096;
  options.journal.reserve_bytes = 8192;
  options.journal.record_bytes = 2048;
  return options;
}

// Stores the texts of requests, and replies when the text is on the disk.
Body store(sim::World& world, unsigned host, std::uint64_t& failures) {
  return [&world, host, &failures](Agent& me) -> Task<> {
    auto opened =
        store::DurableStore::open(world.disk(host), small_store(), world.random(), me.now());
    if (!opened) {
      ++failures;
      co_return;
    }
    const std::unique_ptr<store::DurableStore> store = std::move(*opened);
    for (;;) {
      const Message letter = co_await me.receive();
      store::Incoming incoming;
      incoming.queue = "letters";
      incoming.content = bytes_of(letter.text());
      const auto stored = store->messages().store(incoming, me.now());
      store->pump(me.now());
      if (stored && store->durable() >= *stored) co_await me.reply(letter, "stored");
      else ++failures;
    }
  };
}

// Requests the storing of texts, and notes the texts whose storing was confirmed.
Body client(std::set<std::string>& confirmed) {
  return [&confirmed](Agent& me) -> Task<> {
    for (int number = 0;; ++number) {
      const std::string text = "letter " + std::to_string(number);
      const Result<Message> reply = co_await me.ask_result("keeper", text, 100ms);
      if (reply) confirmed.insert(text);
      else co_await me.pause(1ms);
    }
  };
}

// The texts in the store on that disk. Opening the store takes syncs, which may fail.
std::set<std::string> stored_on(sim::World& world, unsigned host) {
  std::unique_ptr<store::DurableStore> store;
  while (store == nullptr) {
    auto opened =
        store::DurableStore::open(world.disk(host), small_store(), world.random(), Time{});
    if (opened) store = std::move(*opened);
    else world.crash(host);
  }
  std::set<std::string> texts;
  const store::MessageQueue* const queue = store->messages().queue("letters");
  if (queue == nullptr) return texts;
  for (const auto* each = queue->first; each != nullptr; each = each->next) {
    store->fetch(each->id, [&](Result<store::Bytes> bytes) {
      texts.emplace(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
    });
    store->pump(Time{});
  }
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(disk)

BOOST_AUTO_TEST_CASE(a_crash_keeps_loses_or_tears_what_was_not_synced) {
  std::set<std::string> torn;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sim::World keeping(two_hosts(seed)), losing(two_hosts(seed)), either(two_hosts(seed));
    const auto crash = [](sim::World& world, sim::CrashDisk how) {
      return [&world, how] { world.crash(1, how); };
    };
    BOOST_TEST(left_after(keeping, crash(keeping, sim::CrashDisk::keep)) == "kept and not kept");
    BOOST_TEST(left_after(losing, crash(losing, sim::CrashDisk::lose)) == "kept");
    const std::string left = left_after(either, [&either] { either.crash(1); });
    BOOST_TEST(left.starts_with("kept"), "seed " << seed << ": " << left);
    torn.insert(left);
  }
  BOOST_TEST(torn.size() > 5u, "a seed decides what is left");
  BOOST_TEST(torn.contains("kept"));
  BOOST_TEST(torn.contains("kept and not kept"));
}

BOOST_AUTO_TEST_CASE(the_same_seed_tears_the_same_bytes) {
  const auto left = [](std::uint64_t seed) {
    sim::World world(two_hosts(seed));
    return left_after(world, [&world] { world.crash(1); });
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) BOOST_TEST(left(seed) == left(seed));
}

BOOST_AUTO_TEST_CASE(what_a_disk_does_takes_its_hosts_node_time_and_nobody_elses) {
  sim::Options options = two_hosts();
  options.disk.sync_least = options.disk.sync_most = 1s;
  sim::World world(options);
  Proceedings proceedings;
  Node first(world.realization(0)), second(world.realization(1));
  Time here{}, there{};
  const Time began = world.now();
  const Body waking = [&here](Agent& me) -> Task<> {
    co_await me.pause(1ms);
    here = me.now();
  };
  const Body syncing = [&world, &there](Agent& me) -> Task<> {
    const auto file = world.disk(1).open("log", Disk::Open::new_one).value();
    file->sync().value();
    co_await me.yield();
    co_await me.pause(1ms);
    there = me.now();
  };
  first.adopt("here", std::make_unique<Actor>(waking, proceedings));
  second.adopt("there", std::make_unique<Actor>(syncing, proceedings));
  world.run_until([&] { return here != Time{} && there != Time{}; }, Deadline(10s));
  BOOST_TEST((here - began < 500ms));
  BOOST_TEST((there - began >= 1s));
}

BOOST_AUTO_TEST_CASE(a_full_disk_and_a_failed_sync_are_said) {
  sim::World world(two_hosts());
  world.set_capacity(1, 4);
  const auto file = world.disk(1).open("log", Disk::Open::new_one).value();
  expect_error(file->append(bytes_of("12345")).error(), Errc::disk_full, "too much");
  BOOST_TEST(content_of(world.disk(1), "log") == "1234");
  world.fail_next_sync(1);
  expect_error(file->sync().error(), Errc::disk_failed, "the sync");
  expect_error(file->sync().error(), Errc::disk_failed, "the next one");
  world.crash(1, sim::CrashDisk::keep);
  const auto again = world.disk(1).open("log", Disk::Open::existing).value();
  BOOST_TEST(again->sync().has_value());
  expect_error(error_from([&] { (void)world.disk(2); }), Errc::bad_options, "a third host");
}

BOOST_AUTO_TEST_CASE(a_store_on_a_hosts_disk_keeps_what_it_has_confirmed) {
  std::uint64_t crashes = 0, letters = 0, failures = 0;
  for (std::uint64_t seed = 1; seed <= 60u / slowness; ++seed) {
    sim::Options options = two_hosts(seed);
    options.disk.failed_syncs = seed % 2 == 0 ? 3 : 0;
    options.disk.full = seed % 3 == 0 ? 3 : 0;
    sim::World world(options);
    Proceedings proceedings;
    std::set<std::string> confirmed;
    Node first(world.realization(0));
    auto second = std::make_unique<Node>(world.realization(1));
    const auto begin = [&] {
      AgentSpec spec("keeper");
      spec.take_over();
      second->adopt(spec, std::make_unique<Actor>(store(world, 1, failures), proceedings));
    };
    begin();
    first.adopt("client", std::make_unique<Actor>(client(confirmed), proceedings));
    for (int life = 0; life < 5; ++life) {
      world.run_for(std::chrono::milliseconds(50 + world.random().next() % 500));
      world.crash(1);
      ++crashes;
      second.reset();
      const std::set<std::string> there = stored_on(world, 1);
      for (const std::string& text : confirmed) {
        BOOST_TEST_REQUIRE(there.contains(text), "seed " << seed << ": " << text << " is lost");
      }
      second = std::make_unique<Node>(world.realization(1));
      begin();
    }
    letters += confirmed.size();
  }
  std::cout << letters << " letters stored through " << crashes << " crashes, " << failures
            << " failures of the disk\n";
  BOOST_TEST(letters > crashes);
  BOOST_TEST(failures > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
