// A member's knowledge of its society: from the directory, and from the frames of others.
#pragma once

#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_transport.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::fuzzed {

using society::Bytes;
using society::ByteSpan;
using society::Leases;

// The last received numbers of some kind.
class Numbers {
 public:
  void note(std::uint64_t number) {
    if (list_.size() < most) list_.push_back(number);
    else list_[next_++ % most] = number;
  }
  bool empty() const noexcept { return list_.empty(); }
  std::size_t size() const noexcept { return list_.size(); }
  std::uint64_t operator[](std::size_t at) const { return list_[at]; }

 private:
  static constexpr std::size_t most = 16;
  std::vector<std::uint64_t> list_;
  std::size_t next_ = 0;
};

// A frame of the core: its head and its content.
struct Frame {
  Bytes head, content;
};

struct Knowledge {
  // The numbers of the names of a pair, in one direction.
  struct Said {
    struct One {
      std::string name;
      std::uint64_t serial = 0;
    };
    std::vector<One> names;
  };
  struct Held {
    LeaseId lease = 0;
    std::uint64_t life = 0;
  };

  LeaseId lease = 0;                // its own; 0: none now
  std::vector<LeaseId> all_leases;  // present and past
  std::map<LeaseId, society::NodeInfo> others;
  std::map<std::string, Held> held;
  Numbers tokens, taps, serials, conversations, entries;
  std::map<LeaseId, Said> told, heard;
  std::vector<Frame> frames;  // received or sent

  // Takes in an event of the directory.
  void on_lease(const society::NodeInfo& info);
  void on_event(const DirectoryEvent& event, const std::optional<Entry>& entry);
  void lose_lease();

  void on_frame(LeaseId from, ByteSpan head, ByteSpan content);
  void keep(ByteSpan head, ByteSpan content);

 private:
  static constexpr std::size_t most_frames = 32;
  Said::One* hear_name(society::FrameReader& in, Said& said, Said::One& passing);
  void on_message(society::FrameReader& in, std::uint8_t kind, Said& said);

  std::size_t next_frame_ = 0;
};

}  // namespace coracle::fuzzed
