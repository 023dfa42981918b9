// Questions: what a coroutine of an agent asks the program, which answers once, from any thread.
#pragma once

#include "base/cbor.hpp"
#include "base/failure.hpp"
#include "base/handles.hpp"

#include "coracle.h"
#include "coracle/support/signal.hpp"

#include <any>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace coracle::c {

// The answer that coracle_answer_done() gives.
struct Done {};

// The program has refused, with this reason.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Question : public Named {
 public:
  using C = coracle_question;
  static constexpr Kind kind = Kind::question;
  static constexpr const char* words = "question";

  // An item that was put, and its place: the number of an output.
  struct Item {
    std::size_t place = 0;
    Cbor value;
  };

  // The items that may be put before the answer.
  enum class Takes : std::uint8_t { nothing, items, signals };

  // The answer is to have the type `wanted`, which the function `how` of the header gives. `about`
  // are the data that the program reads.
  Question(const std::type_info& wanted, const char* how, std::shared_ptr<const void> about,
           Takes takes = Takes::nothing)
      : wanted_(wanted), how_(how), takes_(takes), about_(std::move(about)) {}

  // The role that asks: it retires when its question is answered, if the program wants that.
  // `obstacle` is the reason why it cannot; nullptr if it can.
  void ask_by_role(const char* obstacle) noexcept { obstacle_ = obstacle; }
  // The program wants the role to retire; fails where it cannot.
  void end_role();
  bool ends_role() const noexcept { return ends_role_; }

  bool wants(const std::type_info& type) const noexcept { return type == wanted_; }
  // Fails unless the answer is to have that type.
  void require(const std::type_info& given) const;
  // Keeps an item or a signal of the answer.
  void put(Takes what, std::size_t place, Cbor value);
  // Ends the question. Each fails with Errc::stopped when nobody waits any more. The caller has
  // taken the question's handle away, so it is the only one.
  void answer(std::any value);
  void fail(std::exception_ptr failure);
  // Nobody wants the answer any more.
  void forsake() noexcept { is_forsaken_ = true; }
  bool is_open() const noexcept { return !is_forsaken_ && answered_.is_open(); }

  // For the coroutine, once each: the wait, and then the answer, or the failure.
  detail::SignalWait answered() const noexcept { return answered_.wait(); }
  std::any take();
  std::vector<Item> take_items();

 private:
  void wake();

  const std::type_info& wanted_;
  const char* const how_;
  const Takes takes_;
  const std::shared_ptr<const void> about_;
  const char* obstacle_ = "no agent asks this question, so none can end with it";
  std::atomic<bool> ends_role_{false};
  const detail::Signal answered_;
  std::atomic<bool> is_forsaken_{false};
  std::any answer_;             // set before the signal
  std::exception_ptr failure_;  // the same
  std::mutex mutex_;            // guards the items
  std::vector<Item> items_;
};
using QuestionPtr = std::shared_ptr<Question>;

// Takes the question from its handle, so that no other answer comes.
QuestionPtr take_question(coracle_question* handle);

// Answers a question by the value that `make` returns. Nothing has happened when that fails.
template <class T, class Make>
coracle_error* answer_by(coracle_question* handle, Make make) noexcept {
  return guarded([&] {
    object_of<Question>(handle)->require(typeid(T));
    T value = make();
    take_question(handle)->answer(std::move(value));
  });
}

}  // namespace coracle::c
