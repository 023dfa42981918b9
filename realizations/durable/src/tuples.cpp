#include "coracle/durable/tuples.hpp"

#include "store/durable_store.hpp"

#include <utility>

namespace coracle::durable {

namespace {

using store::Bytes;
using store::DurableStore;

constexpr std::string_view queue_name = "tuples";

// Each tuple is a message of one queue; its header is the key.
class JournalKeeper final : public TupleKeeper {
 public:
  JournalKeeper(std::unique_ptr<Disk> own, Disk& disk, const TupleOptions& options, Random& random)
      : own_(std::move(own)), disk_(disk), random_(random) {
    settings_.journal.segment_bytes = options.segment_bytes;
    settings_.journal.reserve_bytes = options.reserve_bytes;
    settings_.journal.record_bytes = options.tuple_bytes + 256;
    settings_.messages.in_memory_bytes = 0;  // the space keeps the tuples in memory
  }

  Result<std::vector<Kept>> open(Time now) override {
    if (!store_) {
      auto opened = DurableStore::open(disk_, settings_, random_, now);
      if (!opened) return opened.error();
      store_ = std::move(*opened);
    }
    std::vector<Kept> all;
    const store::MessageQueue* const queue = store_->messages().queue(queue_name);
    if (queue == nullptr) return all;
    for (const auto* each = queue->first; each != nullptr; each = each->next) {
      Kept kept;
      kept.number = each->id;
      kept.left = store_->messages().left_of(*each, now);
      Result<Bytes> bytes = fetch(each->id, now);
      if (!bytes) return bytes.error();
      if (bytes->size() < sizeof(kept.key)) continue;
      kept.key = store::get<std::uint64_t>(bytes->data());
      kept.bytes.assign(bytes->begin() + sizeof(kept.key), bytes->end());
      all.push_back(std::move(kept));
    }
    return all;
  }

  Result<std::uint64_t> keep(std::uint64_t key, std::span<const std::byte> bytes, Duration left,
                             Time now) override {
    std::byte header[sizeof(key)];
    store::put(header, key);
    store::Incoming tuple;
    tuple.queue = queue_name;
    tuple.header = header;
    tuple.content = bytes;
    tuple.time_to_live = left;
    return store_->messages().store(tuple, now);
  }

  Result<void> forget(std::span<const std::uint64_t> numbers) override {
    const auto done = store_->messages().finish(numbers);
    if (!done) return done.error();
    return {};
  }

  Result<void> sync(Time now) override {
    const store::Sequence last = store_->journal().last();
    store_->pump(now);
    if (store_->failure()) return *store_->failure();
    if (store_->durable() >= last) return {};
    return Error(Errc::disk_full, "the disk of a tuple space is full; free some room there");
  }

 private:
  Result<Bytes> fetch(std::uint64_t number, Time now) {
    std::optional<Result<Bytes>> fetched;
    store_->fetch(number, [&](Result<Bytes> bytes) { fetched.emplace(std::move(bytes)); });
    if (!fetched) store_->pump(now);  // its disk is read meanwhile
    return std::move(fetched.value());
  }

  const std::unique_ptr<Disk> own_;
  Disk& disk_;
  Random& random_;
  store::DurableOptions settings_;
  std::unique_ptr<DurableStore> store_;
};

}  // namespace

std::shared_ptr<TupleKeeper> tuple_keeper(Disk& disk, TupleOptions options, Random& random) {
  return std::make_shared<JournalKeeper>(nullptr, disk, options, random);
}

std::shared_ptr<TupleKeeper> tuple_keeper(const std::string& folder, TupleOptions options) {
  std::unique_ptr<Disk> disk = posix_disk(folder).value();
  Disk& there = *disk;
  return std::make_shared<JournalKeeper>(std::move(disk), there, options, machine_random());
}

}  // namespace coracle::durable
