#include "model/transcripts.hpp"

#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <utility>

namespace coracle::mcp {

namespace {

std::size_t size_of(const TranscriptLine& line) noexcept {
  return sizeof line + line.from.view().size() + line.to.view().size() + line.text.size();
}

}  // namespace

bool Transcript::may_see(const std::string& caller) const noexcept {
  if (mutated(Mutation::any_transcript)) return true;
  return !is_private || (!owner.empty() && owner == caller);
}

bool Transcript::has(const Name& agent) const noexcept {
  return std::ranges::any_of(
      lines, [&](const TranscriptLine& each) { return each.from == agent || each.to == agent; });
}

void Transcripts::add(Conversation number, bool is_private, TranscriptLine line) {
  Transcript& to = entered(number);
  to.is_private = to.is_private || is_private;
  const std::size_t bytes = size_of(line);
  to.lines.push_back(std::move(line));
  to.bytes += bytes;
  bytes_ += bytes;
  if (to.lines.size() > limits_.lines_of_each) {
    const std::size_t first = size_of(to.lines.front());
    to.lines.pop_front();
    to.bytes -= first;
    bytes_ -= first;
    ++to.forgotten;
  }
  while (bytes_ > limits_.bytes && !all_.empty()) forget_last();
}

void Transcripts::set_owner(Conversation number, std::string caller) {
  Transcript& of = entered(number);
  of.is_private = true;
  of.owner = std::move(caller);
}

const Transcript* Transcripts::find(Conversation number, const std::string& caller) const noexcept {
  const auto found = places_.find(number);
  if (found == places_.end() || !found->second->may_see(caller)) return nullptr;
  return &*found->second;
}

std::vector<const Transcript*> Transcripts::latest(const std::string& caller, const Name& agent,
                                                   std::size_t most) const {
  std::vector<const Transcript*> found;
  for (const Transcript& each : all_) {
    if (found.size() >= most) break;
    if (each.lines.empty() || !each.may_see(caller)) continue;
    if (agent.empty() || each.has(agent)) found.push_back(&each);
  }
  return found;
}

// The conversation, which is the latest now.
Transcript& Transcripts::entered(Conversation number) {
  const auto known = places_.find(number);
  if (known != places_.end()) {
    all_.splice(all_.begin(), all_, known->second);
    return all_.front();
  }
  if (all_.size() >= limits_.conversations) forget_last();
  all_.emplace_front().number = number;
  places_[number] = all_.begin();
  return all_.front();
}

void Transcripts::forget_last() {
  bytes_ -= all_.back().bytes;
  places_.erase(all_.back().number);
  all_.pop_back();
}

}  // namespace coracle::mcp
