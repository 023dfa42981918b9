#include "tasks/weight.hpp"

#include <string>
#include <vector>

namespace coracle::a2a {

namespace {

struct ContentWeight {
  std::size_t operator()(const std::string& text) const noexcept { return text.size(); }
  std::size_t operator()(const Raw& raw) const noexcept { return raw.bytes.size(); }
  std::size_t operator()(const FileUrl& file) const noexcept { return file.url.size(); }
  std::size_t operator()(const Json& data) const noexcept { return data.bytes(); }
};

std::size_t weight_of(const std::vector<Part>& parts) noexcept {
  std::size_t sum = 0;
  for (const Part& each : parts)
    sum += sizeof each + std::visit(ContentWeight(), each.content) + each.metadata.bytes() +
           each.filename.size() + each.media_type.size();
  return sum;
}

std::size_t weight_of(const std::vector<std::string>& texts) noexcept {
  std::size_t sum = 0;
  for (const std::string& each : texts) sum += sizeof each + each.size();
  return sum;
}

}  // namespace

std::size_t weight_of(const Message& message) noexcept {
  return sizeof message + message.message_id.size() * 3 + weight_of(message.parts) +
         message.metadata.bytes() + weight_of(message.extensions) +
         weight_of(message.reference_task_ids);
}

std::size_t weight_of(const Artifact& artifact) noexcept {
  return sizeof artifact + artifact.artifact_id.size() + artifact.name.size() +
         artifact.description.size() + weight_of(artifact.parts) + artifact.metadata.bytes() +
         weight_of(artifact.extensions);
}

}  // namespace coracle::a2a
