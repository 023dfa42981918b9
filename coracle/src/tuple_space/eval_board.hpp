// The evaluations of one space and their evaluators: a pure state machine. A job belongs to one
// evaluator until its result comes or that evaluator is lost; then another evaluator gets the job.
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

  // Adds an evaluator in that incarnation. A repeated call changes nothing.
  void offer(const Name& evaluator, std::uint64_t life, std::uint32_t at_once,
             const std::vector<std::string>& functions);
  // Removes an evaluator that is lost. Its jobs go to other evaluators; returns the jobs that are
  // given up because too many evaluators were lost over them.
  std::vector<Job> lost(const Name& evaluator);
  bool knows(const Name& evaluator, std::uint64_t life) const;
  // Returns whether any evaluator has ever offered that function.
  bool offered(const std::string& function) const { return offered_.contains(function); }
  void add(std::string function, TupleFields arguments);
  // The next job that an evaluator can begin now.
  std::optional<Turn> next();
  // Removes a job whose result has come; returns nothing when the job no longer belongs to this
  // evaluator.
  std::optional<Job> done(const Name& evaluator, std::uint64_t life, std::uint64_t job);
  // The number of jobs that have no result yet.
  std::size_t open() const noexcept { return open_; }
  std::size_t evaluators() const noexcept { return evaluators_.size(); }
  // Returns whether jobs wait for an evaluator.
  bool has_waiting() const noexcept { return !waiting_.empty(); }
  // The number of times that a job was given to an evaluator again.
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
  Name last_;  // the evaluator that had the last turn
};

}  // namespace coracle::detail
