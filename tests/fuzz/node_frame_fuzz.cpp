// Frames from another node of the society: whatever they are, they end that link and nothing else.
#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/transport.hpp"

#include <cstdint>

namespace {

using namespace coracle;

constexpr LeaseId stranger = 77;

// Has one peer, which sends the fuzzer's frames.
class StrangeTransport final : public LocalTransport {
 public:
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& user, LeaseId) override { user_ = &user; }
  void detach() noexcept override { user_ = nullptr; }
  void refuse(LeaseId, std::string_view) override { refused_ = true; }
  void feed(std::span<const std::byte> frame) {
    const Content content("content");
    if (user_ != nullptr && !refused_) user_->on_frame(stranger, frame, content);
  }

 private:
  FrameReceiver* user_ = nullptr;
  bool refused_ = false;
};

class Listener final : public Agent {
 public:
  Task<> run() override {
    for (;;) co_await receive();
  }
};

}  // namespace

// The input is a list of frames, each behind a byte with its length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sim::Options options;
  options.trace_messages = false;
  sim::World world(options);
  const auto transport = std::make_shared<StrangeTransport>();
  Realization parts = world.realization();
  parts.transport = transport;
  parts.backend = memory_backend(std::size_t{1} << 20);
  NodeOptions limits;
  limits.names_limit = 64;
  Node node(std::move(parts), limits);
  node.create<Listener>("a");
  auto left = std::as_bytes(std::span(data, size));
  while (!left.empty()) {
    const auto wanted = static_cast<std::size_t>(left.front());
    left = left.subspan(1);
    const auto frame = left.first(std::min(wanted, left.size()));
    left = left.subspan(frame.size());
    transport->feed(frame);
    world.run_for(std::chrono::milliseconds(1));
  }
  if (!node.ledger().balanced()) __builtin_trap();
  return 0;
}
