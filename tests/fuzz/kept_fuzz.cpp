// Feeds any bytes to a message store as data that an earlier run has kept: the envelope of a
// message, with its headers, in the format of the journal. Data that cannot be decoded stays where
// it is; a decoded message goes to the next holder of its name.
#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/store_backend.hpp"
#include "coracle/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace {

using namespace coracle;

// A backend that has kept one message for each piece of the input.
class Found final : public StoreBackend {
 public:
  explicit Found(std::vector<Kept> all) : all_(std::move(all)) {}
  Stage promise() const noexcept override { return Stage::stored; }
  std::size_t limit() const noexcept override { return std::size_t{1} << 20; }
  std::vector<Kept> begin(std::function<void()>, Time) override { return std::move(all_); }
  void keep(const Name&, std::span<const std::byte>, const Content&, bool, Time,
            Settled settled) override {
    settled(Error(Errc::stopped, "nothing is kept here"));
  }
  void open(const Name&, Time, std::function<void()> then) override { then(); }
  void finish(std::uint64_t id, Time) override {
    if (id == 0) std::abort();
  }
  Time work(Time) override { return Time::max(); }
  void end(Time) override {}

 private:
  std::vector<Kept> all_;
};

// The other nodes receive everything and send nothing.
class SilentTransport final : public LocalTransport {
 public:
  bool connects_nodes() const noexcept override { return true; }
};

class Reading final : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      if (message.text().size() > 64) std::abort();
    }
  }
};

std::vector<StoreBackend::Kept> cut(std::span<const std::byte> left) {
  std::vector<StoreBackend::Kept> all;
  while (!left.empty() && all.size() < 16) {
    const auto wanted = static_cast<std::size_t>(left.front());
    left = left.subspan(1);
    const auto head = left.first(std::min(wanted, left.size()));
    left = left.subspan(head.size());
    StoreBackend::Kept kept;
    kept.id = all.size() + 1;
    kept.head.assign(head.begin(), head.end());
    kept.content = Content("content");
    kept.handed_out = wanted % 2 == 1;
    kept.age = std::chrono::seconds(wanted);
    all.push_back(std::move(kept));
  }
  return all;
}

}  // namespace

// The input is a list of envelope heads, each behind a byte with its length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sim::Options options;
  options.trace_messages = false;
  sim::World world(options);
  Realization parts = world.realization();
  parts.transport = std::make_shared<SilentTransport>();
  parts.backend = std::make_shared<Found>(cut(std::as_bytes(std::span(data, size))));
  NodeOptions limits;
  limits.names_limit = 64;
  Node node(std::move(parts), limits);
  node.create<Reading>("a");
  node.create<Reading>("bob");
  (void)node.stop(std::chrono::seconds(1));
  return 0;
}
