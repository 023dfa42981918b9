// Tuples whose fields are known only at run time, as in an interface for another language.
#pragma once

#include "coracle/tuple_space.hpp"

#include <optional>
#include <utility>

namespace coracle::detail {

struct SpaceAccess {
  static Task<> put(Space& space, TupleAct act, Lease lease, TupleFields fields) {
    return space.put(act, lease, std::move(fields));
  }
  // The tuple; nothing when there is none, or when the deadline passes.
  static Task<std::optional<TupleFields>> find(Space& space, TupleAct act, TupleFields pattern,
                                               Deadline deadline) {
    const std::optional<Content> found = co_await space.find(act, std::move(pattern), deadline);
    if (!found) co_return std::nullopt;
    co_return found->as<TupleRequest>().fields;
  }
};

}  // namespace coracle::detail
