// Helpers of the readers.
#pragma once

#include "coracle/a2a/model_json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

// A member that is a text, and not empty.
std::string needed_text(const web::JsonReader& in, std::string_view name);
// A member that is an object; null if it is missing.
Json object_or_null(const web::JsonReader& in, std::string_view name);
TaskState state_in(const web::JsonReader& in);

// The objects of a member that is an array; none if it is missing.
template <class T>
std::vector<T> list_in(const web::JsonReader& in, std::string_view name, std::size_t most) {
  std::vector<T> all;
  const auto found = in.find(name);
  if (!found) return all;
  for (const web::JsonReader& each : found->items(most)) all.push_back(read<T>(each));
  return all;
}

}  // namespace coracle::a2a
