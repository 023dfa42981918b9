#include "store/segment_files.hpp"

#include "coracle/support/mutations.hpp"
#include "store/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace coracle::store {

namespace {

constexpr const char* reserve_name = "reserve";

bool may_try_again(const Error& error) {
  return error.errc() == Errc::disk_full || error.errc() == Errc::limit_reached;
}

Error damaged(Place place) {
  return Error(Errc::bad_encoding,
               fmt::format("the record at byte {} of {} is damaged; restart, so that it is set "
                           "aside and named, and check the disk",
                           place.offset, segment_name(place.segment)));
}

}  // namespace

SegmentFiles::SegmentFiles(Disk& disk, JournalOptions options) : disk_(disk), options_(options) {}

Result<void> SegmentFiles::open_reserve() {
  auto file = disk_.open(reserve_name, Disk::Open::existing_or_new);
  if (!file) return file.error();
  reserve_ = std::move(*file);
  const auto size = reserve_->size();
  if (!size) return size.error();
  reserve_bytes_ = *size;
  return {};
}

Result<void> SegmentFiles::refill() {
  static constexpr std::array<std::byte, 64u << 10> zeros{};
  if (!full()) return {};
  while (reserve_bytes_ < options_.reserve_bytes) {
    const auto missing = options_.reserve_bytes - reserve_bytes_;
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(missing, zeros.size()));
    const auto done = reserve_->append(std::span(zeros).first(piece));
    const auto size = reserve_->size();
    if (!size) return size.error();
    reserve_bytes_ = *size;
    if (!done) return done.error().errc() == Errc::disk_full ? Result<void>() : done;
  }
  return reserve_->sync();
}

// Gives back at least `needed` bytes of the reserve, or all that is left of it; returns false when
// nothing is left.
Result<bool> SegmentFiles::shrink_reserve(std::uint64_t needed) {
  if (reserve_bytes_ == 0) return false;
  const std::uint64_t step = std::max(needed + 4096, options_.reserve_bytes / 8);
  const std::uint64_t left = reserve_bytes_ - std::min(step, reserve_bytes_);
  if (auto done = reserve_->truncate(left); !done) return done.error();
  reserve_bytes_ = left;
  return true;
}

Result<void> SegmentFiles::create(const std::string& name, ByteSpan head, ByteSpan rest) {
  const std::string unfinished = name + ".new";
  auto file = disk_.open(unfinished, Disk::Open::existing_or_new);
  if (!file) return file.error();
  if (auto done = (*file)->truncate(0); !done) return done;
  for (const ByteSpan part : {head, rest})
    if (auto done = (*file)->append(part); !done) {
      const auto emptied = (*file)->truncate(0);
      return emptied ? done : emptied;
    }
  const bool too_late = mutated(Mutation::rename_before_sync);
  if (!too_late)
    if (auto done = (*file)->sync(); !done) return done;
  if (auto done = disk_.rename(unfinished, name); !done) return done;
  if (!mutated(Mutation::forget_to_sync_folder))
    if (auto done = disk_.sync_folder(""); !done) return done;
  if (too_late)
    if (auto done = (*file)->sync(); !done) return done;
  current_ = std::move(*file);
  return {};
}

Result<void> SegmentFiles::write_first(const Batch& batch) {
  const std::string name = segment_name(batch.segment);
  if (auto done = create(name, segment_header(*batch.starts), batch.records); !done) return done;
  current_number_ = batch.segment;
  know(*batch.starts);
  return {};
}

Result<void> SegmentFiles::write_next(const Batch& batch) {
  if (batch.segment != current_number_)
    return Error(Errc::disk_failed,
                 "the next write is not for the open segment of the journal; restart");
  if (auto done = current_->append(batch.records); !done) {
    if (!may_try_again(done.error())) return done;
    const auto cut = current_->truncate(batch.base);
    return cut ? done : cut;
  }
  if (mutated(Mutation::acknowledge_before_sync)) return {};
  auto done = current_->sync();
  return !done && mutated(Mutation::go_on_after_failed_sync) ? Result<void>() : done;
}

Result<void> SegmentFiles::write_once(Batch& batch) {
  const std::uint64_t nonce = batch.starts ? batch.starts->nonce : headers_.at(batch.segment).nonce;
  seal_records(batch.records, nonce, batch.base);
  return batch.starts ? write_first(batch) : write_next(batch);
}

Result<void> SegmentFiles::write(Batch& batch) {
  if (mutated(Mutation::remove_before_sync))
    if (auto done = remove_before(batch.remove_before); !done) return done;
  auto done = write_once(batch);
  while (!done && done.error().errc() == Errc::disk_full) {
    auto more = shrink_reserve(batch.records.size() + header_bytes);
    if (!more) return more.error();
    if (!*more) return done;
    done = write_once(batch);
  }
  if (!done) return done;
  return remove_before(batch.remove_before);
}

Result<void> SegmentFiles::remove_before(std::uint32_t number) {
  while (!headers_.empty() && headers_.begin()->first < number) {
    if (auto done = disk_.remove(segment_name(headers_.begin()->first)); !done) {
      if (done.error().errc() != Errc::no_such_file) return done;
    }
    // Files are removed one after the other, so that no power cut leaves an older segment without a
    // younger one.
    if (auto done = disk_.sync_folder(""); !done) return done;
    headers_.erase(headers_.begin());
  }
  return {};
}

const SegmentHeader* SegmentFiles::header_of(std::uint32_t number) const {
  const auto found = headers_.find(number);
  return found == headers_.end() ? nullptr : &found->second;
}

Result<Bytes> SegmentFiles::read(Place place) {
  const SegmentHeader* segment = header_of(place.segment);
  if (segment == nullptr) return damaged(place);
  auto file = disk_.open(segment_name(place.segment), Disk::Open::existing);
  if (!file) return file.error();
  Bytes head(record_header_bytes);
  auto got = (*file)->read_at(place.offset, head);
  if (!got) return got.error();
  const auto header = read_record_header(ByteSpan(head).first(*got), segment->nonce);
  if (!header || header->length > options_.record_bytes) return damaged(place);
  Bytes body(header->length);
  got = (*file)->read_at(std::uint64_t{place.offset} + record_header_bytes, body);
  if (!got) return got.error();
  if (*got != body.size() || crc32c(body) != header->body_checksum) return damaged(place);
  return body;
}

Result<Bytes> SegmentFiles::read_segment(std::uint32_t number) {
  const std::string name = segment_name(number);
  auto file = disk_.open(name, Disk::Open::existing);
  if (!file) return file.error();
  const auto size = (*file)->size();
  if (!size) return size.error();
  if (*size > 0xffff'ffffu)
    return Error(Errc::bad_encoding,
                 fmt::format("{} has {} bytes, more than any segment; it is not a segment, so take "
                             "it out of the folder",
                             name, *size));
  Bytes bytes(static_cast<std::size_t>(*size));
  const auto got = (*file)->read_at(0, bytes);
  if (!got) return got.error();
  bytes.resize(*got);
  return bytes;
}

Result<void> SegmentFiles::set_aside(const std::string& name, ByteSpan bytes) {
  if (disk_.open(name, Disk::Open::existing)) return {};
  auto done = create(name, bytes, {});
  while (!done && done.error().errc() == Errc::disk_full) {
    auto more = shrink_reserve(bytes.size());
    if (!more) return more.error();
    if (!*more) return done;
    done = create(name, bytes, {});
  }
  current_.reset();
  return done;
}

}  // namespace coracle::store
