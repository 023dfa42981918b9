#include "store/recovery.hpp"

#include "coracle/support/mutations.hpp"
#include "store/segment_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coracle::store {

namespace {

// A segment's file.
struct Found {
  std::uint32_t number = 0;
  std::optional<SegmentHeader> header;  // nothing: the header cannot be read
};

class Recovery {
 public:
  Recovery(Disk& disk, const JournalOptions& options, Random& random, Replay& replay)
      : disk_(disk),
        options_(options),
        random_(random),
        replay_(replay),
        files_(std::make_unique<SegmentFiles>(disk, options)) {}

  Result<Recovered> run() {
    if (auto done = find(); !done) return done.error();
    for (const std::string& each : unfinished_)
      if (auto done = disk_.remove(each); !done) return done.error();
    if (auto done = files_->open_reserve(); !done) return done.error();
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (auto done = take(i); !done) return done.error();
    check_front();
    if (auto done = go_on(); !done) return done.error();
    report_.fresh = found_.empty();
    return Recovered{std::move(files_), std::move(start_), std::move(report_)};
  }

 private:
  Result<void> find();
  Result<void> take(std::size_t index);
  Result<void> take_closed(const Found& found, const Found& next, ByteSpan bytes);
  Result<void> take_last(const Found& found, ByteSpan bytes);
  void tell(const SegmentScan& scan, std::uint32_t moved_from);
  Result<void> damaged(std::uint32_t number, std::uint64_t from, std::uint64_t to, ByteSpan bytes,
                       const char* what);
  void check_front();
  Result<void> go_on();

  Disk& disk_;
  JournalOptions options_;
  Random& random_;
  Replay& replay_;
  std::unique_ptr<SegmentFiles> files_;
  std::vector<Found> found_;
  std::vector<std::string> unfinished_;
  RecoveryReport report_;
  JournalStart start_;
  Sequence last_ = 0;
  std::uint32_t oldest_ = 1;
  Batch first_;           // the first batch of the new segment
  SegmentHeader header_;  // of the new segment
};

// Finds which segments exist, without changing anything.
Result<void> Recovery::find() {
  const auto names = disk_.list("");
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (name.ends_with(".new") && name.find(".journal") != name.npos) unfinished_.push_back(name);
    const auto number = segment_number(name);
    if (!number) continue;
    auto file = disk_.open(name, Disk::Open::existing);
    if (!file) return file.error();
    Bytes bytes(header_bytes);
    const auto got = (*file)->read_at(0, bytes);
    if (!got) return got.error();
    const auto header = read_segment_header(ByteSpan(bytes).first(*got));
    if (!header && header.error().errc() == Errc::unsupported)
      return Error(Errc::unsupported, name + ": " + header.error().sentence());
    Found found{*number, std::nullopt};
    if (header && header->number == *number) found.header = *header;
    found_.push_back(found);
  }
  std::sort(found_.begin(), found_.end(),
            [](const Found& a, const Found& b) { return a.number < b.number; });
  header_.number = found_.empty() ? 1 : found_.back().number + 1;
  for (const Found& each : found_) {
    SegmentHeader known;
    known.number = each.number;
    files_->know(each.header.value_or(known));
    if (each.header) {
      start_.run = std::max(start_.run, each.header->run);
      oldest_ = std::max(oldest_, each.header->oldest);
    }
  }
  return {};
}

Result<void> Recovery::damaged(std::uint32_t number, std::uint64_t from, std::uint64_t to,
                               ByteSpan bytes, const char* what) {
  Damage damage{segment_name(number), from, to, {}, {}};
  if (!bytes.empty()) {
    damage.kept_in = fmt::format("{}.damaged-{}", damage.file, from);
    if (auto done = files_->set_aside(damage.kept_in, bytes); !done) return done;
  }
  damage.what = fmt::format("{}: bytes {} to {} {}{}{}", damage.file, from, to, what,
                            bytes.empty() ? "" : "; a copy is in ", damage.kept_in);
  report_.damages.push_back(std::move(damage));
  replay_.missing();
  return {};
}

Result<void> Recovery::take(std::size_t index) {
  const Found& found = found_[index];
  if (index > 0 && found_[index - 1].number + 1 != found.number)
    if (auto done =
            damaged(found_[index - 1].number + 1, 0, 0, {}, "are missing: there is no file");
        !done)
      return done;
  const auto bytes = files_->read_segment(found.number);
  if (!bytes) return bytes.error();
  report_.bytes += bytes->size();
  start_.segments.push_back({found.number, bytes->size(), 0, 0});
  if (!found.header)
    return damaged(found.number, 0, bytes->size(), *bytes,
                   "cannot be read: its header is damaged, or another segment's");
  if (index == 0) last_ = found.header->previous_last;
  const bool last = index + 1 == found_.size();
  return last ? take_last(found, *bytes) : take_closed(found, found_[index + 1], *bytes);
}

// Passes on a record; records from `moved_from` on will be in the new segment.
void Recovery::tell(const SegmentScan& scan, std::uint32_t moved_from) {
  Record record = scan.record();
  last_ = record.sequence;
  ++report_.records;
  report_.ended_in_order = false;
  if (record.kind == mark_kind) {
    const auto mark = read_mark(record.body);
    if (!mark) return;
    oldest_ = std::max(oldest_, mark->oldest);
    report_.ended_in_order = mark->closed;
    return;
  }
  if (record.place.offset >= moved_from) {
    record.place.segment = header_.number;
    record.place.offset = record.place.offset - moved_from + header_bytes;
  }
  replay_.replay(record);
}

Result<void> Recovery::take_closed(const Found& found, const Found& next, ByteSpan bytes) {
  std::uint64_t counts = bytes.size();
  const bool known = next.header && next.number == found.number + 1;
  if (known && next.header->previous_bytes > 0) counts = next.header->previous_bytes;
  const std::size_t damages = report_.damages.size();
  SegmentScan scan(
      bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(counts, bytes.size()))),
      *found.header, true);
  for (;;) {
    const auto step = scan.next();
    if (step == SegmentScan::Step::end) break;
    if (step == SegmentScan::Step::record) {
      tell(scan, 0xffff'ffff);
      continue;
    }
    const auto [from, to] = scan.damage();
    if (auto done = damaged(found.number, from, to, bytes.subspan(from, to - from), "are damaged");
        !done)
      return done;
  }
  if (bytes.size() < counts)
    return damaged(found.number, bytes.size(), counts, {}, "are missing: the file is too short");
  if (known && next.header->previous_last != last_ && damages == report_.damages.size())
    return damaged(found.number, counts, counts, {},
                   "are followed by records that are missing: the file was changed");
  return {};
}

Result<void> Recovery::take_last(const Found& found, ByteSpan bytes) {
  // The last group may never have reached the disk, even if it can be read now: so it is written
  // again.
  if (bytes.size() < header_bytes)
    if (auto done = damaged(found.number, bytes.size(), header_bytes, {},
                            "are missing: the file is too short");
        !done)
      return done;
  std::uint32_t group = header_bytes, end = 0;
  std::vector<std::uint32_t> starts;  // the beginnings of the records
  SegmentScan first(bytes, *found.header, false);
  for (auto step = first.next(); step != SegmentScan::Step::end; step = first.next()) {
    const bool good = step == SegmentScan::Step::record;
    if (good) starts.push_back(first.record().place.offset);
    group = std::max(group, good ? first.group() : first.damage().to);
  }
  end = first.end();
  if (first.torn() > 0) {
    report_.torn_file = segment_name(found.number);
    report_.torn_bytes = first.torn();
    if (first.torn_has_records()) {
      report_.torn_kept_in = fmt::format("{}.torn-{}", report_.torn_file, end);
      if (auto done = files_->set_aside(report_.torn_kept_in, bytes.subspan(end)); !done)
        return done;
    }
  }
  // If bytes have changed, a group may begin within a record.
  const auto begin = std::lower_bound(starts.begin(), starts.end(), group);
  group = begin == starts.end() ? end : *begin;
  if (mutated(Mutation::cut_whole_group)) end = group;
  if (mutated(Mutation::trust_what_is_read)) group = end;
  header_.previous_bytes = group;
  header_.previous_last = last_;
  SegmentScan scan(bytes, *found.header, false);
  for (auto step = scan.next(); step != SegmentScan::Step::end; step = scan.next()) {
    if (step == SegmentScan::Step::damage) {
      const auto [from, to] = scan.damage();
      if (auto done =
              damaged(found.number, from, to, bytes.subspan(from, to - from), "are damaged");
          !done)
        return done;
      continue;
    }
    if (scan.record().place.offset >= end) break;
    tell(scan, group);
    if (scan.record().place.offset < group) header_.previous_last = last_;
  }
  first_.records.assign(bytes.begin() + group, bytes.begin() + end);
  start_.segments.back().bytes = group;
  return {};
}

// Finds missing segments before the first one. After damage, what is known of them may be old.
void Recovery::check_front() {
  if (!report_.damages.empty()) return;
  const std::uint32_t front = found_.empty() ? oldest_ : found_.front().number;
  if (front <= oldest_) return;
  const auto done = damaged(oldest_, 0, 0, {}, "are missing: there is no file");
  static_cast<void>(done.has_value());  // nothing had to be written
}

Result<void> Recovery::go_on() {
  header_.nonce = random_.next();
  header_.oldest = std::min(oldest_, header_.number);
  header_.run = ++start_.run;
  first_.segment = header_.number;
  first_.base = header_bytes;
  first_.starts = header_;
  start_.last = last_;
  if (auto done = files_->write(first_); !done) return done;
  std::erase_if(start_.segments, [&](const SegmentUse& use) { return use.number < oldest_; });
  start_.segments.push_back({header_.number, header_bytes + first_.records.size(), 0, 0});
  if (auto done = files_->remove_before(header_.oldest); !done) return done;
  return files_->refill();
}

}  // namespace

Result<Recovered> recover(Disk& disk, const JournalOptions& options, Random& random,
                          Replay& replay) {
  if (auto good = check_options(options); !good) return good.error();
  return Recovery(disk, options, random, replay).run();
}

}  // namespace coracle::store
