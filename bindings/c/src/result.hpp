// What an operation of a role, or a call, has brought.
#pragma once

#include "cbor.hpp"
#include "handles.hpp"

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

// Returns the record of that type in a result.
template <class T>
const T& record_in(const ResultObject& result, const char* what) {
  const auto* const found = std::any_cast<std::shared_ptr<const T>>(&result.record);
  if (found == nullptr) fail_argument(what);
  return **found;
}

}  // namespace coracle::c
