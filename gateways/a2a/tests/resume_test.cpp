// Streams that go on where they were lost: docs/a2a-resume.md.
#include "coracle/http/client.hpp"
#include "coracle/http/events.hpp"
#include "support/place.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace test;

std::vector<StreamItem> resumed_items(Place& place, const std::string& task, int after) {
  return place.items_of("/a2a/lab/helper/tasks/" + task + ":subscribe", "{}", false,
                        std::to_string(after));
}

BOOST_AUTO_TEST_SUITE(resume)

BOOST_AUTO_TEST_CASE(a_stream_goes_on_where_it_was_lost) {
  Place place;
  const Task task = task_in(place.send("pieces"));
  const auto items = resumed_items(place, task.id, 2);
  BOOST_REQUIRE(items.size() == 3);
  const auto& first = std::get<Task>(items[0]);
  BOOST_TEST(web::to_text(first.metadata) ==
             R"({"urn:coracle:a2a:resume:1":{"after":2,"lost":0}})");
  BOOST_TEST(std::get<TaskArtifactUpdate>(items[1]).last_chunk);
  BOOST_TEST((std::get<TaskStatusUpdate>(items[2]).status.state == TaskState::completed));
}

http::Response subscribed(Place& place, const std::string& task, const char* last_event,
                          const std::string& token = {}) {
  http::Headers headers = {{"A2A-Extensions", "urn:coracle:a2a:resume:1"}};
  if (last_event != nullptr) headers.add("Last-Event-ID", last_event);
  return place.fetch("POST", "/a2a/lab/helper/tasks/" + task + ":subscribe", "{}", token, true,
                     headers);
}

coracle::Task<std::vector<std::string>> rest_of(http::EventSource events) {
  std::vector<std::string> all;
  for (;;) {
    coracle::Task<std::optional<http::Event>> reading = events.next(std::chrono::seconds(10));
    const std::optional<http::Event> event = co_await reading;
    if (!event) co_return all;
    all.push_back(event->id + " " + event->data);
  }
}

// Opens three streams of a task, closes one, lets the task go on, and reads both others to their
// ends.
coracle::Task<std::vector<std::vector<std::string>>> both_streams(Agent& me, Place& place,
                                                                  std::string task) {
  const std::string at = place.server->address() + "/a2a/lab/helper";
  const auto request = [&](const std::string& path, std::string body) {
    http::Request made;
    made.method = "POST";
    made.url = http::Url::parse(at + path).value();
    made.headers = {{"A2A-Version", "1.0"}, {"Content-Type", "application/json"}};
    made.body = std::move(body);
    return made;
  };
  std::vector<http::EventSource> streams;
  for (int i = 0; i < 3; ++i) {
    streams.push_back(place.client->events(request("/tasks/" + task + ":subscribe", "{}")));
    coracle::Task<std::optional<http::Event>> first = streams.back().next();
    (void)co_await first;
  }
  streams.pop_back();  // its last copy closes it
  const Json answer = place.message("red", Json().set("taskId", task));
  coracle::Task<http::Response> answering =
      place.client->fetch(request("/message:send", web::to_text(answer)));
  (void)co_await answering;
  (void)me;
  std::vector<std::vector<std::string>> all;
  for (http::EventSource& each : streams) {
    coracle::Task<std::vector<std::string>> reading = rest_of(std::move(each));
    all.push_back(co_await reading);
  }
  co_return all;
}

BOOST_AUTO_TEST_CASE(all_streams_of_a_task_have_the_same_changes_though_one_has_closed) {
  Place place;
  const Task task = task_in(place.send("ask"));
  const auto heard =
      Port(place.node, "reader").act<std::vector<std::vector<std::string>>>([&](Agent& me) {
        return both_streams(me, place, task.id);
      });
  BOOST_TEST(heard.at(0).size() == 3);  // it works, has its result, and ends
  BOOST_TEST(heard.at(0) == heard.at(1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(its_events_have_the_numbers_of_the_changes) {
  Place place;
  const Task task = task_in(place.send("pieces"));
  const http::Response response = subscribed(place, task.id, "3");
  BOOST_TEST(response.headers.find("A2A-Extensions").value() == "urn:coracle:a2a:resume:1");
  std::vector<std::string> ids;
  http::EventReader reader;
  reader.read(response.body, [&](const http::Event& each) { ids.push_back(each.id); });
  BOOST_TEST(ids == (std::vector<std::string>{"3", "4"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_number_beyond_the_last_change_is_the_last_change) {
  Place place;
  const auto items = resumed_items(place, task_in(place.send("pieces")).id, 99);
  BOOST_REQUIRE(items.size() == 1);
  BOOST_TEST(web::to_text(std::get<Task>(items[0]).metadata) ==
             R"({"urn:coracle:a2a:resume:1":{"after":4,"lost":0}})");
}

BOOST_AUTO_TEST_CASE(changes_that_are_not_kept_are_counted) {
  ServerOptions options;
  options.limits.events = 1;
  Place place(options);
  const auto items = resumed_items(place, task_in(place.send("pieces")).id, 1);
  BOOST_REQUIRE(items.size() == 2);
  BOOST_TEST(web::to_text(std::get<Task>(items[0]).metadata) ==
             R"({"urn:coracle:a2a:resume:1":{"after":1,"lost":2}})");
  BOOST_TEST((std::get<TaskStatusUpdate>(items[1]).status.state == TaskState::completed));
}

BOOST_AUTO_TEST_CASE(without_a_number_it_is_an_ordinary_subscription) {
  Place place;
  const std::string id = task_in(place.send("pieces")).id;
  BOOST_TEST(subscribed(place, id, nullptr).body.find("UNSUPPORTED_OPERATION") !=
             std::string::npos);
  for (const char* bad : {"x", "-1", "1x", "99999999999999999999"})
    BOOST_TEST(subscribed(place, id, bad).status == 400, bad);
}

BOOST_AUTO_TEST_CASE(nobody_resumes_the_streams_of_others) {
  Place place(with_callers());
  const std::string id = task_in(place.send("pieces", eves_token)).id;
  BOOST_TEST(subscribed(place, id, "0", eves_token).status == 200);
  BOOST_TEST(subscribed(place, id, "0", mals_token).status == 404);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
