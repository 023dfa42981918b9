#include "result.hpp"

#include "base/failure.hpp"

using namespace coracle::c;

coracle_error* coracle_result_count(const coracle_result* result, size_t* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_result_count: `out` is NULL");
    *out = object_of<ResultObject>(result)->values.size();
  });
}

coracle_error* coracle_result_value(const coracle_result* result, size_t number, const void** value,
                                    size_t* size) {
  return guarded([&] {
    if (value == nullptr || size == nullptr)
      fail_argument("coracle_result_value: `value` or `size` is NULL");
    const auto object = object_of<ResultObject>(result);
    if (number >= object->values.size())
      fail_argument("coracle_result_value: there are not so many values; they count from 0");
    *value = object->values[number].bytes.data();
    *size = object->values[number].bytes.size();
  });
}

void coracle_result_free(coracle_result* result) {
  coracle_error_free(guarded([&] { (void)remove_handle<ResultObject>(result); }));
}
