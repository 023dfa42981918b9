#include "store/journal_backend.hpp"

#include <algorithm>
#include <utility>

namespace coracle::store {

namespace {

constexpr Duration retry = std::chrono::milliseconds(100);
constexpr Duration time_step = std::chrono::seconds(1);
constexpr std::uint64_t reserve = std::uint64_t{4} << 20;  // in bytes, for the ends of messages

// A message's header begins with the time when it was stored, on the store's own clock.
using Stamp = std::int64_t;

// A flipped bit in what was synced last looks the same as a write that was cut off.
std::string about_torn_end(const RecoveryReport& report) {
  std::string text = report.torn_file + " ends with " + std::to_string(report.torn_bytes) +
                     " bytes that are not valid: a write was cut off when the last run ended, and "
                     "nothing in them was reported as stored; or the disk has damaged the last "
                     "writes, and messages that were reported as stored are lost";
  if (report.torn_kept_in.empty()) return text + "; look whether the disk reports errors";
  return text + ". Some of them can be read; a copy is in " + report.torn_kept_in +
         "; look whether the disk reports errors";
}

}  // namespace

JournalBackend::JournalBackend(Disk& disk, Random& random, Settings settings, Time now)
    : limit_(settings.limit), log_(std::move(settings.log)) {
  DurableOptions options = std::move(settings.store);
  options.journal.reserve_bytes = std::min(options.journal.reserve_bytes, reserve);
  options.messages.in_memory_bytes = 0;  // the node keeps them in memory
  options.messages.keeps_time = true;
  // Everything accepted so far may wait for the same sync.
  options.journal.pending_bytes = std::max<std::uint64_t>(options.journal.pending_bytes, limit_);
  if (settings.own_thread) {
    options.worker = [this](std::unique_ptr<SegmentFiles> files) {
      return thread_worker(std::move(files), [this] { wake(); });
    };
  }
  store_ = DurableStore::open(disk, std::move(options), random, now).value();
  measure();
}

JournalBackend::~JournalBackend() = default;

StoreBackend::Found JournalBackend::found() const {
  const RecoveryReport& report = store_->report();
  Found found;
  found.messages = store_->messages().messages();
  found.names = store_->messages().queues().size();
  found.fresh = report.fresh;
  found.ended_in_order = report.ended_in_order;
  for (const Damage& damage : report.damages) found.faults.push_back(damage.what);
  if (report.torn_bytes != 0) found.faults.push_back(about_torn_end(report));
  if (store_->full())
    found.faults.push_back(
        "the disk is full: stored messages can be read, and nothing new is stored until there is "
        "room");
  return found;
}

std::shared_ptr<JournalBackend> backend_on(Disk& disk, std::size_t limit,
                                           std::function<void(const std::string&)> log) {
  JournalBackend::Settings settings;
  settings.limit = limit;
  settings.log = std::move(log);
  return std::make_shared<JournalBackend>(disk, machine_random(), std::move(settings),
                                          steady_clock().now());
}

void JournalBackend::wake() {
  const std::lock_guard lock(mutex_);
  if (wake_ && !awake_.exchange(true)) wake_();
}

std::vector<StoreBackend::Kept> JournalBackend::begin(std::function<void()> wake, Time now) {
  std::vector<const StoredMessage*> stored;
  for (const auto& [name, queue] : store_->messages().queues()) {
    for (const auto* each = queue.first; each != nullptr; each = each->next) stored.push_back(each);
  }
  std::sort(stored.begin(), stored.end(),
            [](const auto* a, const auto* b) { return a->id < b->id; });
  std::vector<Kept> all;
  for (const StoredMessage* const each : stored) {
    const std::size_t header = each->header_bytes;
    const Result<Bytes> bytes = store_->read(each->id, now);
    if (!bytes || header < sizeof(Stamp) || bytes->size() < header) {
      log_("a stored message for '" + each->queue->name + "' cannot be read" +
           (bytes ? std::string() : ": " + bytes.error().sentence()));
      continue;
    }
    Kept kept;
    kept.id = each->id;
    kept.handed_out = each->deliveries > 0;
    const auto since = Duration(get<Stamp>(bytes->data()));
    kept.age = std::max(store_->messages().own_time(now) - since, Duration(0));
    const auto begin = bytes->begin();
    const auto end_of_head = begin + static_cast<std::ptrdiff_t>(header);
    kept.head.assign(begin + sizeof(Stamp), end_of_head);
    kept.content = Content::bytes(std::span(*bytes).subspan(header));
    all.push_back(std::move(kept));
  }
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
  return all;
}

void JournalBackend::keep(const Name& name, std::span<const std::byte> head, const Content& content,
                          bool handed_out, Time now, Settled settled) {
  if (!store_)
    return settled(Error(Errc::stopped, "the message store stops; send again when it is back"));
  // Unlike the messages that were under way when the store failed, this one does not get to the
  // disk.
  if (const auto& failure = store_->failure())
    return settled(Error(Errc::refused, failure->sentence()));
  Bytes header(sizeof(Stamp));
  put(header.data(), Stamp{store_->messages().own_time(now).count()});
  header.insert(header.end(), head.begin(), head.end());
  Incoming message;
  message.queue = name.view();
  message.header = header;
  message.content = content.bytes();
  message.handed_out = handed_out;
  const Result<MessageId> id = store_->messages().store(message, now);
  if (!id) return settled(id.error());
  waits_.push_back({*id, [id = *id, settled = std::move(settled)](const auto& error) {
                      if (error) settled(*error);
                      else settled(id);
                    }});
  wake();
}

void JournalBackend::open(const Name& name, Time, std::function<void()> then) {
  if (!store_) return;
  Opening opening{name.str(), std::move(then)};
  const bool waits = !openings_.empty() || !try_open(opening);
  if (waits) openings_.push_back(std::move(opening));
}

// Earlier records may not be on the disk yet, so there is something to wait for even then.
bool JournalBackend::try_open(Opening& opening) {
  const MessageQueue* const queue = store_->messages().queue(opening.name);
  if (queue == nullptr) return opening.then(), true;
  for (const auto* each = queue->first; each != nullptr; each = each->next) {
    if (each->deliveries == 0 && !store_->messages().deliver(each->id)) return false;
  }
  const Sequence last = store_->journal().last();
  if (store_->durable() >= last) return opening.then(), true;
  waits_.push_back({last, [then = std::move(opening.then)](const auto& error) {
                      if (!error) then();  // otherwise a restart could not mark them
                    }});
  wake();
  return true;
}

void JournalBackend::finish(std::uint64_t id, Time) {
  ended_.push_back(id);
  wake();
}

void JournalBackend::write(Time now) {
  if (!ended_.empty() && store_->messages().finish(ended_)) ended_.clear();
  while (!openings_.empty() && try_open(openings_.front())) openings_.pop_front();
  store_->pump(now);
}

void JournalBackend::settle() {
  const std::optional<Error>& failure = store_->failure();
  if (failure && !std::exchange(failed_, true))
    log_("nothing is stored any more, start again: " + failure->sentence());
  const bool was_full = std::exchange(full_, store_->full());
  if (was_full != full_)
    log_(full_ ? "the disk is full: no more messages are stored until there is room"
               : "there is room on the disk again");
  while (!waits_.empty()) {
    const bool is_there = waits_.front().sequence <= store_->durable();
    if (!is_there && !failure) return;
    const DurabilityWait wait = std::move(waits_.front());
    waits_.pop_front();
    wait.settle(is_there ? std::nullopt : failure);
  }
}

void JournalBackend::measure() noexcept {
  journal_bytes_ = store_->journal().total_bytes();
  reserve_bytes_ = store_->journal().room();
  is_full_ = store_->full();
}

Time JournalBackend::work(Time now) {
  if (!store_) return Time::max();
  awake_ = false;
  write(now);
  settle();
  measure();
  if (failed_) return Time::max();
  if (!openings_.empty() || !ended_.empty()) return now + retry;
  const Time next = store_->next_pump();
  const bool is_idle = store_->messages().messages() == 0;
  return is_idle ? next : std::min(std::max(next, now), now + time_step);
}

void JournalBackend::end(Time now) {
  {
    const std::lock_guard lock(mutex_);
    wake_ = nullptr;
  }
  if (!store_) return;
  write(now);
  const Result<void> closed = store_->close(now);
  if (!closed) log_("the journal does not end in order: " + closed.error().sentence());
  settle();
  const Error stopped(Errc::stopped, "the message store stops; send again when it is back");
  for (const DurabilityWait& wait : std::exchange(waits_, {})) wait.settle(stopped);
  store_.reset();
}

}  // namespace coracle::store
