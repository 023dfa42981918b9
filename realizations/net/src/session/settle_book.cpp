#include "realizations/net/src/session/settle_book.hpp"

#include <algorithm>

namespace coracle::net {

namespace {

constexpr std::size_t most_body = 4096;

// Merges ranges that touch, in order.
void merge(std::vector<SeqRange>& ranges) {
  const auto by_first = [](const SeqRange& a, const SeqRange& b) { return a.first < b.first; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), by_first))
    std::sort(ranges.begin(), ranges.end(), by_first);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[kept].last + 1 == ranges[i].first) {
      ranges[kept].last = ranges[i].last;
    } else {
      ranges[++kept] = ranges[i];
    }
  }
  if (!ranges.empty()) ranges.resize(kept + 1);
}

void begin_body(WireWriter& writer, Lane lane, Settlement settlement, std::string_view detail) {
  writer.u8(static_cast<std::uint8_t>(lane));
  writer.u8(static_cast<std::uint8_t>(settlement));
  writer.varint(detail.size());
  writer.text(detail);
}

}  // namespace

void SettleBook::add(Lane lane, Seq seq, Settlement settlement, std::string_view detail) {
  if (!detail.empty()) {
    detailed_.push_back({lane, seq, settlement, std::string(detail)});
    detail_bytes_ += sizeof(Detailed) + detail.size();
    ++entries_;
    return;
  }
  auto& ranges = plain_[static_cast<std::size_t>(settlement)][lane];
  if (!ranges.empty() && ranges.back().last + 1 == seq) {
    ranges.back().last = seq;
  } else {
    ranges.push_back({seq, seq});
    ++entries_;
  }
}

void SettleBook::write_to(Outbox& out) {
  WireWriter writer(body_);
  // Written in the order of the settlements, so that stages come before ends.
  for (std::size_t kind = 0; kind < settlement_count; ++kind) {
    for (const Lane lane : all_lanes) {
      auto& ranges = plain_[kind][lane];
      if (ranges.empty()) continue;
      merge(ranges);
      Seq after = 0;
      body_.clear();
      for (const SeqRange& range : ranges) {
        if (body_.size() > most_body) {
          out.append(FrameType::settle, body_);
          body_.clear();
          after = 0;
        }
        if (body_.empty()) begin_body(writer, lane, static_cast<Settlement>(kind), {});
        writer.varint(range.first - after);
        writer.varint(range.last - range.first);
        after = range.last;
      }
      out.append(FrameType::settle, body_);
    }
  }
  for (const Detailed& each : detailed_) {
    body_.clear();
    begin_body(writer, each.lane, each.settlement, each.detail);
    writer.varint(each.seq);
    writer.varint(0);
    out.append(FrameType::settle, body_);
  }
  clear();
}

void SettleBook::clear() {
  for (auto& kind : plain_)
    for (auto& ranges : kind.of) ranges.clear();
  detailed_.clear();
  entries_ = detail_bytes_ = 0;
}

}  // namespace coracle::net
