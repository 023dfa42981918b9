// The clients that wait for a task: by a stream, or for its end.
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/http/server.hpp"
#include "server/reply.hpp"
#include "tasks/task_store.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {

// A client that wants all changes of a task.
struct Subscriber {
  ReplyForm form;
  http::EventStream stream;
  // The stream ends when the task waits for its client, not only when it has ended.
  bool ends_with_question = false;
};

// A client whose response is the task when it has ended, or waits for its client.
struct Waiter {
  ReplyForm form;
  http::Responder responder;
  std::optional<int> history_length;
};

// Those of all tasks.
class Watchers {
 public:
  void add(const std::string& task, Subscriber subscriber);
  void add(const std::string& task, Waiter waiter);
  // Gives a change to those that wait for the task.
  void publish(const Task& task, const TaskEvent& event);
  // The number of streams that are open.
  std::size_t subscribers() const noexcept;

 private:
  struct OfTask {
    std::vector<Subscriber> subscribers;
    std::vector<Waiter> waiters;
  };

  std::map<std::string, OfTask> tasks_;
};

// Sends an item of a stream.
void send_item(const Subscriber& to, std::string_view item, std::uint64_t number);
// The result of sending a message: {"task": ...}.
std::string sent_task(const Task& task, std::optional<int> history_length);

}  // namespace coracle::a2a
