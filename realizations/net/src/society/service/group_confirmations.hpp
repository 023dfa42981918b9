// The nodes that have seen the changes of groups, and the answers that wait for that: when an agent
// knows that it has joined a group, later messages of any sender must reach it. A node that does
// not confirm a change within a moment is waited for no more, until it does.
#pragma once

#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace coracle::society {

class GroupConfirmations {
  // The number of answers that a node waits for. When the node is lost, `channel` is nullptr.
  struct Unanswered {
    FrameChannel* channel;
    std::size_t count = 0;
  };
  // An answer that is held back until some nodes have seen a change.
  struct Awaiting {
    std::shared_ptr<Unanswered> asker;
    Bytes answer;
    std::size_t missing;  // the number of them that have not
    Time until;
  };

 public:
  // The state of one node.
  class Node {
   public:
    // The channel outlives this object.
    explicit Node(FrameChannel& channel)
        : channel_(channel), unanswered_(new Unanswered{&channel}) {}

    // The number of its own requests whose answers wait for other nodes.
    std::size_t unanswered() const noexcept { return unanswered_->count; }

   private:
    friend class GroupConfirmations;

    FrameChannel& channel_;
    bool has_begun_ = false;
    std::uint64_t announced_ = 0, seen_ = 0;  // changes since it has begun
    // Answers that wait for this node, each until it has seen so many changes; in order.
    std::deque<std::pair<std::uint64_t, std::shared_ptr<Awaiting>>> awaited_;
    std::shared_ptr<Unanswered> unanswered_;  // for its own requests
    bool is_mute_ = false;                    // it did not confirm a change in time
  };

  GroupConfirmations(net::Alarms& alarms, const Clock& clock, const Log& log);

  // The node of that name confirms the changes that are announced to it from now on.
  void begin(const std::string& name, Node& node);
  // The node is not attached any more, and is not waited for.
  void end(const std::string& name, Node& node);
  // The node gets no answer to earlier requests.
  static void forget_requests(Node& node);
  // There was a change, which was announced to some nodes.
  void note_change() noexcept { ++changes_; }
  void note_announced(Node& node) noexcept { node.announced_ += node.has_begun_ ? 1 : 0; }
  // The number of changes so far.
  std::uint64_t changes() const noexcept { return changes_; }
  // The node has seen so many changes since it has begun; returns false if it cannot have.
  bool confirm(Node& node, std::uint64_t seen);
  // Sends the answer to `asker` when all other nodes have seen the changes so far.
  void answer_when_seen(Node& asker, Bytes answer);

 private:
  static void note_seen(Node& node, std::uint64_t changes);
  void leave_out_the_mute();

  const Clock& clock_;
  const Log& log_;
  std::map<std::string, Node*> attached_;
  std::uint64_t changes_ = 0;
  std::unique_ptr<net::Alarm> too_long_;  // for nodes that have not seen an awaited change
  bool is_awaiting_ = false;              // too_long_ is set
};

}  // namespace coracle::society
