#include "client/foreign_task.hpp"

#include "coracle/a2a/fault.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

constexpr std::size_t enough = 100'000;

Task task_with(TaskState state, const std::string& id = "t") {
  Task task{id, "c"};
  task.status.state = state;
  return task;
}

Message saying(const std::string& text) {
  Message message{"m"};
  message.role = Role::agent;
  message.parts.push_back({text});
  return message;
}

TaskArtifactUpdate piece(const std::string& text, bool append, const std::string& task = "t") {
  Artifact artifact{"a"};
  artifact.parts.push_back({text});
  return {task, "c", std::move(artifact), append};
}

std::string joined(const std::vector<Part>& parts) {
  std::string all;
  for (const Part& each : parts) all += std::get<std::string>(each.content) + "|";
  return all;
}

template <class... Items>
bool is_refused(std::size_t bytes, std::size_t items, const Items&... all) {
  ForeignTask task(bytes, items);
  try {
    (task.take(all), ...);
  } catch (const Fault& fault) {
    return fault.kind() == FaultKind::invalid_agent_response;
  }
  return false;
}

BOOST_AUTO_TEST_SUITE(foreign_task)

BOOST_AUTO_TEST_CASE(pieces_become_the_result) {
  ForeignTask task(enough, 10);
  task.take(task_with(TaskState::submitted));
  BOOST_TEST(joined(task.take(piece("one", false)).pieces) == "one|");
  BOOST_TEST(joined(task.take(piece("two", true)).pieces) == "two|");
  task.take(TaskStatusUpdate{"t", "c", {TaskState::completed}});
  BOOST_TEST(task.is_over());
  BOOST_TEST(task.id() == "t");
  BOOST_TEST(task.context() == "c");
  BOOST_TEST(joined(task.result()) == "one|two|");
}

BOOST_AUTO_TEST_CASE(an_artifact_can_replace_an_earlier_one) {
  ForeignTask task(enough, 10);
  task.take(piece("one", false));
  task.take(piece("two", false));
  BOOST_TEST(joined(task.result()) == "two|");
}

BOOST_AUTO_TEST_CASE(a_message_is_a_result_without_a_task) {
  ForeignTask task(enough, 10);
  task.take(saying("hello"));
  BOOST_TEST(task.is_over());
  BOOST_TEST(joined(task.result()) == "hello|");
  BOOST_CHECK_THROW(task.take(task_with(TaskState::working)), Fault);
}

BOOST_AUTO_TEST_CASE(a_task_as_a_whole_replaces_what_was_known) {
  ForeignTask task(enough, 10);
  task.take(piece("one", false));
  Task whole = task_with(TaskState::completed);
  whole.artifacts.push_back(piece("all", false).artifact);
  task.take(whole);
  BOOST_TEST(joined(task.result()) == "all|");
}

BOOST_AUTO_TEST_CASE(the_news_of_a_whole_task_are_the_parts_that_are_not_known) {
  ForeignTask task(enough, 10);
  task.take(piece("one", false));
  Task whole = task_with(TaskState::working);
  whole.artifacts.push_back(piece("one", false).artifact);
  BOOST_TEST(joined(task.take(whole).pieces).empty());
  whole.artifacts[0].parts.push_back({std::string("two")});
  whole.artifacts.push_back({"b"});
  whole.artifacts[1].parts.push_back({std::string("three")});
  BOOST_TEST(joined(task.take(whole).pieces) == "two|three|");
  whole.artifacts[0].parts[0] = {std::string("four")};  // it was replaced
  BOOST_TEST(joined(task.take(whole).pieces) == "four|two|");
  BOOST_TEST(joined(task.result()) == "four|two|three|");
}

BOOST_AUTO_TEST_CASE(a_question_waits_for_the_client) {
  ForeignTask task(enough, 10);
  task.take(TaskStatusUpdate{"t", "c", {TaskState::input_required, saying("which?")}});
  BOOST_TEST(task.waits_for_client());
  BOOST_TEST(task.text() == "which?");
  task.go_on();
  BOOST_TEST(!task.waits_for_client());
}

BOOST_AUTO_TEST_CASE(the_text_of_a_working_task_is_progress) {
  ForeignTask task(enough, 10);
  BOOST_TEST(task.take(TaskStatusUpdate{"t", "c", {TaskState::working, saying("half")}}).progress ==
             "half");
}

BOOST_AUTO_TEST_CASE(items_that_do_not_fit_are_refused) {
  const Task begun = task_with(TaskState::working), over = task_with(TaskState::completed);
  BOOST_TEST(!is_refused(enough, 10, begun, piece("x", false)));
  BOOST_TEST(is_refused(enough, 10, begun, piece("x", false, "u")));
  BOOST_TEST(is_refused(enough, 10, begun, task_with(TaskState::working, "u")));
  BOOST_TEST(is_refused(enough, 10, task_with(TaskState::working, "")));
  BOOST_TEST(is_refused(enough, 10, begun, saying("x")));
  BOOST_TEST(is_refused(enough, 10, over, piece("x", false)));
  BOOST_TEST(is_refused(enough, 10, over, TaskStatusUpdate{"t", "c", {TaskState::working}}));
}

BOOST_AUTO_TEST_CASE(a_task_has_limits) {
  BOOST_TEST(is_refused(enough, 1, task_with(TaskState::working), piece("x", false)));
  const std::string large(1000, 'x');
  BOOST_TEST(is_refused(3000, 10, piece(large, false), piece(large, true), piece(large, true)));
  Task whole = task_with(TaskState::completed);
  whole.artifacts.push_back(piece(std::string(5000, 'x'), false).artifact);
  BOOST_TEST(is_refused(3000, 10, whole));
}

// Members that nobody knows are part of its size.
BOOST_AUTO_TEST_CASE(the_items_of_a_stream_have_a_limit_of_their_size) {
  ForeignTask task(1000, 100);
  task.take(task_with(TaskState::working), 4000);
  task.take(task_with(TaskState::working), 4000);
  BOOST_CHECK_THROW(task.take(task_with(TaskState::working), 1000), Fault);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
