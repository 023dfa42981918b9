#include "store_player.hpp"

#include <fmt/format.h>

#include <chrono>
#include <deque>

namespace coracle::store::test {

using net::between;
using net::chance;
using net::CrashDisk;
using net::SimDiskOptions;
using namespace std::chrono_literals;

namespace {

class LateWorker final : public DiskWorker {
 public:
  LateWorker(std::unique_ptr<DiskWorker> worker, Random& random)
      : worker_(std::move(worker)), random_(random) {}

  void submit(Work work) override { work_.push_back(std::move(work)); }
  std::optional<WorkDone> poll() override {
    if (work_.empty() || chance(random_, 60)) return std::nullopt;
    worker_->submit(std::move(work_.front()));
    work_.pop_front();
    return worker_->poll();
  }
  void wait() override {}

 private:
  std::unique_ptr<DiskWorker> worker_;
  Random& random_;
  std::deque<Work> work_;
};

SimDiskOptions drawn(Random& random) {
  SimDiskOptions options;
  options.sector = chance(random, 50) ? 512 : 64;
  options.capacity = chance(random, 40) ? between(random, 60'000, 200'000) : 64u << 20;
  if (chance(random, 30)) options.full = static_cast<unsigned>(between(random, 1, 10));
  if (chance(random, 40)) options.failed_syncs = static_cast<unsigned>(between(random, 1, 5));
  return options;
}

}  // namespace

std::unique_ptr<DiskWorker> late_worker(std::unique_ptr<SegmentFiles> files, Random& random) {
  return std::make_unique<LateWorker>(inline_worker(std::move(files)), random);
}

DurableOptions small_options() {
  DurableOptions options;
  options.journal.segment_bytes = 4096;
  options.journal.pending_bytes = 32u << 10;
  options.journal.record_bytes = 8u << 10;
  options.journal.reserve_bytes = 16u << 10;
  options.messages.in_memory_bytes = 256;
  options.retry = 1ms;
  options.clean_bytes = 1024;
  return options;
}

StorePlayer::StorePlayer(std::uint64_t seed) : random_(seed), sim_(random_, drawn(random_)) {
  options_ = small_options();
  if (chance(random_, 70))
    options_.worker = [this](auto files) { return late_worker(std::move(files), random_); };
}

void StorePlayer::fault(const std::string& what) {
  if (verdict_.empty()) verdict_ = fmt::format("life {}: {}", seen_.lives, what);
}

// Begins a run of the program; returns false when it ended at once.
bool StorePlayer::open() {
  const std::uint64_t left = chance(random_, 20)   ? between(random_, 0, 12)
                             : chance(random_, 75) ? between(random_, 0, 150)
                                                   : ~std::uint64_t{0};
  disk_ = std::make_unique<CuttingDisk>(sim_.disk(), left);
  auto opened = DurableStore::open(*disk_, options_, random_, now_);
  if (!opened) {
    const Errc errc = opened.error().errc();
    if (errc == Errc::stopped) ++seen_.died_in_recovery;
    if (errc == Errc::disk_full) sim_.set_capacity(64u << 20);  // room has been made on the disk
    if (errc != Errc::stopped && errc != Errc::disk_full && errc != Errc::disk_failed)
      fault("cannot open: " + opened.error().sentence());
    return false;
  }
  store_ = std::move(*opened);
  for (const Damage& each : store_->report().damages) fault("damage: " + each.what);
  if (store_->report().torn_bytes > 0) ++seen_.torn;
  oldest_ = store_->journal().segments().front().number;
  const Picture found = picture_of(*store_, now_);
  if (disk_->dead()) return false;  // during the check
  if (const std::string verdict = model_.restart(found); !verdict.empty()) fault(verdict);
  return true;
}

void StorePlayer::pump() {
  store_->pump(now_);
  model_.on_durable(store_->durable());
  const std::uint32_t oldest = store_->journal().segments().front().number;
  seen_.cleaned += oldest - oldest_;
  oldest_ = oldest;
}

const StoredMessage* StorePlayer::any_message() {
  const auto& queues = store_->messages().queues();
  if (queues.empty()) return nullptr;
  const std::string name = fmt::format("q{}", between(random_, 0, 4));
  const MessageQueue* queue = store_->messages().queue(name);
  if (queue == nullptr) return nullptr;
  const StoredMessage* message = queue->first;
  for (auto i = between(random_, 0, 3); i > 0 && message->next != nullptr; --i)
    message = message->next;
  return message;
}

void StorePlayer::store_one() {
  const std::string queue = fmt::format("q{}", between(random_, 0, 4));
  std::string content(chance(random_, 10) ? between(random_, 0, 3000) : between(random_, 0, 200),
                      '\0');
  for (char& each : content) each = static_cast<char>('a' + random_.next() % 26);
  Incoming message;
  message.queue = queue;
  message.content = bytes_of(content);
  message.handed_out = chance(random_, 10);
  if (chance(random_, 30)) message.time_to_live = between(random_, Duration(1ms), Duration(2s));
  const auto id = store_->messages().store(message, now_);
  if (!id) {
    ++seen_.refused;
    return;
  }
  ++seen_.stored;
  model_.add(*id, StoreModel::stored(*id, queue, content, message.handed_out ? 1 : 0));
}

void StorePlayer::finish_some() {
  std::vector<MessageId> ids;
  for (auto i = between(random_, 1, 4); i > 0; --i)
    if (const StoredMessage* message = any_message()) ids.push_back(message->id);
  if (ids.empty()) return;
  if (const auto done = store_->messages().finish(ids))
    model_.add(*done, StoreModel::finished(ids));
}

void StorePlayer::change_registry() {
  MessageStore& messages = store_->messages();
  const std::string name = fmt::format("n{}", between(random_, 0, 9));
  const std::string group = fmt::format("g{}", between(random_, 0, 2));
  switch (between(random_, 0, 3)) {
    case 0: {
      Registration value;
      value.incarnation = between(random_, 1, 9);
      value.owner = "ann";
      value.present = chance(random_, 70);
      if (const auto done = messages.put_registration(name, value))
        model_.add(*done,
                   StoreModel::put("name " + name,
                                   fmt::format("{} ann {}", value.incarnation, value.present)));
      break;
    }
    case 1:
      if (const auto done = messages.forget_registration(name))
        model_.add(*done, StoreModel::gone("name " + name));
      break;
    case 2:
      if (const auto done = messages.join(group, name))
        model_.add(*done, StoreModel::put("member " + group + " " + name, ""));
      break;
    default:
      if (const auto done = messages.leave(group, name))
        model_.add(*done, StoreModel::gone("member " + group + " " + name));
  }
}

void StorePlayer::act() {
  now_ += between(random_, Duration(10us), Duration(20ms));
  const auto dice = between(random_, 0, 99);
  if (dice < 45) {
    store_one();
  } else if (dice < 70) {
    finish_some();
  } else if (dice < 76) {
    const StoredMessage* message = any_message();
    const MessageId id = message != nullptr ? message->id : 0;
    const auto done = store_->messages().deliver(id);
    if (done && id != 0) model_.add(*done, StoreModel::delivered(id));
  } else if (dice < 88) {
    change_registry();
  } else if (dice < 92) {
    const auto ids = store_->messages().expire(now_, between(random_, 0, 5));
    if (ids && !ids->empty()) model_.add(store_->journal().last(), StoreModel::finished(*ids));
  } else if (dice < 94) {
    sim_.set_capacity(chance(random_, 50) ? sim_.used() : 64u << 20);
  }
  if (chance(random_, 40)) pump();
}

void StorePlayer::live() {
  ++seen_.lives;
  for (auto steps = between(random_, 1, 250); steps > 0; --steps) {
    act();
    if (disk_->dead()) return;
    if (store_->failure()) {
      ++seen_.failed_syncs;
      return;
    }
  }
  if (!chance(random_, 30)) return;
  const auto closed = store_->close(now_);
  model_.on_durable(store_->durable());
  const Picture expected = model_.now();
  if (!closed) return;
  const Picture found = picture_of(*store_, now_);
  if (!disk_->dead() && found != expected) fault("the store is not what was done to it");
}

void StorePlayer::crash() {
  store_.reset();
  sim_.crash(chance(random_, 20)   ? CrashDisk::keep
             : chance(random_, 40) ? CrashDisk::lose
                                   : CrashDisk::tear);
}

// When no more faults happen, everything goes on.
std::string StorePlayer::end_well() {
  sim_.set_capacity(64u << 20);
  for (int attempt = 0; attempt < 200 && verdict_.empty(); ++attempt) {
    if (open()) {
      for (int i = 0; i < 300 && !store_->failure(); ++i) {
        now_ += 10ms;
        pump();
        const bool behind = store_->durable() < store_->journal().last();
        if (!behind && !store_->full() && i > 20) return verdict_;
      }
      if (!store_->failure() && !disk_->dead()) return "it does not come to rest";
    }
    crash();
  }
  return verdict_.empty() ? "it never gets going again" : verdict_;
}

std::string StorePlayer::play() {
  for (int life = 0; life < 6 && verdict_.empty(); ++life) {
    if (open()) live();
    crash();
  }
  return verdict_.empty() ? end_well() : verdict_;
}

}  // namespace coracle::store::test
