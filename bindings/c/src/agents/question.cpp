#include "question.hpp"

#include "base/convert.hpp"

namespace coracle::c {

void Question::require(const std::type_info& given) const {
  if (given != wanted_)
    fail_argument((std::string("this question has another kind of answer; use ") + how_).c_str());
}

void Question::end_role() {
  if (obstacle_ != nullptr) fail_argument(obstacle_);
  ends_role_ = true;
}

void Question::put(Takes what, std::size_t place, Cbor value) {
  if (what != takes_)
    fail_argument((std::string("this question takes no such items; use ") + how_).c_str());
  const std::lock_guard lock(mutex_);
  items_.push_back({place, std::move(value)});
}

void Question::wake() {
  if (answered_.set() && !is_forsaken_) return;
  throw Error(Errc::stopped,
              "nobody waits for this answer any more: the agent or its node has ended, or the "
              "work was taken away from it");
}

void Question::answer(std::any value) {
  answer_ = std::move(value);
  wake();
}

void Question::fail(std::exception_ptr failure) {
  failure_ = std::move(failure);
  wake();
}

std::any Question::take() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::move(answer_);
}

std::vector<Question::Item> Question::take_items() {
  const std::lock_guard lock(mutex_);
  return std::exchange(items_, {});
}

QuestionPtr take_question(coracle_question* handle) {
  auto taken = remove_handle<Question>(handle);
  if (!taken) fail_handle(Question::words);
  return taken;
}

}  // namespace coracle::c

using namespace coracle;
using namespace coracle::c;

coracle_error* coracle_answer(coracle_question* question, const void* value, size_t size) {
  return answer_by<Cbor>(question, [&] { return cbor_of(value, size, "the answer"); });
}

coracle_error* coracle_answer_done(coracle_question* question) {
  return guarded([&] {
    const bool wants_value = object_of<Question>(question)->wants(typeid(Cbor));
    if (!wants_value) object_of<Question>(question)->require(typeid(Done));
    Cbor nothing;
    cbor_encoder(nothing.bytes)->null();
    std::any done = Done();
    if (wants_value) done = std::move(nothing);
    take_question(question)->answer(std::move(done));
  });
}

coracle_error* coracle_answer_text(coracle_question* question, const char* text) {
  return answer_by<std::string>(question, [&] { return std::string(text == nullptr ? "" : text); });
}

coracle_error* coracle_question_put(coracle_question* question, const void* item, size_t size) {
  return guarded([&] {
    object_of<Question>(question)->put(Question::Takes::items, 0, cbor_of(item, size, "the item"));
  });
}

coracle_error* coracle_question_refuse(coracle_question* question, const char* reason) {
  return guarded([&] {
    const std::string why = text_of(reason, "coracle_question_refuse: `reason`");
    take_question(question)->fail(std::make_exception_ptr(Refused(why.empty() ? "no" : why)));
  });
}

coracle_error* coracle_question_fail(coracle_question* question, const char* text) {
  return guarded([&] {
    const std::string why = text_of(text, "coracle_question_fail: `text`");
    take_question(question)->fail(
        std::make_exception_ptr(Failure(CORACLE_FAILED, why.empty() ? "it failed" : why)));
  });
}

coracle_error* coracle_question_end(coracle_question* question) {
  return guarded([&] { object_of<Question>(question)->end_role(); });
}

coracle_error* coracle_question_is_open(const coracle_question* question, bool* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_question_is_open: `out` is NULL");
    *out = object_of<Question>(question)->is_open();
  });
}

void coracle_question_free(coracle_question* question) {
  coracle_error_free(guarded([&] {
    const auto freed = remove_handle<Question>(question);
    if (!freed) return;
    freed->fail(std::make_exception_ptr(
        Failure(CORACLE_FAILED, "the program freed a question without an answer")));
  }));
}
