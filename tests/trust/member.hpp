// A node among members that a test speaks for: what they say is made here, byte by byte, and what
// the node tells them is kept. Time is virtual, and nothing travels.
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/links.hpp"
#include "coracle/realizations/sim.hpp"
#include "runtime/remote_frames.hpp"
#include "support/doer.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::trust {

using namespace std::chrono_literals;
using detail::FrameReader;
using detail::FrameWriter;
using Bytes = std::vector<std::byte>;

// Begins a frame of the core.
class Frame {
 public:
  explicit Frame(detail::FrameKind kind) { byte(kind); }

  Frame& byte(std::uint64_t value) {
    FrameWriter(bytes_).byte(static_cast<std::uint8_t>(value));
    return *this;
  }
  Frame& number(std::uint64_t value) {
    FrameWriter(bytes_).number(value);
    return *this;
  }
  Frame& text(std::string_view value) {
    FrameWriter(bytes_).text(value);
    return *this;
  }
  // A name that is spelled, and not to be kept.
  Frame& name(std::string_view value) { return number(detail::passing_name).text(value); }
  // A name that is spelled and has a number from now on.
  Frame& new_name(std::string_view value) { return number(detail::new_name).text(value); }
  // A mailbox as others see it.
  Frame& mailbox() { return number(1024).number(1 << 20).byte(0); }
  const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

// What a test may say of a message.
struct Said {
  std::string target, source{};
  Incarnation life{};  // of the target
  std::uint64_t serial = 1;
  std::uint64_t flags = 0;
  std::uint64_t sequence = 1;
  Conversation conversation = 0;
  bool tracked = false;
  bool has_extras = false;
  std::string addressed{};
  std::uint64_t gap = 0, ear = 0, entry = 0, redirects = 0;
  std::string redirected_by{};
};
Bytes message(const Said& said, detail::FrameKind kind = detail::message_frame);
Bytes ear(std::uint64_t token, std::uint64_t id, std::string_view hearer, Incarnation life,
          std::string_view source = {}, std::string_view role = {});

// Carries nothing: keeps what the node sends, and hands it what a test makes up.
class StandInLinks final : public Links {
 public:
  void bind(LinkUser& user, LeaseId self) override { user_ = &user, self_ = self; }
  void unbind() noexcept override { user_ = nullptr; }
  bool send(LeaseId, LeaseId to, std::span<const std::byte> frame, const Content&) override {
    sent.emplace_back(to, Bytes(frame.begin(), frame.end()));
    return has_room;
  }
  bool send_apart(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                  const Content& content, const Apart& one) override {
    apart.push_back(one.number);
    return send(self, to, frame, content);
  }
  bool takes_turns() const noexcept override { return true; }
  bool is_heard() override { return true; }
  void refuse(LeaseId peer, std::string_view reason) override { refused[peer] = reason; }
  void feed(LeaseId from, const Bytes& frame, const Content& content) {
    if (user_ != nullptr && !refused.contains(from)) user_->on_frame(from, frame, content);
  }
  void lose(LeaseId peer) {
    if (user_ != nullptr) user_->on_gone(peer);
  }
  void bring_back(LeaseId peer) {
    if (user_ != nullptr) user_->on_back(peer);
  }
  void make_room(LeaseId peer) {
    if (user_ != nullptr) user_->on_room(peer);
  }
  void let_apart_go(LeaseId peer, std::uint64_t number) {
    if (user_ != nullptr) user_->on_apart_gone(peer, number);
  }
  void meet(LeaseId, LeaseId) override { ++met; }
  LeaseId self() const noexcept { return self_; }

  unsigned met = 0;
  bool has_room = true;              // for whatever is sent
  std::vector<std::uint64_t> apart;  // the numbers of the frames that were sent apart
  std::vector<std::pair<LeaseId, Bytes>> sent;
  std::map<LeaseId, std::string> refused;

 private:
  LinkUser* user_ = nullptr;
  LeaseId self_ = 0;
};

// One node of a society, and other members of it that are known to the directory alone.
class Lab {
 public:
  explicit Lab(NodeOptions options = {}, std::shared_ptr<Custody> custody = nullptr);
  ~Lab();

  sim::World& world() noexcept { return world_; }
  Node& node() noexcept { return *node_; }
  StandInLinks& links() noexcept { return *links_; }
  const StandInLinks& links() const noexcept { return *links_; }
  // Another member: its lease.
  LeaseId join();
  // It has left, or was silent for too long.
  void end(LeaseId member, EndReason reason = EndReason::unreachable);
  // It holds the name from now on.
  Incarnation claim(LeaseId member, std::string_view name);
  // Its holder gives the name up.
  void leave(std::string_view name, Incarnation life);
  // The life of a name as the directory knows it.
  Incarnation life_of(std::string_view name);
  // An agent here does that.
  void start(std::string_view name, test::Doer::What what);
  // A member says that, and what is due is done.
  void say(LeaseId member, const Bytes& frame, const Content& content = {});
  void run(Duration span = 50ms) { world_.run_for(span); }
  // How many frames of that kind the node has sent to that member.
  std::size_t count(LeaseId to, detail::FrameKind kind) const;
  // The last of these; empty when there is none.
  Bytes last(LeaseId to, detail::FrameKind kind) const;
  bool is_refused(LeaseId member) const { return links_->refused.contains(member); }

 private:
  sim::World world_;
  std::shared_ptr<StandInLinks> links_;
  std::shared_ptr<Directory> directory_;
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::trust
