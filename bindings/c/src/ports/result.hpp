// The results of calls, and of operations of roles.
#pragma once

#include "base/cbor.hpp"
#include "base/failure.hpp"
#include "base/handles.hpp"

#include "coracle.h"

#include <any>
#include <memory>
#include <utility>
#include <vector>

namespace coracle::c {

class ResultObject final : public Named {
 public:
  using C = coracle_result;
  static constexpr Kind kind = Kind::result;
  static constexpr const char* words = "result";

  explicit ResultObject(std::vector<Cbor> all) noexcept : values(std::move(all)) {}
  // A record; `shown` is what the program reads of it.
  explicit ResultObject(std::any shown) noexcept : record(std::move(shown)) {}

  const std::vector<Cbor> values;
  const std::any record;
};

// Shows the program the record of a result; `none` and `wrong` are the errors without a place for
// it, and without such a record.
template <class Shown, class View>
coracle_error* show_record(const coracle_result* result, View* out, const char* none,
                           const char* wrong) noexcept {
  return guarded([&] {
    if (out == nullptr) fail_argument(none);
    const auto object = object_of<ResultObject>(result);
    const auto* const found = std::any_cast<std::shared_ptr<const Shown>>(&object->record);
    if (found == nullptr) fail_argument(wrong);
    *out = (*found)->view;
  });
}

}  // namespace coracle::c
