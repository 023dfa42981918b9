// Tuples whose fields are known only at run time, as in an interface for another language.
#pragma once

#include "coracle/tuple_space.hpp"

#include <optional>
#include <utility>

namespace coracle::detail {

// Notices of tuples whose fields are known only at run time.
class FieldNotices : public NoticesBase {
 public:
  explicit FieldNotices(NoticesBase base) noexcept : NoticesBase(std::move(base)) {}
  using NoticesBase::wanted;
  TupleFields fields_of(Message& notice) { return take(notice).as<TupleNotice>().fields; }
};

struct SpaceAccess {
  static Task<FieldNotices> listen(Space& space, Lease lease, TupleFields pattern) {
    co_return FieldNotices(co_await space.listen(lease, std::move(pattern)));
  }
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
