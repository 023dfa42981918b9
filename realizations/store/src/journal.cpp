#include "store/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::store {

Result<void> check_options(const JournalOptions& options) {
  constexpr std::uint64_t most = 1u << 30;
  const std::uint64_t record = record_bytes(options.record_bytes);
  if (options.segment_bytes >= header_bytes && options.segment_bytes <= most &&
      options.record_bytes <= most + (most >> 4) && options.pending_bytes >= record &&
      options.pending_bytes <= 2 * most)
    return {};
  return Error(Errc::bad_options,
               fmt::format("a journal has segments of {} bytes to 1 GiB, and its pending_bytes "
                           "hold the longest record ({} bytes) and are at most 2 GiB; set "
                           "JournalOptions so",
                           header_bytes, record));
}

Journal::Journal(JournalOptions options, JournalStart start, Random& random)
    : options_(options),
      random_(random),
      segments_(std::move(start.segments)),
      run_(start.run),
      last_(std::max(start.last, Sequence{start.run} << run_shift)),
      durable_(last_),
      last_record_(start.last),
      written_segment_(segments_.back().number) {
  for (const SegmentUse& each : segments_) total_bytes_ += each.bytes;
}

Result<void> Journal::may_append(std::size_t bytes, Urgency urgency) const {
  if (failure_) return *failure_;
  if (bytes > options_.record_bytes)
    return Error(Errc::too_large,
                 fmt::format("a record of {} bytes is over the journal's limit of {}; send less at "
                             "once, or raise the limit",
                             bytes, options_.record_bytes));
  if (full_ && urgency == Urgency::refusable)
    return Error(Errc::disk_full,
                 "the disk is full, so nothing new can be stored; free some room, or have what is "
                 "stored consumed; it goes on by itself then");
  if (pending() + record_bytes(bytes) <= options_.pending_bytes) return {};
  if (full_)
    return Error(Errc::disk_full,
                 "the disk is full, and so is the reserve; free some room; it goes on by itself "
                 "then");
  return Error(Errc::limit_reached,
               fmt::format("{} bytes wait for the disk, and {} more would be over the limit of {}; "
                           "wait until some are written",
                           pending(), bytes, options_.pending_bytes));
}

// Decides the position of the next batch.
void Journal::begin_batch() {
  begun_ = true;
  const SegmentUse& current = segments_.back();
  if (current.bytes >= options_.segment_bytes) {
    SegmentHeader header;
    header.number = current.number + 1;
    header.nonce = random_.next();
    header.previous_last = last_record_;
    header.previous_bytes = static_cast<std::uint32_t>(current.bytes);
    header.oldest = segments_.front().number;
    header.run = run_;
    next_.starts = header;
    segments_.push_back({header.number, header_bytes, 0, 0});
    total_bytes_ += header_bytes;
  }
  next_.segment = segments_.back().number;
  next_.base = static_cast<std::uint32_t>(segments_.back().bytes);
}

Journal::Appended Journal::put(std::uint8_t kind, std::span<const ByteSpan> parts) {
  if (!begun_) begin_batch();
  const auto before = next_.records.size();
  const Place place{next_.segment, next_.base + static_cast<std::uint32_t>(before)};
  put_record(next_.records, ++last_, kind, parts);
  next_.last = last_record_ = last_;
  segments_.back().bytes += next_.records.size() - before;
  total_bytes_ += next_.records.size() - before;
  return {last_, place};
}

Result<Journal::Appended> Journal::append(std::uint8_t kind, std::initializer_list<ByteSpan> parts,
                                          Urgency urgency) {
  std::size_t bytes = 0;
  for (const ByteSpan part : parts) bytes += part.size();
  if (auto good = may_append(bytes, urgency); !good) return good.error();
  return put(kind, {parts.begin(), parts.size()});
}

std::optional<Batch> Journal::take() {
  if (writing_ || !begun_ || failure_) return std::nullopt;
  writing_ = true;
  begun_ = false;
  in_flight_ = next_.records.size();
  writing_last_ = next_.last;
  writing_segment_ = next_.segment;
  return std::exchange(next_, Batch());
}

void Journal::written() {
  writing_ = false;
  in_flight_ = 0;
  durable_ = writing_last_;
  written_segment_ = writing_segment_;
}

void Journal::fail(Error why) {
  if (!failure_) failure_ = std::move(why);
}

void Journal::set_full(bool full, std::uint64_t room) {
  full_ = full;
  room_ = room;
}

SegmentUse& Journal::use_of(std::uint32_t segment) {
  const auto found = std::lower_bound(
      segments_.begin(), segments_.end(), segment,
      [](const SegmentUse& use, std::uint32_t number) { return use.number < number; });
  return *found;
}

void Journal::add_live(Place place, std::size_t bytes) {
  SegmentUse& use = use_of(place.segment);
  ++use.live_records;
  use.live_bytes += bytes;
  live_bytes_ += bytes;
}

void Journal::drop_live(Place place, std::size_t bytes) {
  SegmentUse& use = use_of(place.segment);
  --use.live_records;
  use.live_bytes -= bytes;
  live_bytes_ -= bytes;
}

Result<void> Journal::remove_oldest() {
  const SegmentUse oldest = segments_.front();
  const Bytes body = mark_body({oldest.number + 1, false});
  if (auto done = append(mark_kind, {body}, Urgency::needed); !done) return done.error();
  next_.remove_before = oldest.number + 1;
  total_bytes_ -= oldest.bytes;
  segments_.pop_front();
  return {};
}

Result<void> Journal::close() {
  const Bytes body = mark_body({segments_.front().number, true});
  if (auto done = append(mark_kind, {body}, Urgency::needed); !done) return done.error();
  return {};
}

}  // namespace coracle::store
