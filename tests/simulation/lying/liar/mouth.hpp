// The connection of a liar to other nodes: by the clearinghouse, or by links of its own.
#pragma once

#include "lies/core_frames.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

#include <map>
#include <memory>
#include <string>

namespace coracle::test::lying {

// Receives the frames for the liar.
class Hearing {
 public:
  virtual void on_frame(LeaseId from, ByteSpan head, ByteSpan content) = 0;
  // Another node does not communicate with this lease any more.
  virtual void on_refused(LeaseId from) = 0;

 protected:
  ~Hearing() = default;
};

class Mouth {
 public:
  virtual ~Mouth() = default;

  // Sends the frame under the present lease.
  virtual void say(LeaseId to, const Frame& frame) = 0;
  // Sends a lie about the source and target of a frame; returns a line for people.
  virtual std::string lie_in_head(Draws& draw) = 0;
  // Breaks a connection to another node, or sends a farewell to all.
  virtual void break_off(Draws& draw) = 0;
  virtual void leave() = 0;
  // The liar has another lease.
  virtual void on_lease() = 0;
};

// Central: all frames go by the link to the clearinghouse.
class RelayedMouth final : public Mouth {
 public:
  RelayedMouth(society::FrameChannel& service, Knowledge& known, Hearing& hearing)
      : service_(service), known_(known), hearing_(hearing) {}

  // Handles a message that the clearinghouse relayed.
  void on_arrived(const net::Arrived& message);

  void say(LeaseId to, const Frame& frame) override;
  std::string lie_in_head(Draws& draw) override;
  void break_off(Draws&) override {}
  void leave() override {}
  void on_lease() override { unread_.clear(), read_.clear(); }

 private:
  void note_read(LeaseId from, std::uint64_t bytes);

  society::FrameChannel& service_;
  Knowledge& known_;
  Hearing& hearing_;
  std::map<LeaseId, std::uint64_t> unread_, read_;
};

// Distributed: a link to each node.
class DirectMouth final : public Mouth {
 public:
  DirectMouth(net::Links& links, society::FlushQueue& turn, Knowledge& known, Hearing& hearing);
  ~DirectMouth() override;

  // Another node requests a link, or has one.
  net::SessionEvents* let_in(const net::Greeting& greeting);
  void on_link(net::Link& link);

  void say(LeaseId to, const Frame& frame) override;
  std::string lie_in_head(Draws& draw) override;
  void break_off(Draws& draw) override;
  void leave() override;
  void on_lease() override {}

 private:
  class Neighbour;
  Neighbour& neighbour(const std::string& node);
  Neighbour* reach(LeaseId lease);

  net::Links& links_;
  society::FlushQueue& turn_;
  Knowledge& known_;
  Hearing& hearing_;
  std::map<std::string, std::unique_ptr<Neighbour>> neighbours_;
};

}  // namespace coracle::test::lying
