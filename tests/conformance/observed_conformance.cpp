// An observer changes nothing for its society, and its events are consistent: the first event of
// every message comes before its other events, and each message has one outcome.
#include "subjects/local_subject.hpp"

#include "coracle/detail/access.hpp"
#include "coracle/realizations/local.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace coracle::conformance {

namespace {

class StrictObserver final : public Observer {
 public:
  std::uint64_t meet(const MessageView& message, const Name& to, Incarnation, unsigned,
                     Time) noexcept override {
    const std::lock_guard lock(mutex_);
    if (to.empty() || detail::Access::record(message) == nullptr)
      refuse("a message for nobody was met", 0);
    messages_.push_back({});
    return messages_.size();
  }

  void observe(const Observation& seen) noexcept override {
    const std::lock_guard lock(mutex_);
    if (seen.agent == nullptr || seen.agent->empty()) refuse("nobody did", seen.message);
    if (seen.message > messages_.size()) refuse("it was not met", seen.message);
    if (seen.message == 0) return;
    Course& course = messages_[seen.message - 1];
    switch (seen.what) {
      case Happening::accepted:
        if (course.accepted) refuse("it was accepted twice", seen.message);
        course.accepted = true;
        break;
      case Happening::kept:
      case Happening::handed_out:
      case Happening::given_back:
        if (course.ended) refuse("it goes on after its end", seen.message);
        if (seen.what == Happening::given_back && !course.in_hand) {
          refuse("it was given back by nobody", seen.message);
        }
        course.in_hand = seen.what == Happening::handed_out;
        break;
      case Happening::consumed:
        if (!course.in_hand) refuse("it was consumed without being handed out", seen.message);
        [[fallthrough]];
      case Happening::expired:
      case Happening::refused:
      case Happening::undeliverable:
      case Happening::dropped:
      case Happening::store_lost:
        if (course.ended) refuse("it ended twice", seen.message);
        course.ended = true;
        break;
      default:
        break;
    }
  }

 private:
  struct Course {
    bool accepted = false;
    bool in_hand = false;
    bool ended = false;
  };

  // An exception on a worker's thread would end an agent that has nothing to do with the observer.
  [[noreturn]] static void refuse(const char* what, std::uint64_t message) {
    std::fprintf(stderr, "the observer was told of message %llu: %s\n",
                 static_cast<unsigned long long>(message), what);
    std::abort();
  }

  std::mutex mutex_;
  std::vector<Course> messages_;
};

Subject observed(unsigned workers) {
  Subject subject = local_subject(workers);
  subject.name += "_observed";
  subject.open = [] {
    Realization parts = local::realization();
    parts.observer = std::make_shared<StrictObserver>();
    return parts;
  };
  return subject;
}

const bool registered_observed = run_conformance("observed", {observed(1), observed(2)});

}  // namespace

}  // namespace coracle::conformance
