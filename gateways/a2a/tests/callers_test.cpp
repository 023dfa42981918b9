// The rights of callers, in each operation.
#include "coracle/web/json_rpc.hpp"
#include "support/place.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace test;

struct TaskCall {
  const char* method;
  Json params;
};

// The calls with a task, which has the push configuration "c".
std::vector<TaskCall> calls_with(Place& place, const std::string& task) {
  const Json by_id = Json().set("id", task), of_task = Json().set("taskId", task);
  Json config = of_task, place_to_set = of_task;
  config.set("id", "c");
  place_to_set.set("id", "c").set("url", "https://hooks.example/");
  return {{"SendMessage", place.message("red", of_task)},
          {"SendStreamingMessage", place.message("red", of_task)},
          {"GetTask", by_id},
          {"SubscribeToTask", by_id},
          {"CancelTask", by_id},
          {"CreateTaskPushNotificationConfig", place_to_set},
          {"GetTaskPushNotificationConfig", config},
          {"ListTaskPushNotificationConfigs", of_task},
          {"DeleteTaskPushNotificationConfig", config}};
}

std::string sentence_of(const Json& response) {
  return *response.find("error")->find("message")->if_text();
}

BOOST_AUTO_TEST_SUITE(callers)

BOOST_AUTO_TEST_CASE(in_each_operation_a_task_of_another_is_as_unknown_as_none) {
  Place place(with_callers());
  const Task task = task_in(place.send("ask", eves_token));
  const Json config =
      Json().set("taskId", task.id).set("id", "c").set("url", "https://hooks.example/");
  BOOST_TEST(code_of(place.call("CreateTaskPushNotificationConfig", config, eves_token)) == 0);
  const std::vector<TaskCall> of_eve = calls_with(place, task.id),
                              of_nobody = calls_with(place, "none");
  for (std::size_t i = 0; i < of_eve.size(); ++i) {
    const char* const method = of_eve[i].method;
    const Json answer = place.call(method, of_eve[i].params, mals_token);
    BOOST_TEST(code_of(answer) == -32001, method);
    BOOST_TEST(sentence_of(answer) ==
               sentence_of(place.call(method, of_nobody[i].params, mals_token)));
  }
  BOOST_TEST((task_in(place.call("GetTask", Json().set("id", task.id), eves_token)) == task));
  const Json which = Json().set("taskId", task.id).set("id", "c");
  BOOST_TEST(code_of(place.call("GetTaskPushNotificationConfig", which, eves_token)) == 0);
}

BOOST_AUTO_TEST_CASE(each_operation_needs_a_proof_before_anything_is_looked_up) {
  Place place(with_callers());
  const std::string id = task_in(place.send("ask", eves_token)).id;
  for (const std::string& task : {id, std::string("none")}) {
    std::vector<TaskCall> all = calls_with(place, task);
    all.push_back({"ListTasks", {}});
    all.push_back({"GetExtendedAgentCard", {}});
    all.push_back({"NoSuchMethod", {}});
    for (const TaskCall& each : all) {
      const std::string body = web::write_rpc({each.method, each.params, Json(7)});
      for (const char* path : {"/a2a/lab/helper", "/a2a/lab/none", "/a2a"})
        BOOST_TEST(place.fetch("POST", path, body).status == 401, each.method);
    }
    const std::string at = "/a2a/lab/helper", of_task = at + "/tasks/" + task,
                      configs = of_task + "/pushNotificationConfigs";
    for (const std::string& path : {at + "/message:send", at + "/message:stream",
                                    of_task + ":cancel", of_task + ":subscribe", configs})
      BOOST_TEST(place.fetch("POST", path, "{").status == 401, path);
    for (const std::string& path : {at + "/tasks", of_task, of_task + ":subscribe", configs,
                                    configs + "/c", at + "/extendedAgentCard"})
      BOOST_TEST(place.fetch("GET", path).status == 401, path);
    BOOST_TEST(place.fetch("DELETE", configs + "/c").status == 401);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
