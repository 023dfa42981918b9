// Explores all orders of a small world, depth first; and shortens long lists of choices.
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

// The text of what `play` throws; empty when it does not throw.
std::string failure_of(const World::Play& play, World& world) {
  try {
    play(world);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// The words of a failure without its numbers, because a shorter run has other numbers.
std::string words_of(std::string_view failure) {
  std::string words;
  for (const char each : failure) {
    const bool is_digit = each >= '0' && each <= '9';
    if (!is_digit) words += each;
    else if (words.empty() || words.back() != '#') words += '#';
  }
  return words;
}

}  // namespace

bool same_failure(std::string_view first, std::string_view other) {
  return words_of(first) == words_of(other);
}

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

// Makes ever smaller pieces of the list plain, as long as the play still fails.
std::vector<unsigned> World::shrink(const Play& play, std::vector<unsigned> choices,
                                    Options options, const SameFailure& is_same) {
  const auto failure = [&](const std::vector<unsigned>& list) {
    World world(options, scripted(list));
    return failure_of(play, world);
  };
  const std::string first = failure(choices);
  const auto fails = [&](const std::vector<unsigned>& list) {
    const std::string other = failure(list);
    return !other.empty() && is_same(first, other);
  };
  const auto without_tail = [](std::vector<unsigned> list) {
    while (!list.empty() && list.back() == 0) list.pop_back();
    return list;
  };
  if (first.empty()) return choices;
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

Faults World::shrink(const SufferingPlay& play, const Faults& faults, Options options,
                     const SameFailure& is_same) {
  const auto failure = [&](const Faults& fewer) {
    const Play suffering = [&](World& world) { play(world, fewer); };
    World world(options);
    return failure_of(suffering, world);
  };
  const std::string first = failure(faults);
  if (first.empty()) return faults;
  const auto fails = [&](const Faults& fewer) {
    const std::string other = failure(fewer);
    return !other.empty() && is_same(first, other);
  };
  return only(faults, needed(faults, fails));
}

}  // namespace coracle::sim
