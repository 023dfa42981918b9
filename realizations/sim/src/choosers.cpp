#include "coracle/realizations/sim.hpp"
#include "dice.hpp"

namespace coracle::sim {

namespace {

// Some bugs need much disorder, others a plain run with one surprise in it. So a seed decides first
// how often, out of eight times, each kind of choice is plain.
class Seeded final : public Chooser {
 public:
  explicit Seeded(std::uint64_t seed) noexcept : dice_(seed) {
    constexpr std::array<std::uint8_t, 4> likings = {0, 0, 4, 7};
    for (std::uint8_t& liking : plain_) liking = likings[dice_.below(likings.size())];
    // A kind of choice that was added later does not change the choices of older kinds.
    delay_is_plain_ = likings[detail::Dice(~seed).below(likings.size())];
  }

  std::size_t choose(Choice what, std::size_t count) noexcept override {
    const std::uint8_t liking =
        what == Choice::delay ? delay_is_plain_ : plain_[static_cast<std::size_t>(what)];
    if (liking != 0 && dice_.below(8) < liking) return 0;
    return dice_.below(count);
  }

 private:
  detail::Dice dice_;
  std::array<std::uint8_t, 8> plain_{};
  std::uint8_t delay_is_plain_ = 0;
};

class Scripted final : public Chooser {
 public:
  explicit Scripted(std::vector<unsigned> choices) noexcept : choices_(std::move(choices)) {}

  std::size_t choose(Choice, std::size_t count) noexcept override {
    return next_ < choices_.size() ? choices_[next_++] % count : 0;
  }

 private:
  const std::vector<unsigned> choices_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Chooser> seeded(std::uint64_t seed) { return std::make_unique<Seeded>(seed); }

std::unique_ptr<Chooser> scripted(std::vector<unsigned> choices) {
  return std::make_unique<Scripted>(std::move(choices));
}

}  // namespace coracle::sim
