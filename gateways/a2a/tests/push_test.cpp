// Push notifications of a server.
#include "coracle/http/server.hpp"
#include "support/place.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace test;

// Keeps what is posted to it, but for the first post, which fails.
struct Hook {
  explicit Hook(http::Loop& loop, const char* endpoint = "127.0.0.1:0") {
    http::Routes routes;
    routes.on("POST", "/elsewhere", [this](const http::Request&, const http::Responder& to) {
      ++elsewhere;
      to.send(http::Response::plain(200));
    });
    routes.on("POST", "/hook", [this](http::Request request, http::Responder to) {
      const std::lock_guard lock(mutex);
      const bool fails = ++count == 1;
      if (!fails) posts.push_back(std::move(request));
      http::Response response = http::Response::plain(fails ? 307 : 200);
      if (fails) response.headers.add("Location", "/elsewhere");
      to.send(std::move(response));
      if (posts.size() == 4) all.set_value();
    });
    routes.on("POST", "/slow", [this](const http::Request&, http::Responder to) {
      const std::lock_guard lock(mutex);
      slow.push_back(std::move(to));
      if (slow.size() == 4) busy.set_value();
    });
    http::ServerOptions options;
    options.endpoint = endpoint;
    server.emplace(loop, std::move(options), std::move(routes));
  }
  Json config() const { return Json().set("url", server->url().text() + "hook"); }

  Json slow_config() const { return Json().set("url", server->url().text() + "slow"); }

  std::mutex mutex;  // guards the next three
  int count = 0;
  std::vector<http::Request> posts;
  std::vector<http::Responder> slow;  // that have no answer
  std::atomic<int> elsewhere{0};
  std::promise<void> all, busy;
  std::optional<http::Server> server;
};

BOOST_AUTO_TEST_SUITE(push)

BOOST_AUTO_TEST_CASE(changes_are_posted_in_their_order_until_each_has_arrived) {
  ServerOptions options;
  options.push = web::OutgoingOptions{.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}};
  Place place(options);
  Hook hook(place.loop);
  Json config = hook.config().set("token", "t");
  config.set("authentication", Json().set("scheme", "Bearer").set("credentials", "secret"));
  Json params = place.message("pieces");
  params.set("configuration", Json().set("taskPushNotificationConfig", config));
  const Task task = task_in(place.call("SendMessage", params));
  hook.all.get_future().wait();
  const std::lock_guard lock(hook.mutex);
  const std::vector<const char*> kinds = {"statusUpdate", "artifactUpdate", "artifactUpdate",
                                          "statusUpdate"};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const http::Request& post = hook.posts[i];
    BOOST_TEST(post.headers.find("Authorization").value() == "Bearer secret");
    BOOST_TEST(post.headers.find("X-A2A-Notification-Token").value() == "t");
    const Json json = web::parse_json(post.body).value();
    BOOST_TEST(json.find(kinds[i]) != nullptr, post.body);
    BOOST_TEST(post.headers.find("X-A2A-Event-Id").value() == std::to_string(i + 1));
  }
  BOOST_TEST(hook.elsewhere == 0);  // the first answer was a redirection
}

// The places of eve do not answer. They are at the server at which mal is notified.
BOOST_AUTO_TEST_CASE(slow_places_of_one_caller_hold_up_those_of_no_other_one) {
  ServerOptions options = with_callers();
  options.push = web::OutgoingOptions{.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}};
  Place place(options);
  Hook hook(place.loop);
  for (int i = 0; i < 2; ++i) {
    const std::string id = task_in(place.send("ask", eves_token)).id;
    for (int j = 0; j < 10; ++j)
      (void)place.call("CreateTaskPushNotificationConfig", hook.slow_config().set("taskId", id),
                       eves_token);
    (void)place.send("red", eves_token, Json().set("taskId", id));
  }
  hook.busy.get_future().wait();
  (void)place.call("SendMessage",
                   place.message("pieces").set(
                       "configuration", Json().set("taskPushNotificationConfig", hook.config())),
                   mals_token);
  hook.all.get_future().wait();
  const std::lock_guard lock(hook.mutex);
  BOOST_TEST(hook.slow.size() == 4);  // nothing has expired
}

BOOST_AUTO_TEST_CASE(a_name_of_a_place_that_is_not_permitted_gets_nothing) {
  ServerOptions options;
  options.push = web::OutgoingOptions{.plain_http = true, .ports = {}, .networks = {"127.0.0.2"}};
  Place place(options);
  Hook hidden(place.loop), open(place.loop, "127.0.0.2:0");
  const std::string port = std::to_string(hidden.server->url().port);
  const Task task = task_in(place.send("ask"));
  const Json named = Json().set("taskId", task.id).set("url", "http://localhost:" + port + "/hook");
  BOOST_TEST(code_of(place.call("CreateTaskPushNotificationConfig", named)) == 0);
  Json params = place.message("red", Json().set("taskId", task.id));
  params.set("configuration", Json().set("taskPushNotificationConfig", open.config()));
  (void)place.call("SendMessage", params);
  (void)place.call("SendMessage",
                   place.message("pieces").set(
                       "configuration", Json().set("taskPushNotificationConfig", open.config())));
  open.all.get_future().wait();
  BOOST_TEST(hidden.count == 0);
}

BOOST_AUTO_TEST_CASE(a_place_gets_the_task_instead_of_changes_that_are_lost) {
  ServerOptions options;
  options.push = web::OutgoingOptions{.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}};
  options.limits.events = 1;
  Place place(options);
  Hook hook(place.loop);
  for (int i = 0; i < 4; ++i)
    (void)place.call("SendMessage",
                     place.message("pieces").set(
                         "configuration", Json().set("taskPushNotificationConfig", hook.config())));
  hook.all.get_future().wait();
  const std::lock_guard lock(hook.mutex);
  bool has_task = false;
  for (const http::Request& each : hook.posts)
    has_task = has_task || each.body.starts_with(R"({"task":)");
  BOOST_TEST(has_task);
}

BOOST_AUTO_TEST_CASE(a_place_that_is_deleted_gets_nothing_more) {
  ServerOptions options;
  options.push = web::OutgoingOptions{.plain_http = true, .ports = {}, .networks = {"127.0.0.1"}};
  Place place(options);
  Hook gone(place.loop), stays(place.loop);
  const std::string id = task_in(place.send("ask")).id;
  for (const Hook* each : {&gone, &stays})
    BOOST_TEST(code_of(place.call(
                   "CreateTaskPushNotificationConfig",
                   each->config().set("taskId", id).set("id", each == &gone ? "gone" : "stays"))) ==
               0);
  const Json which = Json().set("taskId", id).set("id", "gone");
  for (int i = 0; i < 2; ++i)  // twice is the same as once
    BOOST_TEST(code_of(place.call("DeleteTaskPushNotificationConfig", which)) == 0);
  Json params = place.message("red", Json().set("taskId", id));
  params.set("configuration", Json().set("taskPushNotificationConfig", stays.config()));
  (void)place.call("SendMessage", params);
  stays.all.get_future().wait();  // four of five posts
  BOOST_TEST(gone.count == 0);
}

BOOST_AUTO_TEST_CASE(a_server_that_notifies_nobody_says_so) {
  ServerOptions options;
  options.push.reset();
  Place place(options);
  const Task task = task_in(place.send("ask"));
  const Json config = Json().set("url", "https://hooks.example/").set("taskId", task.id);
  const Json which = Json().set("taskId", task.id).set("id", "c");
  BOOST_TEST(code_of(place.call("CreateTaskPushNotificationConfig", config)) == -32003);
  for (const char* method : {"GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs",
                             "DeleteTaskPushNotificationConfig"})
    BOOST_TEST(code_of(place.call(method, which)) == -32003, method);
  Json params = place.message("hello");
  params.set("configuration", Json().set("taskPushNotificationConfig", config));
  BOOST_TEST(code_of(place.call("SendMessage", params)) == -32003);
  const http::Response card = place.fetch("GET", "/.well-known/agent-card.json");
  BOOST_TEST(card.body.find(R"("pushNotifications":false)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(places_that_only_the_gateway_reaches_are_not_notified) {
  Place place(with_callers());
  const std::string id = task_in(place.send("hello", eves_token)).id;
  const auto create = [&](const char* url, const std::string& token) {
    return place.call("CreateTaskPushNotificationConfig", Json().set("taskId", id).set("url", url),
                      token);
  };
  for (const char* url : {"http://hooks.example/", "https://127.0.0.1/", "https://[::1]/",
                          "https://169.254.169.254/", "https://x.example:22/", "ftp://x", "x"})
    BOOST_TEST(code_of(create(url, eves_token)) == -32602, url);
  BOOST_TEST(code_of(create("https://hooks.example/", mals_token)) == -32001);
  const Json bad = Json().set("url", "https://127.0.0.1/");
  const Json with_push = Json().set("taskPushNotificationConfig", bad);
  const Json of_message = place.message("hello").set("configuration", with_push);
  BOOST_TEST(code_of(place.call("SendMessage", of_message, eves_token)) == -32602);
  BOOST_TEST(place.server->counts().tasks == 1);  // it did not begin
  const Json made = create("https://hooks.example/", eves_token);
  const std::string config = *made.find("result")->find("id")->if_text();
  const Json which = Json().set("taskId", id).set("id", config);
  BOOST_TEST(code_of(place.call("GetTaskPushNotificationConfig", which, mals_token)) == -32001);
  BOOST_TEST(code_of(place.call("GetTaskPushNotificationConfig", which, eves_token)) == 0);
  BOOST_TEST(code_of(place.call("DeleteTaskPushNotificationConfig", which, mals_token)) == -32001);
  BOOST_TEST(code_of(place.call("DeleteTaskPushNotificationConfig", which, eves_token)) == 0);
  BOOST_TEST(code_of(place.call("GetTaskPushNotificationConfig", which, eves_token)) == -32001);
}

// A message for a task of another caller shows nothing of that task, not even that it is full.
BOOST_AUTO_TEST_CASE(a_message_with_a_place_for_the_task_of_another_finds_no_task) {
  ServerOptions options = with_callers();
  options.limits.pushes_per_task = 1;
  Place place(std::move(options));
  const std::string id = task_in(place.send("ask", eves_token)).id;
  const Json config = Json().set("url", "https://hooks.example/");
  const auto send_as_mal = [&](const std::string& task) {
    Json params = place.message("red", Json().set("taskId", task));
    params.set("configuration", Json().set("taskPushNotificationConfig", config));
    return code_of(place.call("SendMessage", params, mals_token));
  };
  BOOST_TEST(send_as_mal(id) == -32001);
  Json first = config;
  BOOST_TEST(code_of(place.call("CreateTaskPushNotificationConfig", first.set("taskId", id),
                                eves_token)) == 0);
  BOOST_TEST(send_as_mal(id) == -32001);
  BOOST_TEST(send_as_mal("none") == -32001);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
