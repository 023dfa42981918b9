#include "tasks/post_turns.hpp"

#include <algorithm>
#include <utility>

namespace coracle::a2a {

namespace {

using PostsTo = std::map<std::string, std::size_t>;

std::size_t posts_to(const PostsTo& servers, const std::string& server) {
  const auto found = servers.find(server);
  return found == servers.end() ? 0 : found->second;
}

void end_post_to(PostsTo& servers, const std::string& server) {
  const auto found = servers.find(server);
  if (--found->second == 0) servers.erase(found);
}

}  // namespace

void PostTurns::want(Turn turn) {
  callers_[turn.caller].waiting.push_back(std::move(turn));
  ++waiting_;
}

void PostTurns::forget(const std::string& caller, const std::string& task, const std::string& id) {
  const auto place = callers_.find(caller);
  if (place == callers_.end()) return;
  waiting_ -= std::erase_if(place->second.waiting,
                            [&](const Turn& each) { return each.task == task && each.id == id; });
  clean(place);
}

bool PostTurns::may_begin(const Caller& caller, const std::string& server) const {
  return posts_to(servers_, server) < limits_.posts_per_server &&
         posts_to(caller.servers, server) < limits_.posts_per_caller_and_server;
}

// The first turn of a caller that may begin; it has begun then.
std::optional<PostTurns::Turn> PostTurns::next_of(Caller& caller) {
  if (caller.posts >= limits_.posts_per_caller || caller.bytes >= limits_.bytes_per_caller)
    return std::nullopt;
  const auto first = std::find_if(caller.waiting.begin(), caller.waiting.end(),
                                  [&](const Turn& each) { return may_begin(caller, each.server); });
  if (first == caller.waiting.end()) return std::nullopt;
  Turn turn = std::move(*first);
  caller.waiting.erase(first);
  --waiting_;
  ++posts_;
  ++caller.posts;
  ++caller.servers[turn.server];
  ++servers_[turn.server];
  return turn;
}

std::optional<PostTurns::Turn> PostTurns::next(
    const std::function<std::size_t(const Turn&)>& weigh) {
  if (waiting_ == 0 || posts_ >= limits_.posts || bytes_ >= limits_.bytes) return std::nullopt;
  auto place = callers_.upper_bound(last_);
  for (std::size_t i = 0; i < callers_.size(); ++i, ++place) {
    if (place == callers_.end()) place = callers_.begin();
    auto turn = next_of(place->second);
    if (!turn) continue;
    last_ = place->first;
    turn->bytes = weigh(*turn);
    bytes_ += turn->bytes;
    place->second.bytes += turn->bytes;
    return turn;
  }
  return std::nullopt;
}

void PostTurns::end(const Turn& turn) {
  const auto place = callers_.find(turn.caller);
  Caller& caller = place->second;
  --posts_;
  --caller.posts;
  bytes_ -= turn.bytes;
  caller.bytes -= turn.bytes;
  end_post_to(caller.servers, turn.server);
  end_post_to(servers_, turn.server);
  clean(place);
}

void PostTurns::clean(Callers::iterator place) {
  if (place->second.waiting.empty() && place->second.posts == 0) callers_.erase(place);
}

}  // namespace coracle::a2a
