#include "ground.hpp"

#include <memory>

namespace coracle::tuples {

void Meadow::run(Body body, TupleSpaceOptions options) {
  run_alone([this, body, options](Agent& me) -> Task<> {
    auto space = std::make_unique<WatchedSpace>(options, given_back_);
    co_await place(me, "board", std::move(space));
    co_await body(me);
  });
}

}  // namespace coracle::tuples
