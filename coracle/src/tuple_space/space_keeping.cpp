// The reports of a space to its keeper, if it has one.
#include "tuple_space/space_state.hpp"

#include "coracle/support/mutations.hpp"
#include "coracle/typed.hpp"

namespace coracle {

using detail::TupleRequest;

void TupleSpace::State::put_out(Content content, Time until, std::uint64_t key) {
  detail::HeldFields held;
  held.fields = &content.as<TupleRequest>().fields;
  if (options.keeper) {
    const Time now = space.now();
    const Duration left = until == Time::max() ? Duration::max() : until - now;
    held.kept = options.keeper->keep(key, content.bytes(), left, now).value();
    unsaved = true;
  }
  held.content = std::move(content);
  store.out(std::move(held), until, grants);
}

// Evaluations are not kept; a result that comes while the disk is full is only in memory.
void TupleSpace::State::put_out_result(Content content) {
  try {
    put_out(content, Time::max());
  } catch (const Error&) {
    store.out({content, &content.as<TupleRequest>().fields}, Time::max(), grants);
  }
}

void TupleSpace::State::recover() {
  if (!options.keeper) return;
  const Time now = space.now();
  const auto all = options.keeper->open(now);
  for (const TupleKeeper::Kept& kept : all.value()) {
    detail::HeldFields held;
    held.content = Content::bytes(kept.bytes, content_type_of<TupleRequest>());
    held.fields = &held.content.as<TupleRequest>().fields;
    held.kept = kept.number;
    const Time until = kept.left == Duration::max() ? Time::max() : Deadline(kept.left).at(now);
    store.out(std::move(held), until, grants);
    if (kept.key != 0) remember(kept.key);
  }
}

Result<void> TupleSpace::State::save() {
  if (!options.keeper) return {};
  woken = false;
  if (const std::vector<std::uint64_t> gone = store.take_gone(); !gone.empty()) {
    unsaved = true;
    if (mutated(Mutation::gone_not_told)) return {};
    if (auto forgotten = options.keeper->forget(gone); !forgotten) return forgotten.error();
  }
  if (!unsaved || mutated(Mutation::said_before_saved)) return {};
  auto saved = options.keeper->sync(space.now());
  if (saved) unsaved = false;
  return saved;
}

}  // namespace coracle
