#include "tuple_space/eval_board.hpp"

#include <utility>

namespace coracle::detail {

void EvalBoard::offer(const Name& who, std::uint64_t life, std::uint32_t at_once,
                      const std::vector<std::string>& functions) {
  Evaluator& evaluator = evaluators_[who];
  evaluator.life = life;
  evaluator.at_once = at_once;
  evaluator.functions = functions;
  offered_.insert(functions.begin(), functions.end());
}

std::vector<EvalBoard::Job> EvalBoard::lost(const Name& who) {
  std::vector<Job> given_up;
  const auto found = evaluators_.find(who);
  if (found == evaluators_.end()) return given_up;
  auto jobs = std::move(found->second.jobs);
  evaluators_.erase(found);
  // The youngest job goes back first, so that in the end the oldest is before all others.
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    Job& one = job->second;
    if (one.tries >= most_tries_) {
      --open_;
      given_up.push_back(std::move(one));
      continue;
    }
    ++given_again_;
    waiting_[one.function].push_front(std::move(one));
  }
  return given_up;
}

bool EvalBoard::knows(const Name& who, std::uint64_t life) const {
  const auto found = evaluators_.find(who);
  return found != evaluators_.end() && found->second.life == life;
}

void EvalBoard::add(std::string function, TupleFields arguments) {
  auto& jobs = waiting_[function];
  jobs.push_back({next_job_++, std::move(function), std::move(arguments), 0});
  ++open_;
}

// Evaluators take turns; each begins with the oldest job that it can do.
std::optional<EvalBoard::Turn> EvalBoard::next() {
  if (waiting_.empty() || evaluators_.empty()) return std::nullopt;
  auto each = evaluators_.upper_bound(last_);
  for (std::size_t tried = 0; tried < evaluators_.size(); ++tried, ++each) {
    if (each == evaluators_.end()) each = evaluators_.begin();
    Evaluator& evaluator = each->second;
    if (evaluator.jobs.size() >= evaluator.at_once) continue;
    auto oldest = waiting_.end();
    for (const std::string& function : evaluator.functions) {
      const auto queue = waiting_.find(function);
      if (queue == waiting_.end()) continue;
      if (oldest == waiting_.end() || queue->second.front().id < oldest->second.front().id) {
        oldest = queue;
      }
    }
    if (oldest == waiting_.end()) continue;
    Job job = std::move(oldest->second.front());
    oldest->second.pop_front();
    if (oldest->second.empty()) waiting_.erase(oldest);
    ++job.tries;
    evaluator.jobs.emplace(job.id, job);
    last_ = each->first;
    return Turn{each->first, evaluator.life, std::move(job)};
  }
  return std::nullopt;
}

std::optional<EvalBoard::Job> EvalBoard::done(const Name& who, std::uint64_t life,
                                              std::uint64_t job) {
  if (!knows(who, life)) return std::nullopt;
  auto& jobs = evaluators_.at(who).jobs;
  const auto found = jobs.find(job);
  if (found == jobs.end()) return std::nullopt;
  Job done = std::move(found->second);
  jobs.erase(found);
  --open_;
  return done;
}

}  // namespace coracle::detail
