#include "local_subject.hpp"

#include "coracle/realizations/local.hpp"

namespace coracle::conformance {

Subject local_subject(unsigned workers) {
  Subject subject;
  subject.name = workers == 0   ? "local_by_turns"
                 : workers == 1 ? "local_with_one_worker"
                                : "local_with_two_workers";
  subject.open = [] { return local::realization(); };
  subject.workers = workers;
  const std::string one_process = "it lives in one process";
  subject.cannot = {
      {Need::second_node, one_process},
      {Need::storage, one_process + " and keeps everything in its memory"},
      {Need::connection, one_process + ", to which nobody connects"},
      {Need::turns, one_process + ", where nothing is sent in pieces"},
      {Need::listener, one_process + ", which does not listen anywhere"},
      {Need::second_directory, one_process + " and its directory ends with it"},
  };
  if (workers < 2) subject.cannot[Need::two_workers] = "this subject has one worker";
  return subject;
}

}  // namespace coracle::conformance
