// A liar's knowledge of its society: all its lies are drawn from this.
#pragma once

#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_transport.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test::lying {

using society::Bytes;
using society::ByteSpan;

// A frame of the core that was received or sent.
struct Frame {
  Bytes head, content;
};

// The names that two nodes have numbered for each other, under two leases.
struct Pair {
  struct Heard {
    std::string name;
    std::uint64_t serial = 0;
  };
  std::vector<std::string> told;
  std::vector<Heard> heard;
};

// A message, a slot request or a message for the message store, as far as the liar can decode it.
struct HeardMessage {
  std::string target, source;
  std::uint64_t serial = 0;
  std::uint64_t flags = 0;
  std::uint64_t conversation = 0;
};

class Knowledge {
 public:
  // Names that have no holder, or once had one, and that others are to hold later.
  std::vector<std::string> absent;
  // The prefix of the names that it may register.
  std::string own_prefix;
  std::string node;                // its own
  bool forgets_greetings = false;  // sends no greeting again

  LeaseId lease = 0;  // its own; 0: none now
  std::vector<LeaseId> earlier;
  std::map<LeaseId, society::NodeInfo> others;
  std::vector<LeaseId> ended;  // leases of others
  struct Held {
    LeaseId lease = 0;
    Incarnation life;
  };
  std::map<std::string, Held> held;
  std::vector<std::string> groups;
  std::vector<std::uint64_t> tokens, taps, serials, entries, conversations;
  std::deque<Frame> frames;
  std::uint64_t generation = 0;  // the highest upper half of a lease
  std::uint64_t group_changes = 0;

  Pair& pair(LeaseId from, LeaseId to) { return pairs_[{from, to}]; }
  std::vector<std::string> own_names() const;

  // Takes in an event of the directory; returns false when it cannot be decoded.
  void on_lease(const society::NodeInfo& info);
  void on_event(const DirectoryEvent& event, const std::optional<Entry>& entry);
  // The liar has lost its lease.
  void lose_lease();
  // Takes in a frame from another lease to this one; returns the fields of a message in it.
  std::optional<HeardMessage> on_frame(LeaseId from, ByteSpan head, ByteSpan content);
  void keep(ByteSpan head, ByteSpan content);
  static void note(std::vector<std::uint64_t>& list, std::uint64_t number);

 private:
  std::optional<std::string> hear_name(society::FrameReader& in, Pair& pair, Pair::Heard** known);
  std::optional<HeardMessage> hear_message(std::uint8_t kind, society::FrameReader& in, Pair& pair);

  std::map<std::pair<LeaseId, LeaseId>, Pair> pairs_;
};

}  // namespace coracle::test::lying
