// Members of JSON objects that are left out when they are empty.
#pragma once

#include "coracle/a2a/model.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

inline void put(Json& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object.set(name, text);
}
inline void put(Json& object, std::string_view name, const Json& value) {
  if (!value.is_null()) object.set(name, value);
}
template <class T>
void put(Json& object, std::string_view name, const std::optional<T>& value) {
  if (value) object.set(name, Json(*value));
}
inline void put(Json& object, std::string_view name, const std::vector<std::string>& texts) {
  if (!texts.empty()) object.set(name, Json::Array(texts.begin(), texts.end()));
}
inline void put_true(Json& object, std::string_view name, bool truth) {
  if (truth) object.set(name, true);
}
template <class T>
Json array_of(const std::vector<T>& all) {
  Json::Array items;
  items.reserve(all.size());
  for (const T& each : all) items.push_back(to_json(each));
  return Json(std::move(items));
}
// An object without members, where Json() would be null.
inline Json empty_object() { return Json(Json::Object()); }

}  // namespace coracle::a2a
