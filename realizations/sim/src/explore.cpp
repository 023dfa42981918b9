// All orders of a small world, by depth first; and short lists of choices made of long ones.
#include "core.hpp"

#include <algorithm>

namespace coracle::sim {

namespace {

// One path through the tree of choices. What does not change the order of operations is plain: a
// worker shows what it sent after each of them.
class Walk final : public Chooser {
 public:
  struct Fork {
    unsigned taken, count;
  };

  Walk(std::vector<Fork>& path, unsigned deviations) noexcept
      : path_(path), deviations_left_(deviations) {}

  std::size_t choose(Choice what, std::size_t count) noexcept override {
    if (what == Choice::slice || what == Choice::more || what == Choice::duration) return 0;
    if (at_ == path_.size()) path_.push_back({0, static_cast<unsigned>(count)});
    Fork& fork = path_[at_++];
    if (deviations_left_ == 0) fork.count = 1;  // none of the other branches is taken
    if (fork.taken != 0) --deviations_left_;
    return fork.taken;
  }

 private:
  std::vector<Fork>& path_;
  std::size_t at_ = 0;
  unsigned deviations_left_;
};

// Goes to the next path; false when there is none.
bool advance(std::vector<Walk::Fork>& path) {
  while (!path.empty() && path.back().taken + 1 >= path.back().count) path.pop_back();
  if (path.empty()) return false;
  ++path.back().taken;
  return true;
}

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
  options.record = true;
  Exploration found;
  std::vector<Walk::Fork> path;
  for (;;) {
    if (found.runs == bounds.runs) return found;
    World world(options, std::make_unique<Walk>(path, bounds.deviations));
    ++found.runs;
    found.failure = failure_of(play, world);
    if (!found.failure.empty()) {
      found.choices = world.choices();
      return found;
    }
    if (!advance(path)) {
      found.complete = true;
      return found;
    }
  }
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

}  // namespace coracle::sim
