// The agents that ask one foreign agent: none of them holds up another one.
#include "coracle/a2a/talk.hpp"
#include "support/scripted.hpp"
#include "support/visit.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;
using namespace test;

// Its mailbox is full, so that no piece reaches it.
class Deaf : public Agent {
 public:
  explicit Deaf(std::promise<std::string>& end) : end_(&end) {}

 private:
  coracle::Task<> run() override {
    set_mailbox(MailboxOptions().messages(1));
    co_await send(name(), "full");
    Post post("a2a/other", Content("dig"));
    post.header(std::string(header::talks), "yes");
    const Result<coracle::Message> answer = co_await ask_result(post, 10s);
    end_->set_value(answer ? std::string(answer->text()) : answer.error().sentence());
  }

  std::promise<std::string>* end_;
};

BOOST_AUTO_TEST_SUITE(foreign_askers)

BOOST_AUTO_TEST_CASE(an_asker_that_takes_no_pieces_holds_the_task_no_longer_than_it_may_take) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  server.set(result(R"({"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":)"
                    R"([{"artifactId":"a","parts":[{"text":"one"},{"text":"two"}]}]}})"));
  ForeignOptions options = Visit::at(server.address());
  options.task_time = 500ms;
  Visit visit(std::move(options));
  std::promise<std::string> end;
  visit.node.create<Deaf>("deaf", std::ref(end));
  const std::string answer = end.get_future().get();
  BOOST_TEST(has(answer, "\"two\""), answer);  // the reply has all pieces
}

// Keeps the requests that say "hold", and answers others.
struct Holding {
  explicit Holding(std::size_t most) : most_(most) {}

  Scripted::Answer answer() {
    return [this](const http::Request& request, const http::Responder& to) {
      if (!has(request.body, "hold")) return result(done)(request, to);
      const std::lock_guard lock(mutex_);
      held_.push_back(to);
      if (held_.size() == most_) full.set_value();
    };
  }

  std::promise<void> full;

 private:
  const std::size_t most_;
  std::mutex mutex_;  // guards the next one
  std::vector<http::Responder> held_;
};

BOOST_AUTO_TEST_CASE(one_asker_does_not_take_all_requests) {
  http::Loop loop;
  loop.start();
  Holding holding(2);
  Scripted server(loop, false);
  server.set(holding.answer());
  ForeignOptions options = Visit::at(server.address());
  options.requests = 4;
  options.requests_per_asker = 2;
  Visit visit(std::move(options));
  Port greedy(visit.node, "greedy");
  for (int i = 0; i < 2; ++i) greedy.send("a2a/other", "hold");
  holding.full.get_future().wait();
  BOOST_CHECK_EXCEPTION(greedy.ask("a2a/other", "dig"), Error, [](const Error& error) {
    return has(error.sentence(), "too many requests");
  });
  BOOST_TEST(visit.ask("dig") == "dug");
}

BOOST_AUTO_TEST_CASE(tasks_that_take_long_hold_up_no_other_one) {
  http::Loop loop;
  loop.start();
  Holding holding(12);
  Scripted server(loop, false);
  server.set(holding.answer());
  Visit visit(server.address());
  Port greedy(visit.node, "greedy");
  for (int i = 0; i < 12; ++i) greedy.send("a2a/other", "hold");
  holding.full.get_future().wait();
  BOOST_TEST(visit.ask("dig") == "dug");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
