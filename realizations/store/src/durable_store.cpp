#include "store/durable_store.hpp"

#include <algorithm>
#include <utility>

namespace coracle::store {

// The oldest segment, while its needed records are written again.
struct DurableStore::Cleaning {
  Cleaning(Bytes content, std::size_t counts, const SegmentHeader& header)
      : bytes(std::move(content)),
        scan(ByteSpan(bytes).first(std::min(bytes.size(), counts)), header, true) {}

  Bytes bytes;
  SegmentScan scan;
  bool has_record = false;  // that is not yet written again
};

DurableStore::DurableStore(DurableOptions options, Time now)
    : options_(std::move(options)), messages_(options_.messages), try_at_(now), clean_at_(now) {}

DurableStore::~DurableStore() = default;

Result<std::unique_ptr<DurableStore>> DurableStore::open(Disk& disk, DurableOptions options,
                                                         Random& random, Time now) {
  std::unique_ptr<DurableStore> store(new DurableStore(std::move(options), now));
  auto recovered = recover(disk, store->options_.journal, random, store->messages_);
  if (!recovered) return recovered.error();
  store->report_ = std::move(recovered->report);
  // Such a store would accept messages, and store none.
  if (store->report_.fresh && recovered->files->full())
    return Error(Errc::disk_full,
                 "the disk has room for " + std::to_string(recovered->files->reserve()) +
                     " of the " + std::to_string(store->options_.journal.reserve_bytes) +
                     " bytes that are kept free for the ends of messages, so nothing could be "
                     "stored; free some room, and start again");
  store->journal_ =
      std::make_unique<Journal>(store->options_.journal, std::move(recovered->start), random);
  store->journal_->set_full(recovered->files->full(), recovered->files->reserve());
  if (auto done = store->messages_.begin(*store->journal_, now); !done) return done.error();
  store->worker_ = store->options_.worker(std::move(recovered->files));
  return store;
}

void DurableStore::pump(Time now) {
  if (!closing_) static_cast<void>(messages_.note_time(now).has_value());  // see failure()
  pumped_at_ = now;
  may_look_ = true;
  while (step(now)) {
  }
}

// Does one round; returns whether there may be more to do at once.
bool DurableStore::step(Time now) {
  bool more = false;
  while (auto done = worker_->poll()) {
    on_done(std::move(*done), now);
    more = true;
  }
  if (failure()) return more;
  if (!closing_) more |= clean(now);
  more |= write(now);
  return more;
}

bool DurableStore::write(Time now) {
  if (writing_ || refilling_) return false;
  if (again_) {
    if (now < try_at_) return false;
    writing_ = true;
    worker_->submit(*std::exchange(again_, std::nullopt));
    return true;
  }
  if (full() && now >= try_at_) {
    refilling_ = true;
    worker_->submit(Refill());
    return true;
  }
  auto batch = journal_->take();
  if (!batch) return false;
  writing_ = true;
  worker_->submit(std::move(*batch));
  return true;
}

Time DurableStore::next_pump() const {
  if (failure()) return Time::max();
  if (cleaning_) return pumped_at_;
  Time next = messages_.next_expiry();
  if (again_ || full()) next = std::min(next, try_at_);
  return next;
}

void DurableStore::on_done(WorkDone done, Time now) {
  if (done.full && !full()) try_at_ = now + std::max(options_.retry, Duration(1));
  journal_->set_full(done.full, done.room);
  if (std::holds_alternative<Batch>(done.work)) return on_batch(done, now);
  if (std::holds_alternative<FetchRecord>(done.work)) return on_record(done);
  if (std::holds_alternative<FetchSegment>(done.work)) return on_segment(done, now);
  refilling_ = false;
  try_at_ = now + std::max(options_.retry, Duration(1));
  if (done.error) journal_->fail(*done.error);
}

void DurableStore::on_batch(WorkDone& done, Time now) {
  writing_ = false;
  if (!done.error) {
    journal_->written();
    messages_.on_durable();
    return;
  }
  const Errc errc = done.error->errc();
  if (errc != Errc::disk_full && errc != Errc::limit_reached) return journal_->fail(*done.error);
  again_ = std::move(std::get<Batch>(done.work));
  try_at_ = now + std::max(options_.retry, Duration(1));
  if (errc == Errc::disk_full) journal_->set_full(true, 0);
}

void DurableStore::fetch(MessageId id, std::function<void(Result<Bytes>)> then) {
  const StoredMessage* message = messages_.find(id);
  if (message == nullptr)
    return then(Error(Errc::no_such_file, "there is no stored message " + std::to_string(id) +
                                              "; it has ended, or never existed"));
  const bool in_memory = !message->in_memory.empty() || message->content_bytes == 0;
  if (in_memory) return then(message->in_memory);
  fetching_[++next_ticket_] = {id, std::move(then)};
  worker_->submit(FetchRecord{next_ticket_, message->place});
}

Result<Bytes> DurableStore::read(MessageId id, Time now) {
  std::optional<Result<Bytes>> got;
  fetch(id, [&got](Result<Bytes> bytes) { got.emplace(std::move(bytes)); });
  for (pump(now); !got; pump(now)) worker_->wait();
  return *std::move(got);
}

void DurableStore::on_record(WorkDone& done) {
  const auto found = fetching_.find(std::get<FetchRecord>(done.work).ticket);
  const Fetching fetching = std::move(found->second);
  fetching_.erase(found);
  const StoredMessage* message = messages_.find(fetching.id);
  // The message may have been written elsewhere meanwhile, and its old segment removed.
  if (message == nullptr || (done.error && !message->in_memory.empty()) ||
      (done.error && message->place != std::get<FetchRecord>(done.work).place))
    return fetch(fetching.id, fetching.then);
  if (done.error) return fetching.then(*done.error);
  const std::size_t wanted = std::size_t{message->header_bytes} + message->content_bytes;
  done.bytes.erase(done.bytes.begin(), done.bytes.end() - static_cast<std::ptrdiff_t>(
                                                              std::min(wanted, done.bytes.size())));
  fetching.then(std::move(done.bytes));
}

bool DurableStore::should_clean() const {
  if (!journal_->oldest_is_complete()) return false;
  const SegmentUse& oldest = journal_->segments().front();
  if (oldest.live_records == 0) return true;
  if (oldest.number == unreadable_) return false;
  if (full()) return oldest.live_bytes <= std::min(journal_->room() / 2, oldest.bytes / 2);
  const std::uint64_t slack = 2 * options_.journal.segment_bytes;
  return journal_->total_bytes() > 2 * journal_->live_bytes() + slack;
}

// Returns whether it did something, so that there is something to write.
bool DurableStore::clean(Time now) {
  if (cleaning_) return std::exchange(may_look_, false) && look_through();
  if (reading_segment_ || now < clean_at_ || !should_clean()) return false;
  const SegmentUse& oldest = journal_->segments().front();
  if (oldest.live_records == 0) return messages_.remove_oldest(now).has_value();
  reading_segment_ = true;
  worker_->submit(FetchSegment{oldest.number});
  return true;
}

void DurableStore::on_segment(WorkDone& done, Time now) {
  reading_segment_ = false;
  const SegmentUse& oldest = journal_->segments().front();
  const auto header =
      done.error ? Result<SegmentHeader>(*done.error) : read_segment_header(done.bytes);
  if (header) {
    cleaning_ = std::make_unique<Cleaning>(std::move(done.bytes),
                                           static_cast<std::size_t>(oldest.bytes), *header);
  } else {
    clean_at_ = now + std::max(options_.retry, Duration(1));
  }
}

// Returns whether it made progress.
bool DurableStore::look_through() {
  SegmentScan& scan = cleaning_->scan;
  const std::uint64_t until = scan.end() + options_.clean_bytes;
  while (scan.end() < until) {
    if (!cleaning_->has_record) {
      const auto step = scan.next();
      if (step == SegmentScan::Step::damage) continue;
      if (step == SegmentScan::Step::end) {
        const SegmentUse& oldest = journal_->segments().front();
        if (oldest.live_records > 0) unreadable_ = oldest.number;
        cleaning_.reset();
        return true;
      }
    }
    cleaning_->has_record = !messages_.keep(scan.record()).has_value();
    if (cleaning_->has_record) return false;
  }
  return true;
}

// Returns when everything is on the disk.
Result<void> DurableStore::flush(Time now) {
  const Sequence last = journal_->last();
  for (;;) {
    pump(now);
    if (failure()) return *failure();
    if (durable() >= last) return {};
    if (again_)
      return Error(Errc::disk_full,
                   "the disk is full, so the end of the journal is not written; free some room "
                   "before the program ends, or messages that are not stored yet are lost");
    worker_->wait();
  }
}

Result<void> DurableStore::close(Time now) {
  if (auto done = flush(now); !done) return done;
  closing_ = true;  // the mark must be the last record, alone in its group
  auto done = journal_->close();
  if (done) done = flush(now);
  closing_ = done.has_value();
  return done;
}

}  // namespace coracle::store
