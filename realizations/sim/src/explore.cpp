// All orders of a small world, by depth first; and short lists of choices made of long ones.
#include "walk.hpp"

#include <algorithm>

namespace coracle::sim {

namespace {

// Lends a walk to the world of one run.
class Along final : public Chooser {
 public:
  explicit Along(detail::Walk& walk) noexcept : walk_(walk) {}
  std::size_t choose(Choice what, std::size_t count) noexcept override {
    return walk_.choose(what, count);
  }

 private:
  detail::Walk& walk_;
};

// What `play` throws; empty when it does not.
std::string failure_of(const World::Play& play, World& world) {
  try {
    play(world);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

Exploration World::explore(const Play& play, Options options, Bounds bounds) {
  if (bounds.reduce && bounds.deviations != Bounds().deviations) {
    throw Error(Errc::bad_options,
                "sim::Bounds has both `reduce` and `deviations`; a reduced "
                "exploration needs all orders to choose from, so give one");
  }
  options.record = true;
  if (bounds.reduce) {
    options.turn = Duration::zero();
    options.trace_messages = true;
  }
  Exploration found;
  found.options = options;
  detail::Walk walk(bounds);
  do {
    if (found.runs == bounds.runs) return found;
    World world(options, std::make_unique<Along>(walk));
    if (bounds.reduce) world.core_->show_to(walk);
    ++found.runs;
    found.failure = failure_of(play, world);
    if (!found.failure.empty()) {
      found.choices = world.choices();
      return found;
    }
    found.redundant += walk.redundant() ? 1 : 0;
  } while (walk.advance());
  found.complete = true;
  return found;
}

// Makes ever smaller pieces of the list plain, as long as that fails too.
std::vector<unsigned> World::shrink(const Play& play, std::vector<unsigned> choices,
                                    Options options) {
  const auto fails = [&](const std::vector<unsigned>& list) {
    World world(options, scripted(list));
    return !failure_of(play, world).empty();
  };
  const auto without_tail = [](std::vector<unsigned> list) {
    while (!list.empty() && list.back() == 0) list.pop_back();
    return list;
  };
  if (!fails(choices)) return choices;
  choices = without_tail(std::move(choices));
  for (std::size_t piece = choices.size(); piece != 0;) {
    bool plainer = false;
    for (std::size_t begin = 0; begin < choices.size(); begin += piece) {
      const std::size_t end = std::min(choices.size(), begin + piece);
      std::vector<unsigned> tried = choices;
      std::fill(tried.begin() + static_cast<std::ptrdiff_t>(begin),
                tried.begin() + static_cast<std::ptrdiff_t>(end), 0U);
      if (tried == choices || !fails(tried)) continue;
      choices = without_tail(std::move(tried));
      plainer = true;
    }
    if (!plainer || piece > choices.size()) piece = std::min(piece / 2, choices.size());
  }
  return choices;
}

Faults World::shrink(const SufferingPlay& play, const Faults& faults, Options options) {
  const auto fails = [&](const Faults& fewer) {
    const Play suffering = [&](World& world) { play(world, fewer); };
    World world(options);
    return !failure_of(suffering, world).empty();
  };
  return fails(faults) ? only(faults, needed(faults, fails)) : faults;
}

}  // namespace coracle::sim
