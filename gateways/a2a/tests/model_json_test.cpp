#include "coracle/a2a/model_json.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

using web::JsonError;
using web::JsonReader;

rc::Gen<std::string> words() {
  return rc::gen::map(rc::gen::inRange(0, 1000), [](int n) { return "w" + std::to_string(n); });
}

rc::Gen<Json> objects() {
  return rc::gen::map(rc::gen::inRange(0, 3), [](int n) {
    return n == 0 ? Json() : Json().set("n", n).set("x", Json().push(true));
  });
}

rc::Gen<Part> parts() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 5), words(), objects()),
                      [](std::tuple<int, std::string, Json> drawn) {
                        auto& [kind, word, metadata] = drawn;
                        Part part{word};
                        if (kind == 1) part.content = Raw{std::string("\x00\xff", 2) + word};
                        if (kind == 2) part.content = FileUrl{"https://x/" + word};
                        if (kind == 3) part.content = Json().set(word, 1.5);
                        if (kind == 4) part.content = Json();
                        part.metadata = metadata;
                        if (kind == 1) part.filename = word, part.media_type = "image/png";
                        return part;
                      });
}

rc::Gen<Message> messages() {
  return rc::gen::map(
      rc::gen::tuple(words(), words(),
                     rc::gen::nonEmpty(rc::gen::container<std::vector<Part>>(parts())), objects(),
                     rc::gen::arbitrary<bool>()),
      [](std::tuple<std::string, std::string, std::vector<Part>, Json, bool> drawn) {
        auto& [id, context, parts, metadata, is_user] = drawn;
        Message message{id, context};
        message.role = is_user ? Role::user : Role::agent;
        message.parts = parts;
        message.metadata = metadata;
        if (is_user) message.extensions = {"urn:x"}, message.reference_task_ids = {id};
        return message;
      });
}

rc::Gen<Task> tasks() {
  return rc::gen::map(
      rc::gen::tuple(words(), rc::gen::inRange(1, 9),
                     rc::gen::container<std::vector<Message>>(messages()),
                     rc::gen::nonEmpty(rc::gen::container<std::vector<Part>>(parts())),
                     rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000)),
      [](std::tuple<std::string, int, std::vector<Message>, std::vector<Part>, std::int64_t>
             drawn) {
        auto& [id, state, history, parts, time] = drawn;
        Task task{id, "c" + id};
        task.status = {static_cast<TaskState>(state), std::nullopt,
                       Timestamp(std::chrono::milliseconds(time))};
        if (!history.empty()) task.status.message = history.front();
        task.history = history;
        task.artifacts.push_back({"a" + id, "name", "", parts});
        return task;
      });
}

template <class T>
T again(const T& object) {
  const Json json = web::parse_json(web::to_text(to_json(object))).value();
  return read<T>(JsonReader(json));
}

template <class T>
std::string problem_in(const char* text) {
  const Json json = web::parse_json(text).value();
  try {
    (void)read<T>(JsonReader(json));
  } catch (const JsonError& error) {
    return error.place() + " " + error.problem();
  }
  return "none";
}

BOOST_AUTO_TEST_SUITE(model_json)

BOOST_AUTO_TEST_CASE(objects_are_read_as_they_were_written) {
  BOOST_TEST(rc::check([] {
    const Task task = *tasks();
    RC_ASSERT(again(task) == task);
    RC_ASSERT(again(StreamItem(task)) == StreamItem(task));
    const Message message = *messages();
    RC_ASSERT(again(message) == message);
    RC_ASSERT(again(StreamItem(message)) == StreamItem(message));
    const TaskStatusUpdate update{task.id, task.context_id, task.status};
    RC_ASSERT(again(StreamItem(update)) == StreamItem(update));
    const TaskArtifactUpdate artifact{task.id, task.context_id, task.artifacts[0], true, true};
    RC_ASSERT(again(StreamItem(artifact)) == StreamItem(artifact));
  }));
}

BOOST_AUTO_TEST_CASE(requests_are_read_as_they_were_written) {
  PushConfig push{"t", "id", "task", "https://x/y", "token", "Bearer", "secret"};
  BOOST_TEST((again(push) == push));
  SendMessageRequest send{"t", {"m"}};
  send.message.role = Role::user;
  send.message.parts.push_back({std::string("hi")});
  send.configuration = {{"text/plain"}, push, 0, true};
  BOOST_TEST((again(send) == send));
  const ListTasksRequest list{
      "t", "c", TaskState::working, 7, "token", 3, Timestamp(std::chrono::seconds(5)), true};
  BOOST_TEST((again(list) == list));
  const ListTasksResponse response{{Task{"a", "b", {TaskState::failed}}}, "next", 5, 9};
  BOOST_TEST((again(response) == response));
  const GetTaskRequest get{"t", "a", 0};
  BOOST_TEST((again(get) == get));
  const ListPushConfigsResponse configs{{push}, "next"};
  BOOST_TEST((again(configs) == configs));
}

BOOST_AUTO_TEST_CASE(members_have_the_names_of_the_specification) {
  Task task{
      "t1", "c1", {TaskState::input_required, std::nullopt, Timestamp(std::chrono::seconds(0))}};
  BOOST_TEST(web::to_text(to_json(task)) ==
             R"({"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED",)"
             R"("timestamp":"1970-01-01T00:00:00.000Z"}})");
  Message message{"m1"};
  message.role = Role::agent;
  message.parts = {{std::string("x")}, {Raw{"ab"}, {}, "f.bin", "image/png"}};
  BOOST_TEST(web::to_text(to_json(message)) ==
             R"({"messageId":"m1","role":"ROLE_AGENT","parts":[{"text":"x"},)"
             R"({"raw":"YWI=","filename":"f.bin","mediaType":"image/png"}]})");
}

BOOST_AUTO_TEST_CASE(wrong_objects_are_refused_with_the_place) {
  BOOST_TEST(problem_in<Message>("{}") == "messageId is missing");
  BOOST_TEST(problem_in<Message>(R"({"messageId":"","role":"ROLE_USER","parts":[]})") ==
             "messageId is empty");
  BOOST_TEST(problem_in<Message>(R"({"messageId":"m","role":"user","parts":[]})") ==
             "role has to be ROLE_USER or ROLE_AGENT");
  BOOST_TEST(problem_in<Message>(R"({"messageId":"m","role":"ROLE_USER","parts":[]})") ==
             "parts has to have a part");
  BOOST_TEST(problem_in<Message>(
                 R"({"messageId":"m","role":"ROLE_USER","parts":[{"text":"a","url":"b"}]})") ==
             "parts[0] has to have exactly one of text, raw, url and data");
  BOOST_TEST(problem_in<Message>(R"({"messageId":"m","role":"ROLE_USER","parts":[{"raw":"*"}]})") ==
             "parts[0].raw is not in base64");
  BOOST_TEST(problem_in<Task>(R"({"id":"t","status":{"state":"working"}})") ==
             "status.state is no state of a task, such as TASK_STATE_WORKING");
  BOOST_TEST(problem_in<ListTasksRequest>(R"({"pageSize":0})") ==
             "pageSize has to be from 1 to 2147483647");
  BOOST_TEST(problem_in<ListTasksRequest>(R"({"statusTimestampAfter":"yesterday"})") ==
             "statusTimestampAfter has to be a time such as 2026-11-30T08:15:00.000Z");
  for (const char* item :
       {"{}", R"({"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}},)"
              R"("message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"a"}]}})"})
    BOOST_TEST(problem_in<StreamItem>(item) ==
               " has to have exactly one of task, message, statusUpdate and artifactUpdate");
}

BOOST_AUTO_TEST_CASE(members_that_are_not_known_are_ignored) {
  BOOST_TEST(problem_in<Message>(
                 R"({"messageId":"m","role":"ROLE_USER","parts":[{"data":null,"x":1}],"y":[]})") ==
             "none");
}

BOOST_AUTO_TEST_CASE(times_are_read_as_they_were_written) {
  BOOST_TEST(rc::check([] {
    const Timestamp time(std::chrono::milliseconds(
        *rc::gen::inRange<std::int64_t>(-60'000'000'000'000, 250'000'000'000'000)));
    RC_ASSERT(timestamp_in(to_text(time)) == time);
  }));
  const auto noon = timestamp_in("2026-11-30T12:00:00Z");
  BOOST_TEST((timestamp_in("2026-11-30T13:00:00+01:00") == noon));
  BOOST_TEST((timestamp_in("2026-11-30T11:59:59.9999999-00:00") < noon));
  for (const char* wrong :
       {"", "2026-11-30", "2026-13-30T12:00:00Z", "2026-02-30T12:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T12:00:00", "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00ZZ",
        "2026-11-30 12:00:00Z", "0000-01-01T00:00:00Z"})
    BOOST_TEST(!timestamp_in(wrong).has_value(), wrong);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
