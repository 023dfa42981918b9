#include "coracle/store_backend.hpp"

#include "coracle/errors.hpp"

namespace coracle {

namespace {

// The node has the messages anyway, so that this backend keeps only a number of each.
class MemoryBackend final : public StoreBackend {
 public:
  explicit MemoryBackend(std::size_t limit) : limit_(limit) {}

  Stage promise() const noexcept override { return Stage::accepted; }
  std::size_t limit() const noexcept override { return limit_; }
  std::vector<Kept> begin(std::function<void()>, Time) override { return {}; }
  void keep(const Name&, std::span<const std::byte>, const Content&, bool, Time,
            Settled settled) override {
    settled(++last_);
  }
  void open(const Name&, Time, std::function<void()> then) override { then(); }
  void finish(std::uint64_t, Time) override {}
  Time work(Time) override { return Time::max(); }
  void end(Time) override {}

 private:
  const std::size_t limit_;
  std::uint64_t last_ = 0;
};

}  // namespace

std::shared_ptr<StoreBackend> memory_backend(std::size_t limit) {
  return std::make_shared<MemoryBackend>(limit);
}

}  // namespace coracle
