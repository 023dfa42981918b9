// A node among members that the test plays: the test makes their frames byte by byte, and keeps the
// frames that the node sends to them. Time is virtual, and no bytes travel.
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/transport.hpp"
#include "runtime/remote/homes.hpp"
#include "support/societies/doer.hpp"

#include <chrono>
#include <functional>
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
  // A name that is spelled out and gets no number.
  Frame& name(std::string_view value) { return number(detail::passing_name).text(value); }
  // A name that is spelled out and gets a number.
  Frame& new_name(std::string_view value) { return number(detail::new_name).text(value); }
  // The limits of a mailbox, as other nodes receive them.
  Frame& mailbox() { return number(1024).number(1 << 20).byte(0); }
  const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

// The fields of a message that a test can set.
struct MessageFields {
  std::string target, source{};
  Incarnation life{};  // of the target
  std::uint64_t serial = 1;
  std::uint64_t flags = 0;
  std::uint64_t sequence = 1;
  Conversation conversation = 0;
  bool tracked = false;
  bool has_fields = false;
  std::string addressed{};
  std::uint64_t gap = 0, tap = 0, entry = 0, redirects = 0;
  std::string redirected_by{};
  std::uint8_t note = 0;      // of a copy or a gap
  Incarnation source_life{};  // of a copy
};
Bytes message(const MessageFields& fields, detail::FrameKind kind = detail::message_frame);
Bytes tap(std::uint64_t token, std::uint64_t id, std::string_view eavesdropper, Incarnation life,
          std::string_view source = {}, std::string_view role = {});

// Carries nothing: keeps the frames that the node sends, and hands it the frames that a test makes.
class StandInTransport final : public LocalTransport {
 public:
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& user, LeaseId self) override { user_ = &user, self_ = self; }
  void detach() noexcept override { user_ = nullptr; }
  bool send(LeaseId, LeaseId to, std::span<const std::byte> frame, const Content&,
            const Apart* one) override {
    if (one != nullptr) apart.push_back(one->number);
    sent.emplace_back(to, Bytes(frame.begin(), frame.end()));
    return has_room;
  }
  bool sends_apart() const noexcept override { return true; }
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
  bool has_room = true;              // for every frame
  std::vector<std::uint64_t> apart;  // the numbers of the frames that were sent apart
  std::vector<std::pair<LeaseId, Bytes>> sent;
  std::map<LeaseId, std::string> refused;

 private:
  FrameReceiver* user_ = nullptr;
  LeaseId self_ = 0;
};

// One node of a society, with other members that only the directory knows.
class Lab {
 public:
  explicit Lab(NodeOptions options = {}, std::shared_ptr<StoreBackend> backend = nullptr);
  // Calls `before` when there is a directory, and no node yet.
  Lab(NodeOptions options, std::shared_ptr<StoreBackend> backend,
      const std::function<void(Lab&)>& before);
  ~Lab();

  sim::World& world() noexcept { return world_; }
  Node& node() noexcept { return *node_; }
  StandInTransport& transport() noexcept { return *transport_; }
  const StandInTransport& transport() const noexcept { return *transport_; }
  // Adds another member; returns its lease.
  LeaseId join();
  // Ends the member: it has left, or was silent for too long.
  void end(LeaseId member, EndReason reason = EndReason::unreachable);
  // From now on, the member holds the name.
  Incarnation claim(LeaseId member, std::string_view name);
  // The holder gives the name up.
  void leave(std::string_view name, Incarnation life);
  // The incarnation of a name, as the directory knows it.
  Incarnation life_of(std::string_view name);
  // Starts an agent on this node that performs `what`.
  void start(std::string_view name, test::Doer::What what);
  // A member sends the frame, and the node handles it.
  void send(LeaseId member, const Bytes& frame, const Content& content = {});
  void run(Duration span = 50ms) { world_.run_for(span); }
  // The number of frames of that kind that the node has sent to that member.
  std::size_t count(LeaseId to, detail::FrameKind kind) const;
  // The last of these frames; empty when there is none.
  Bytes last(LeaseId to, detail::FrameKind kind) const;
  bool is_refused(LeaseId member) const { return transport_->refused.contains(member); }

 private:
  sim::World world_;
  std::shared_ptr<StandInTransport> transport_;
  std::shared_ptr<Directory> directory_;
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::trust
