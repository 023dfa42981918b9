// What is to be evaluated for one space, and who does it: a pure state machine. A job is somebody's
// until its result comes, or until that evaluator is lost; then it is another's.
#pragma once

#include "coracle/name.hpp"
#include "coracle/tuple.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::detail {

class EvalBoard {
 public:
  struct Job {
    std::uint64_t id = 0;
    std::string function;
    TupleFields arguments;
    std::uint32_t tries = 0;
  };
  struct Turn {
    Name evaluator;
    std::uint64_t life = 0;
    Job job;
  };

  explicit EvalBoard(std::uint32_t most_tries) noexcept : most_tries_(most_tries) {}

  // An evaluator is there, in that life of its. Said again, it changes nothing.
  void offer(const Name& evaluator, std::uint64_t life, std::uint32_t at_once,
             const std::vector<std::string>& functions);
  // It is lost. What it had is for others; what too many were lost over is given up.
  std::vector<Job> lost(const Name& evaluator);
  bool knows(const Name& evaluator, std::uint64_t life) const;
  // Whether somebody has ever offered that function.
  bool offered(const std::string& function) const { return offered_.contains(function); }
  void add(std::string function, TupleFields arguments);
  // The next job that somebody can begin now.
  std::optional<Turn> next();
  // Its result has come; nothing when it is not this one's any more.
  std::optional<Job> done(const Name& evaluator, std::uint64_t life, std::uint64_t job);
  // Jobs that have no result yet.
  std::size_t open() const noexcept { return open_; }
  std::size_t evaluators() const noexcept { return evaluators_.size(); }
  // Whether some wait for an evaluator.
  bool has_waiting() const noexcept { return !waiting_.empty(); }
  // How often a job was given a second time.
  std::uint64_t given_again() const noexcept { return given_again_; }

 private:
  struct Evaluator {
    std::uint64_t life = 0;
    std::uint32_t at_once = 1;
    std::vector<std::string> functions;
    std::map<std::uint64_t, Job> jobs;
  };

  const std::uint32_t most_tries_;
  std::map<Name, Evaluator> evaluators_;
  std::set<std::string> offered_;
  std::map<std::string, std::deque<Job>> waiting_;  // by function; none is empty
  std::uint64_t next_job_ = 1;
  std::uint64_t given_again_ = 0;
  std::size_t open_ = 0;
  Name last_;  // whose turn it was
};

}  // namespace coracle::detail
