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

// The request of an operation that is under way. It may be called off until the space has replied.
class SpaceRequest {
 public:
  // The operation fails with Errc::cancelled. It takes no tuple; the space may still put one.
  void call_off() noexcept {
    if (asking_ != nullptr) asking_->call_off();
  }

 private:
  friend class coracle::Space;
  class Asked;

  Asking* asking_ = nullptr;
};

struct SpaceAccess {
  static Task<FieldNotices> listen(Space& space, Lease lease, TupleFields pattern) {
    co_return FieldNotices(co_await space.listen(lease, std::move(pattern)));
  }
  static Task<> put(Space& space, TupleAct act, Lease lease, TupleFields fields,
                    SpaceRequest* under_way = nullptr) {
    return space.put(act, lease, std::move(fields), under_way);
  }
  // The tuple; nothing when there is none, or when the deadline passes.
  static Task<std::optional<TupleFields>> find(Space& space, TupleAct act, TupleFields pattern,
                                               Deadline deadline,
                                               SpaceRequest* under_way = nullptr) {
    const std::optional<Content> found =
        co_await space.find(act, std::move(pattern), deadline, under_way);
    if (!found) co_return std::nullopt;
    co_return found->as<TupleRequest>().fields;
  }
};

}  // namespace coracle::detail
