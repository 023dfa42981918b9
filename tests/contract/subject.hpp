// The contract: what DESIGN section 4 promises, as cases that every realization must pass. A
// realization is tested by one call of run_contract().
#pragma once

#include "coracle/realization.hpp"
#include "support/suites.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::contract {

using test::Proof;
using test::register_suite;

// What a promise speaks of that not every realization has.
enum class Need : std::uint8_t {
  nothing,
  two_workers,       // agents of one node on different threads
  second_node,       // another node of the same society
  storage,           // a custodian that survives a restart
  connection,        // bytes from a peer
  turns,             // a link on which large messages take turns with others
  listener,          // a place where strangers may knock
  second_directory,  // two directories that were active at once, or one that restarts
  threads,           // several things at the same moment, one of them waiting for another
};

// Has the nodes of a society lose their power and come back, while a workload is played.
class Power {
 public:
  // The node of that number, counted from zero as they are in nodes_of(), has lost its power, or
  // may have another life.
  struct Change {
    unsigned node = 0;
    bool is_on = false;
  };

  virtual ~Power() = default;
  // What has happened since the last call.
  virtual std::optional<Change> next() = 0;
  // For the other life.
  virtual Realization parts(unsigned node) = 0;
};

// What is tested. `open` makes a fresh society each time.
struct Subject {
  std::string name;
  std::function<Realization()> open;
  unsigned workers = 1;
  // Ends all faults that it suffers from, before everything must come to its end; may be empty.
  std::function<void()> calm = {};
  // More nodes of the society that was opened last; the agents of a case live on all of them.
  std::function<std::vector<Realization>()> join;
  // Of these nodes; made by `join`. Left out: nothing happens to them.
  std::function<std::shared_ptr<Power>()> power = {};
  // Ends its custodian (false), or begins another one (true) on what the last one has stored. Not
  // left out where nodes can entrust what they send (Need::storage).
  std::function<void(bool)> custodian = {};
  // What it has not got, and why; a case that needs it is named and not run.
  std::map<Need, std::string> cannot;
};

// A fresh society: all its nodes.
std::vector<Realization> nodes_of(const Subject& subject);

// One sentence and its proof, which throws when the sentence is not true.
struct Case {
  int promise = 0;  // its number in docs/promises.md; 0: bad input (promise 10 within a process)
  const char* sentence = nullptr;
  void (*prove)(const Subject&) = nullptr;  // nullptr: a test elsewhere does
  Need need = Need::nothing;
  const char* place = nullptr;  // of that test
};

using Cases = std::vector<Case>;

// A Case that is named like its function.
#define CORACLE_CASE(promise, sentence) \
  ::coracle::contract::Case { promise, #sentence, &sentence, ::coracle::contract::Need::nothing }
#define CORACLE_CASE_NEEDS(promise, sentence, need) \
  ::coracle::contract::Case { promise, #sentence, &sentence, ::coracle::contract::Need::need }
// A sentence that agents cannot ask a realization about; `place` says which test proves it, as
// "tests/simulation/some_test.cpp: its_case". tests/tidy.py fails when there is no such case.
#define CORACLE_CASE_ELSEWHERE(promise, sentence, need, place) \
  ::coracle::contract::Case { promise, #sentence, nullptr, ::coracle::contract::Need::need, place }

// The sentences of each promise.
Cases name_cases();         // 1
Cases order_cases();        // 2
Cases outcome_cases();      // 3
Cases absent_cases();       // 4
Cases reading_cases();      // 5
Cases group_cases();        // 6
Cases last_message_cases();  // 6
Cases late_joiner_cases();   // 6
Cases eavesdrop_cases();    // 7
Cases bound_cases();        // 8
Cases overflow_cases();     // 8
Cases ending_cases();       // 9
Cases supervision_cases();  // 9
Cases timed_cases();        // 9
Cases bad_input_cases();    // 10
Cases failure_cases();      // 11
Cases admission_cases();    // 12
// All of them.
Cases all_cases();

// Runs one case: prints that it is not applicable, or which other test proves it, or throws what is
// wrong.
void prove(const Case& sentence, const Subject& subject);
// What the case of that name says about `subject`: nothing when it passes.
std::string verdict_of(const std::string& sentence, const Subject& subject);

// Registers every sentence, as a test case in the suite `suite`, for each of `subjects` (a suite
// within, named like the subject). Called while statics are made, like BOOST_AUTO_TEST_SUITE.
bool run_contract(const std::string& suite, std::vector<Subject> subjects);

}  // namespace coracle::contract
