// What another node of the society may send: whatever it is, it ends that link and nothing else.
#include "coracle/coracle.hpp"
#include "coracle/links.hpp"
#include "coracle/realizations/sim.hpp"

#include <cstdint>

namespace {

using namespace coracle;

constexpr LeaseId stranger = 77;

// Leads to one peer, which sends what the fuzzer made.
class StrangeLinks final : public Links {
 public:
  void bind(LinkUser& user, LeaseId) override { user_ = &user; }
  void unbind() noexcept override { user_ = nullptr; }
  bool send(LeaseId, LeaseId, std::span<const std::byte>, const Content&) override { return true; }
  bool is_heard() override { return true; }
  void refuse(LeaseId, std::string_view) override { refused_ = true; }
  void feed(std::span<const std::byte> frame) {
    const Content content("content");
    if (user_ != nullptr && !refused_) user_->on_frame(stranger, frame, content);
  }

 private:
  LinkUser* user_ = nullptr;
  bool refused_ = false;
};

class Listener final : public Agent {
 public:
  Task<> run() override {
    for (;;) co_await receive();
  }
};

}  // namespace

// The input is frames, each behind a byte that says how long it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sim::Options options;
  options.trace_messages = false;
  sim::World world(options);
  const auto links = std::make_shared<StrangeLinks>();
  Realization parts = world.realization();
  parts.transport = local_transport(links);
  parts.custody = memory_custody(std::size_t{1} << 20);
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
    links->feed(frame);
    world.run_for(std::chrono::milliseconds(1));
  }
  if (!node.ledger().balanced()) __builtin_trap();
  return 0;
}
