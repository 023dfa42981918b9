#include "store/segment_scan.hpp"

#include "store/checksum.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace coracle::store {

SegmentScan::SegmentScan(ByteSpan bytes, const SegmentHeader& header, bool closed)
    : bytes_(bytes.first(
          std::min<std::size_t>(bytes.size(), std::numeric_limits<std::uint32_t>::max()))),
      number_(header.number),
      nonce_(header.nonce),
      closed_(closed) {
  at_ = static_cast<std::uint32_t>(std::min(bytes_.size(), header_bytes));
}

bool SegmentScan::read_at(std::uint32_t at, Good& good) const {
  const ByteSpan rest = bytes_.subspan(at);
  const auto header = read_record_header(rest, nonce_);
  if (!header || header->sequence <= last_ || header->group > at) return false;
  if (record_bytes(header->length) > rest.size()) return false;
  const ByteSpan body = rest.subspan(record_header_bytes, header->length);
  if (crc32c(body) != header->body_checksum) return false;
  good = {at, *header};
  return true;
}

// The first good record that begins at `at` or behind it.
std::optional<SegmentScan::Good> SegmentScan::good_from(std::uint32_t at) const {
  Good good;
  for (std::uint64_t i = at; i + record_header_bytes <= bytes_.size(); i += 4)
    if (read_at(static_cast<std::uint32_t>(i), good)) return good;
  return std::nullopt;
}

// Returns whether the bytes at `at` had been synced; `next` is the first good record behind them.
bool SegmentScan::was_synced(std::uint32_t at, const Good& next) {
  if (closed_ || synced_ > at) return true;
  for (std::optional<Good> good = next; good;) {
    synced_ = std::max(synced_, good->header.group);
    if (synced_ > at) return true;
    const auto behind = good->at + record_bytes(good->header.length);
    good = good_from(static_cast<std::uint32_t>(behind));
  }
  return false;
}

void SegmentScan::take(const Good& good) {
  last_ = good.header.sequence;
  group_ = good.header.group;
  synced_ = std::max(synced_, group_);
  record_ = {{number_, good.at},
             last_,
             good.header.kind,
             bytes_.subspan(good.at + record_header_bytes, good.header.length)};
  at_ = good.at + static_cast<std::uint32_t>(record_bytes(good.header.length));
}

SegmentScan::Step SegmentScan::next() {
  Good good;
  if (ahead_) {
    take(*std::exchange(ahead_, std::nullopt));
    return Step::record;
  }
  if (at_ == bytes_.size()) return Step::end;
  if (read_at(at_, good)) {
    take(good);
    return Step::record;
  }
  // A good header gives the length of the record, whose content is not searched.
  const auto header = read_record_header(bytes_.subspan(at_), nonce_);
  const std::uint64_t behind = at_ + (header ? record_bytes(header->length) : 4);
  const auto found = behind < bytes_.size() ? good_from(static_cast<std::uint32_t>(behind))
                                            : std::optional<Good>();
  if (!found && !closed_) return Step::end;
  torn_has_records_ = found && !was_synced(at_, *found);
  if (torn_has_records_) return Step::end;
  const auto size = static_cast<std::uint32_t>(bytes_.size());
  damage_ = {at_, found ? found->at : size};
  ahead_ = found;
  at_ = damage_.to;
  return Step::damage;
}

}  // namespace coracle::store
