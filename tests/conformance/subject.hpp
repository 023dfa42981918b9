// The conformance suite: the promises of docs/promises.md, as cases that every realization must
// pass. One call of run_conformance() tests a realization.
#pragma once

#include "coracle/realization.hpp"
#include "support/suites.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::conformance {

using test::Proof;
using test::register_suite;

// A capability that some promises need and not every realization has.
enum class Need : std::uint8_t {
  nothing,
  two_workers,       // agents of one node on different threads
  second_node,       // another node of the same society
  storage,           // a message store that survives a restart
  connection,        // bytes from a peer
  turns,             // a link on which large messages take turns with others
  listener,          // an address to which strangers may connect
  second_directory,  // two directories that were active at once, or one that restarts
  threads,           // several events at the same moment, one of which waits for another
};

// Makes nodes of a society lose their power and come back while a workload is played.
class Power {
 public:
  // A node has lost its power (`is_on` is false), or may have another incarnation (true). `node` is
  // counted from zero, as in nodes_of().
  struct Change {
    unsigned node = 0;
    bool is_on = false;
  };

  virtual ~Power() = default;
  // The change since the last call, if there was one.
  virtual std::optional<Change> next() = 0;
  // The parts of the node's next incarnation.
  virtual Realization parts(unsigned node) = 0;
};

// The subject of a test. `open` makes a fresh society each time.
struct Subject {
  std::string name;
  std::function<Realization()> open;
  unsigned workers = 1;
  // Ends all faults of the society before everything must come to its end; may be empty.
  std::function<void()> calm = {};
  // Makes further nodes of the society that was opened last; the agents of a case live on all
  // nodes.
  std::function<std::vector<Realization>()> join;
  // Controls the power of the nodes that `join` made. If empty, they never lose their power.
  std::function<std::shared_ptr<Power>()> power = {};
  // Ends the message store (false), or starts another one (true) on the data that the last one
  // stored. It is not empty where nodes can send to the message store (Need::storage).
  std::function<void(bool)> message_store = {};
  // Each node learns the taps of the others in time, whatever faults there are.
  bool taps_are_in_time = false;
  // The needs that the subject lacks, with the reason; a case with such a need is listed and not
  // run.
  std::map<Need, std::string> cannot;
};

// Returns all nodes of a fresh society.
std::vector<Realization> nodes_of(const Subject& subject);

// One sentence and its proof, which throws when the sentence is not true.
struct Case {
  int promise = 0;  // its number in docs/promises.md; 0: bad input (promise 10 within a process)
  const char* sentence = nullptr;
  void (*prove)(const Subject&) = nullptr;  // nullptr: a test elsewhere proves it
  Need need = Need::nothing;
  const char* place = nullptr;  // the place of that test
  // It waits ten seconds. In real time, only the first subject of a suite proves it.
  bool is_long = false;
};

using Cases = std::vector<Case>;

// A Case that has the name of its function.
#define CORACLE_CASE(promise, sentence)                                  \
  ::coracle::conformance::Case {                                         \
    promise, #sentence, &sentence, ::coracle::conformance::Need::nothing \
  }
#define CORACLE_CASE_NEEDS(promise, sentence, need) \
  ::coracle::conformance::Case { promise, #sentence, &sentence, ::coracle::conformance::Need::need }
#define CORACLE_CASE_LONG(promise, sentence)                                            \
  ::coracle::conformance::Case {                                                        \
    promise, #sentence, &sentence, ::coracle::conformance::Need::nothing, nullptr, true \
  }
// A sentence that a case with agents cannot test; `place` names the test that proves it, as
// "tests/simulation/some_test.cpp: its_case". tests/tidy.py fails when there is no such case.
#define CORACLE_CASE_ELSEWHERE(promise, sentence, need, place)             \
  ::coracle::conformance::Case {                                           \
    promise, #sentence, nullptr, ::coracle::conformance::Need::need, place \
  }

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
Cases notice_cases();       // 7
Cases bound_cases();        // 8
Cases overflow_cases();     // 8
Cases ending_cases();       // 9
Cases supervision_cases();  // 9
Cases timed_cases();        // 9
Cases inspection_cases();   // 9
Cases bad_input_cases();    // 10
Cases failure_cases();      // 11
Cases admission_cases();    // 12
// All of these cases.
Cases all_cases();

// Runs one case. It prints that the case is not applicable, or which other test proves it, or it
// throws an error with the reason of the failure.
void prove(const Case& sentence, const Subject& subject);
// Returns the failure of the case of that name on `subject`; empty when the case passes.
std::string verdict_of(const std::string& sentence, const Subject& subject);

// Registers every sentence as a test case in the suite `suite`, for each of `subjects` (a nested
// suite with the subject's name). Called during static initialization, like BOOST_AUTO_TEST_SUITE.
bool run_conformance(const std::string& suite, std::vector<Subject> subjects);

}  // namespace coracle::conformance
