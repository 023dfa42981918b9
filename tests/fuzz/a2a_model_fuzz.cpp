// Feeds any JSON to the readers of A2A's objects. There must be no crash; an object that was read
// must be the same once it was written and read again.
#include "coracle/a2a/model_json.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace coracle::a2a;
using coracle::web::JsonReader;

template <class T>
void try_as(const Json& json) {
  T object;
  try {
    object = read<T>(JsonReader(json));
  } catch (const coracle::web::JsonError&) {
    return;
  }
  const Json written = to_json(object);
  if (!(read<T>(JsonReader(written)) == object)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = coracle::web::parse_json(text);
  if (!json) return 0;
  try_as<Message>(*json);
  try_as<Task>(*json);
  try_as<StreamItem>(*json);
  try_as<SendMessageRequest>(*json);
  try_as<ListTasksRequest>(*json);
  try_as<ListTasksResponse>(*json);
  try_as<PushConfig>(*json);
  try_as<AgentCard>(*json);
  return 0;
}
