#include "tasks/task_store.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;

const Owner ann_of_eve{"ann", "eve"}, ann_of_mal{"ann", "mal"}, bob_of_eve{"bob", "eve"};

Moment at(std::int64_t seconds) {
  return {Time(std::chrono::seconds(seconds)), Timestamp(std::chrono::seconds(seconds))};
}

Message said(const std::string& id, const std::string& text = "hi") {
  Message message{id};
  message.role = Role::user;
  message.parts.push_back({text});
  return message;
}

Message to_task(const std::string& id, const std::string& task) {
  Message message = said(id);
  message.task_id = task;
  return message;
}

Artifact piece(const std::string& text) {
  Artifact artifact{"result"};
  artifact.parts.push_back({text});
  return artifact;
}

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Fault& fault) {
    return reason_of(fault.kind());
  }
  return "none";
}

BOOST_AUTO_TEST_SUITE(task_store)

BOOST_AUTO_TEST_CASE(a_task_goes_from_its_message_to_its_result) {
  TaskStore store({});
  const auto begun = store.begin(ann_of_eve, said("m1"), "t1", "c1", at(1));
  BOOST_TEST(begun.is_new);
  BOOST_TEST(begun.task->context_id == "c1");
  BOOST_TEST(begun.task->history.front().task_id == "t1");
  BOOST_TEST((store.add("t1", piece("a"), false, false, at(2))->number == 1));
  BOOST_TEST((store.add("t1", piece("b"), true, true, at(3))->number == 2));
  const auto event = store.set_status("t1", TaskState::completed, std::nullopt, at(4));
  BOOST_TEST(*event->item == R"({"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":)"
                             R"("TASK_STATE_COMPLETED","timestamp":"1970-01-01T00:00:04.000Z"}}})");
  const Task& task = store.get(ann_of_eve, "t1");
  BOOST_TEST(task.artifacts.front().parts.size() == 2);
  BOOST_TEST(!store.add("t1", piece("c"), true, true, at(5)).has_value());
  BOOST_TEST(!store.set_status("t1", TaskState::failed, std::nullopt, at(5)).has_value());
}

BOOST_AUTO_TEST_CASE(for_others_there_is_no_such_task) {
  TaskStore store({});
  store.begin(ann_of_eve, said("m1"), "t1", "c1", at(1));
  for (const Owner& other : {ann_of_mal, bob_of_eve}) {
    BOOST_TEST(refusal_of([&] { store.get(other, "t1"); }) == "TASK_NOT_FOUND");
    BOOST_TEST(refusal_of([&] { store.go_on(other, to_task("m2", "t1"), at(2)); }) ==
               "TASK_NOT_FOUND");
    BOOST_TEST(store.list(other, {}).total_size == 0);
    BOOST_TEST(
        store.begin(other, said("m1"), "t-" + other.agent + other.caller, "c2", at(2)).is_new);
  }
  BOOST_TEST(refusal_of([&] { store.get(ann_of_eve, "t9"); }) == "TASK_NOT_FOUND");
}

BOOST_AUTO_TEST_CASE(a_message_that_comes_twice_begins_one_task) {
  TaskStore store({});
  store.begin(ann_of_eve, said("m1"), "t1", "c1", at(1));
  const auto again = store.begin(ann_of_eve, said("m1"), "t2", "c2", at(2));
  BOOST_TEST(!again.is_new);
  BOOST_TEST(again.task->id == "t1");
  store.set_status("t1", TaskState::input_required, std::nullopt, at(3));
  BOOST_TEST(store.go_on(ann_of_eve, to_task("m2", "t1"), at(4)).has_value());
  BOOST_TEST(!store.go_on(ann_of_eve, to_task("m2", "t1"), at(5)).has_value());
  BOOST_TEST(store.get(ann_of_eve, "t1").history.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_task_takes_a_message_only_when_it_asks_for_one) {
  TaskStore store({});
  store.begin(ann_of_eve, said("m1"), "t1", "c1", at(1));
  BOOST_TEST(refusal_of([&] { store.go_on(ann_of_eve, to_task("m2", "t1"), at(2)); }) ==
             "UNSUPPORTED_OPERATION");
  store.set_status("t1", TaskState::input_required, said("q", "which?"), at(3));
  Message other = to_task("m3", "t1");
  other.context_id = "another";
  BOOST_TEST(refusal_of([&] { store.go_on(ann_of_eve, other, at(4)); }) == "INVALID_PARAMS");
  BOOST_TEST(store.go_on(ann_of_eve, to_task("m4", "t1"), at(4)).has_value());
  const Task& task = store.get(ann_of_eve, "t1");
  BOOST_TEST((task.status.state == TaskState::working));
  BOOST_TEST(task.history.size() == 3);  // with the question
  store.set_status("t1", TaskState::completed, std::nullopt, at(5));
  BOOST_TEST(refusal_of([&] { store.go_on(ann_of_eve, to_task("m5", "t1"), at(6)); }) ==
             "UNSUPPORTED_OPERATION");
}

BOOST_AUTO_TEST_CASE(pages_show_each_task_once_and_the_last_changed_first) {
  TaskStore store({});
  for (int i = 0; i < 25; ++i)
    store.begin(ann_of_eve, said("m" + std::to_string(i)), "t" + std::to_string(i), "c", at(i));
  store.set_status("t3", TaskState::completed, std::nullopt, at(30));
  ListTasksRequest request;
  request.page_size = 10;
  std::vector<std::string> seen;
  for (;;) {
    const ListTasksResponse page = store.list(ann_of_eve, request);
    BOOST_TEST(page.total_size == 25);
    BOOST_TEST(page.page_size == 10);
    for (const Task& each : page.tasks) seen.push_back(each.id);
    if (page.next_page_token.empty()) break;
    request.page_token = page.next_page_token;
  }
  BOOST_TEST(seen.size() == 25);
  BOOST_TEST(seen[0] == "t3");
  BOOST_TEST(seen[1] == "t24");
  BOOST_TEST(seen[24] == "t0");
  request = {};
  request.status = TaskState::completed;
  BOOST_TEST(store.list(ann_of_eve, request).total_size == 1);
  request = {};
  request.status_timestamp_after = Timestamp(20s);
  BOOST_TEST(store.list(ann_of_eve, request).total_size == 6);
  request = {};
  request.context_id = "other";
  BOOST_TEST(store.list(ann_of_eve, request).total_size == 0);
  request = {};
  request.page_token = "x";
  BOOST_TEST(refusal_of([&] { store.list(ann_of_eve, request); }) == "INVALID_PARAMS");
  request = {};
  request.page_size = 101;
  BOOST_TEST(refusal_of([&] { store.list(ann_of_eve, request); }) == "INVALID_PARAMS");
}

BOOST_AUTO_TEST_CASE(a_client_that_comes_back_gets_what_it_has_missed) {
  TaskLimits limits;
  limits.events = 5;
  TaskStore store(limits);
  store.begin(ann_of_eve, said("m"), "t", "c", at(0));
  for (int i = 1; i <= 8; ++i) store.add("t", piece(std::to_string(i)), true, false, at(i));
  auto missed = store.events_after("t", 6);
  BOOST_TEST(missed.events.size() == 2);
  BOOST_TEST(missed.events.front().number == 7);
  BOOST_TEST(missed.lost == 0);
  missed = store.events_after("t", 1);
  BOOST_TEST(missed.events.size() == 5);
  BOOST_TEST(missed.lost == 2);
  store.forget(at(10 * 60 + 6));  // those of the first five seconds are too old
  BOOST_TEST(store.events_after("t", 0).lost == 5);
}

BOOST_AUTO_TEST_CASE(ended_tasks_make_room_and_others_do_not) {
  TaskLimits limits;
  limits.tasks_per_caller = 3;
  limits.unfinished_per_caller = 2;
  TaskStore store(limits);
  store.begin(ann_of_eve, said("m1"), "t1", "c", at(1));
  store.begin(ann_of_eve, said("m2"), "t2", "c", at(2));
  BOOST_TEST(refusal_of([&] { store.begin(bob_of_eve, said("m3"), "t3", "c", at(3)); }) ==
             "RESOURCE_EXHAUSTED");
  BOOST_TEST(refusal_of([&] { store.begin(ann_of_mal, said("m3"), "t4", "c", at(3)); }) == "none");
  for (const char* id : {"t1", "t2"}) store.set_status(id, TaskState::failed, std::nullopt, at(4));
  store.begin(ann_of_eve, said("m5"), "t5", "c", at(5));
  store.begin(ann_of_eve, said("m6"), "t6", "c", at(6));
  BOOST_TEST(store.find("t1") == nullptr);
  BOOST_TEST(store.find("t2") != nullptr);
  BOOST_TEST(store.begin(ann_of_mal, said("m1"), "t7", "c", at(7)).is_new);
  const auto gone = store.forget(at(4 + 3601));
  BOOST_TEST(gone == std::vector<std::string>{"t2"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_task_that_becomes_too_large_fails) {
  TaskLimits limits;
  limits.bytes_per_task = 20'000;
  TaskStore store(limits);
  store.begin(ann_of_eve, said("m"), "t", "c", at(0));
  BOOST_TEST(refusal_of([&] {
               store.begin(ann_of_eve, said("n", std::string(30'000, 'x')), "u", "c", at(0));
             }) == "INVALID_PARAMS");
  for (int i = 0; i < 10; ++i) store.add("t", piece(std::string(3000, 'x')), true, false, at(1));
  BOOST_TEST((store.get(ann_of_eve, "t").status.state == TaskState::failed));
  BOOST_TEST(store.bytes() <= 30'000);
}

// Any acts of several callers: the limits hold, the order of lists too, and nothing is left.
BOOST_AUTO_TEST_CASE(whatever_happens_the_limits_hold) {
  BOOST_TEST(rc::check([] {
    TaskLimits limits;
    limits.tasks = 12;
    limits.tasks_per_caller = 6;
    limits.unfinished_per_caller = 4;
    limits.bytes = 60'000;
    limits.bytes_per_caller = 30'000;
    limits.bytes_per_task = 20'000;
    limits.ended_for = 100s;
    TaskStore store(limits);
    const std::vector<Owner> owners = {ann_of_eve, ann_of_mal, bob_of_eve};
    const int acts = *rc::gen::inRange(0, 120);
    for (int i = 0; i < acts; ++i) {
      const Owner& owner = owners[*rc::gen::inRange<std::size_t>(0, 3)];
      const std::string id = "t" + std::to_string(*rc::gen::inRange(0, i + 1));
      const std::string text(*rc::gen::inRange<std::size_t>(0, 6000), 'x');
      const std::string message = "m" + std::to_string(*rc::gen::inRange(0, 60));
      try {
        switch (*rc::gen::inRange(0, 6)) {
          case 0:
          case 1:
            if (store.find("t" + std::to_string(i)) == nullptr)
              store.begin(owner, said(message, text), "t" + std::to_string(i), "c", at(i));
            break;
          case 2:
            store.add(id, piece(text), *rc::gen::arbitrary<bool>(), false, at(i));
            break;
          case 3:
            store.set_status(id, static_cast<TaskState>(*rc::gen::inRange(1, 9)), said("s", text),
                             at(i));
            break;
          case 4:
            store.go_on(owner, to_task(message, id), at(i));
            break;
          default:
            store.forget(at(i * 3));
        }
      } catch (const Fault&) {
        // It is refused; the limits hold all the same.
      }
      RC_ASSERT(store.size() <= limits.tasks);
      RC_ASSERT(store.bytes() <= limits.bytes + 25'000);
      int listed = 0;
      for (const Owner& each : owners) listed += store.list(each, {}).total_size;
      RC_ASSERT(static_cast<std::size_t>(listed) == store.size());
    }
    for (int i = 0; i < acts; ++i)
      store.set_status("t" + std::to_string(i), TaskState::canceled, std::nullopt, at(1000));
    store.forget(at(10'000));
    RC_ASSERT(store.size() == 0U);
    RC_ASSERT(store.bytes() == 0U);
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
