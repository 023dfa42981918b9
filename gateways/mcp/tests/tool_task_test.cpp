#include "model/tool_task.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::mcp {

using namespace std::chrono_literals;

namespace {

ToolTask task_of(std::string id, std::string caller, Duration until = 1s) {
  ToolTask task;
  task.id = std::move(id);
  task.caller = std::move(caller);
  task.until = Time(until);
  task.kept = 90s;
  return task;
}

web::Json text_of(std::size_t bytes) { return std::string(bytes, 'x'); }

}  // namespace

BOOST_AUTO_TEST_SUITE(tool_task)

BOOST_AUTO_TEST_CASE(a_task_is_shown_with_the_members_of_its_status) {
  ToolTask task = task_of("t", "ann");
  task.begun = task.changed = CalendarTime(1'780'000'000'123ms);
  BOOST_TEST(web::to_text(to_json(task)) ==
             R"({"taskId":"t","status":"working","createdAt":"2026-05-28T20:26:40.123Z",)"
             R"("lastUpdatedAt":"2026-05-28T20:26:40.123Z","ttlMs":90000,"pollIntervalMs":1000})");
  task.status = TaskStatus::input_required;
  task.question = "How many?";
  task.questions = 2;
  const web::Json asked = to_json(task);
  BOOST_TEST(asked.find("inputRequests")->find("question2") != nullptr);
  BOOST_TEST(asked.find("result") == nullptr);
  task.status = TaskStatus::completed;
  task.result = "done";
  BOOST_TEST((*to_json(task).find("result") == web::Json("done")));
}

BOOST_AUTO_TEST_CASE(a_task_belongs_to_its_caller) {
  ToolTasks tasks({});
  tasks.add(task_of("t", "ann"));
  BOOST_TEST(tasks.find("t", "ann") != nullptr);
  BOOST_TEST(tasks.find("t", "bob") == nullptr);
  BOOST_TEST(tasks.find("u", "ann") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_caller_with_all_of_its_tasks_makes_room_by_one_that_has_ended) {
  ToolTasks tasks({.all = 3, .of_caller = 2});
  tasks.add(task_of("1", "ann", 2s));
  tasks.add(task_of("2", "ann", 1s));
  BOOST_TEST(!tasks.make_room("ann"));
  BOOST_TEST(tasks.make_room("bob"));
  tasks.add(task_of("3", "bob"));
  BOOST_TEST(!tasks.make_room("cid"));
  tasks.end(*tasks.find("1"), TaskStatus::completed, "done", {});
  tasks.end(*tasks.find("2"), TaskStatus::cancelled, {}, {});
  BOOST_TEST(!tasks.make_room("cid"));  // not by those of others
  BOOST_TEST(tasks.make_room("ann"));
  BOOST_TEST(tasks.find("2") == nullptr);  // the older one
  BOOST_TEST(tasks.find("1") != nullptr);
  BOOST_TEST(tasks.make_room("cid"));
}

BOOST_AUTO_TEST_CASE(the_caller_with_the_largest_results_loses_the_oldest_ones) {
  ToolTasks tasks({.result_bytes = 10'000});
  for (const char* const id : {"1", "2", "3"}) tasks.add(task_of(id, "ann", Duration(id[0] * 1s)));
  tasks.add(task_of("4", "bob"));
  tasks.end(*tasks.find("4"), TaskStatus::completed, text_of(1000), {});
  for (const char* const id : {"2", "1", "3"})
    tasks.end(*tasks.find(id), TaskStatus::completed, text_of(4000), {});
  BOOST_TEST(tasks.find("1") == nullptr);
  BOOST_TEST(tasks.find("2") != nullptr);
  BOOST_TEST(tasks.find("4") != nullptr);
  // A result that alone is too large is forgotten at once, with all of its caller.
  tasks.add(task_of("5", "ann", 1h));
  tasks.end(*tasks.find("5"), TaskStatus::completed, text_of(20'000), {});
  BOOST_TEST(tasks.find("5") == nullptr);
  BOOST_TEST(tasks.find("4") != nullptr);
}

BOOST_AUTO_TEST_CASE(results_are_forgotten_when_their_time_is_over) {
  ToolTasks tasks({});
  tasks.add(task_of("1", "ann"));
  tasks.add(task_of("2", "ann"));
  tasks.end(*tasks.find("1"), TaskStatus::completed, "done", {});
  tasks.sweep(Time(999ms));
  BOOST_TEST(tasks.size() == 2U);
  tasks.sweep(Time(1s));
  BOOST_TEST(tasks.find("1") == nullptr);
  BOOST_TEST(tasks.find("2") != nullptr);  // its request is under way
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
