// How a member that lies speaks with other nodes: by the clearinghouse, or by links of its own.
#pragma once

#include "core_frames.hpp"
#include "realizations/net/src/society/way.hpp"

#include <map>
#include <memory>
#include <string>

namespace coracle::test::lying {

// Is told what it hears.
class Hearing {
 public:
  virtual void on_frame(LeaseId from, ByteSpan head, ByteSpan content) = 0;
  // Another node speaks no more with this lease.
  virtual void on_refused(LeaseId from) = 0;

 protected:
  ~Hearing() = default;
};

class Mouth {
 public:
  virtual ~Mouth() = default;

  // Says it under the lease that it has.
  virtual void say(LeaseId to, const Frame& frame) = 0;
  // Says something about who says what to whom; gives a line for people.
  virtual std::string lie_in_head(Draws& draw) = 0;
  // Has some connection to another node end, or all say farewell.
  virtual void break_off(Draws& draw) = 0;
  virtual void leave() = 0;
  // It has another lease.
  virtual void on_lease() = 0;
};

// Central: all goes by the link to the clearinghouse.
class RelayedMouth final : public Mouth {
 public:
  RelayedMouth(society::Way& service, Knowledge& known, Hearing& hearing)
      : service_(service), known_(known), hearing_(hearing) {}

  // What the clearinghouse passed on.
  void on_arrived(const net::Arrived& message);

  void say(LeaseId to, const Frame& frame) override;
  std::string lie_in_head(Draws& draw) override;
  void break_off(Draws&) override {}
  void leave() override {}
  void on_lease() override { unread_.clear(), read_.clear(); }

 private:
  void note_read(LeaseId from, std::uint64_t bytes);

  society::Way& service_;
  Knowledge& known_;
  Hearing& hearing_;
  std::map<LeaseId, std::uint64_t> unread_, read_;
};

// Distributed: a link to each node.
class DirectMouth final : public Mouth {
 public:
  DirectMouth(net::Links& links, society::Turn& turn, Knowledge& known, Hearing& hearing);
  ~DirectMouth() override;

  // Another node wants a link, or has one.
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
  society::Turn& turn_;
  Knowledge& known_;
  Hearing& hearing_;
  std::map<std::string, std::unique_ptr<Neighbour>> neighbours_;
};

}  // namespace coracle::test::lying
