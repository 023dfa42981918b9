// Settlements that must be sent to the peer, collected over a turn.
#pragma once

#include "realizations/net/src/session/outbox.hpp"
#include "realizations/net/src/session/terms.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

// Settlements without a detail are kept as ranges, and take few numbers for many messages. The book
// holds at most one entry for each message that has arrived and was not settled to the peer.
class SettleBook {
 public:
  void add(Lane lane, Seq seq, Settlement settlement, std::string_view detail);
  bool is_empty() const { return entries_ == 0; }
  std::size_t bytes() const { return entries_ * sizeof(SeqRange) + detail_bytes_; }
  // Puts all of the book into frames.
  void write_to(Outbox& out);
  void clear();

 private:
  struct Detailed {
    Lane lane;
    Seq seq;
    Settlement settlement;
    std::string detail;
  };

  std::array<PerLane<std::vector<SeqRange>>, settlement_count> plain_;
  std::vector<Detailed> detailed_;
  std::size_t entries_ = 0, detail_bytes_ = 0;
  std::vector<std::byte> body_;
};

}  // namespace coracle::net
