// Calls of clients.
#include "server/desk.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/errors.hpp"
#include "server/contents.hpp"

#include <algorithm>
#include <utility>

namespace coracle::a2a {

namespace {

// Identifiers that clients choose.
constexpr std::size_t longest_id = 256;

bool is_control(unsigned char one) noexcept { return one < 0x20 || one == 0x7f; }

void check_id(const char* place, const std::string& id) {
  if (id.size() > longest_id) throw Fault::at(place, "has more than 256 bytes");
  if (std::any_of(id.begin(), id.end(), is_control))
    throw Fault::at(place, "has a control character");
}

void check_ids(const Message& message) {
  if (message.role != Role::user) throw Fault::at("message.role", "has to be ROLE_USER");
  check_id("message.messageId", message.message_id);
  check_id("message.contextId", message.context_id);
}

// The member of a task's metadata, by which a client learns how its stream goes on.
Json resumed(std::uint64_t after, std::uint64_t lost) {
  return Json().set("after", after).set("lost", lost);
}

}  // namespace

// A stream whose first item has that size. A client that is more than 4 MiB behind loses it, and
// gets the task when it comes back.
http::StreamOptions Desk::stream_for(const std::string& caller, std::size_t first) {
  std::shared_ptr<http::StreamBudget> budget = streams_of_[caller].lock();
  if (!budget) {
    std::erase_if(streams_of_, [](const auto& each) { return each.second.expired(); });
    budget =
        std::make_shared<http::StreamBudget>(options_.limits.stream_bytes_per_caller, streams_);
    streams_of_[caller] = budget;
  }
  http::StreamOptions options;
  options.queue_bytes = (std::size_t{4} << 20) + 2 * first;
  options.budget = std::move(budget);
  return options;
}

void Desk::handle(Agent& me, Order order) {
  Call call = std::move(order.call);
  if (auto* const send = std::get_if<SendCall>(&call))
    return handle_send(me, order, std::move(*send));
  const auto owner = [&] { return Owner{order.agent, order.caller}; };
  if (const auto* const get = std::get_if<GetTaskRequest>(&call)) {
    const Task task = with_history(store_.get(owner(), get->id), get->history_length);
    order.to.send(order.form.result(web::to_text(to_json(task))));
  } else if (const auto* const list = std::get_if<ListTasksRequest>(&call)) {
    handle_list(order, *list);
  } else if (const auto* const cancel = std::get_if<CancelTaskRequest>(&call)) {
    handle_cancel(me, order, *cancel);
  } else if (const auto* const subscribe = std::get_if<SubscribeRequest>(&call)) {
    handle_subscribe(order, *subscribe);
  } else if (std::holds_alternative<GetCardRequest>(call)) {
    throw Fault(FaultKind::unsupported_operation,
                "this agent has no extended card; its card says all there is");
  } else {
    handle_push(order, call);
  }
}

void Desk::handle_send(Agent& me, const Order& order, SendCall call) {
  SendMessageRequest& request = call.request;
  check_ids(request.message);
  const Owner owner{order.agent, order.caller};
  std::string task = request.message.task_id;
  if (!task.empty()) (void)store_.get(owner, task);  // nobody else learns anything of the task
  if (request.configuration.push) check_push(task, order.caller, *request.configuration.push);
  const Message message = request.message;
  if (task.empty()) {
    const TaskStore::Begun begun =
        store_.begin(owner, std::move(request.message), new_id(), new_id(), now(me));
    task = begun.task->id;
    if (begun.is_new) {
      if (order.wants_receipt) store_.want_receipt(task);
      add_push(task, order.caller, request.configuration.push);
      if (order.group) {
        begin_group(me, order, *begun.task, message);
      } else {
        works_.emplace(task, Work());
        Content content = content_of(message, options_.types);
        me.spawn(
            work(me, task, post_for(owner, *begun.task, message, std::move(content), order.trace)));
      }
    }
  } else if (const auto event = store_.go_on(owner, std::move(request.message), now(me))) {
    add_push(task, order.caller, request.configuration.push);
    publish(me, task, event);
    answer(me, task, message);
  }
  show_sent(order, call, task);
}

// Shows the task to the client that has sent a message: as a stream, at once, or when it has ended
// or has a question.
void Desk::show_sent(const Order& order, const SendCall& call, const std::string& id) {
  const Task& task = *store_.find(id);
  const std::optional<int> history = call.request.configuration.history_length;
  const bool is_over = is_final(task.status.state) || is_interrupted(task.status.state);
  if (call.streams) {
    const std::string first = sent_task(task, history);
    Subscriber subscriber{
        order.form, order.to.stream(stream_for(order.caller, first.size()), order.form.headers()),
        true};
    send_item(subscriber, first, store_.last_event(id));
    if (is_over) subscriber.stream.close();
    else watchers_.add(id, std::move(subscriber));
  } else if (is_over || call.request.configuration.return_immediately) {
    order.to.send(order.form.result(sent_task(task, history)));
  } else {
    watchers_.add(id, Waiter{order.form, order.to, history});
  }
}

void Desk::handle_list(const Order& order, const ListTasksRequest& request) const {
  const ListTasksResponse response = store_.list({order.agent, order.caller}, request);
  order.to.send(order.form.result(web::to_text(to_json(response, request.include_artifacts))));
}

void Desk::handle_cancel(Agent& me, const Order& order, const CancelTaskRequest& request) {
  const Owner owner{order.agent, order.caller};
  const Task& task = store_.get(owner, request.id);
  if (is_final(task.status.state))
    throw Fault(FaultKind::task_not_cancelable, "the task has ended already",
                {{"taskId", task.id}, {"state", to_string(task.status.state)}});
  const std::string id = task.id;
  if (const auto found = works_.find(id); found != works_.end()) {
    Work& work = found->second;
    if (const auto group = work.group) call_off(*group);
    else if (work.question)
      me.spawn(refuse_to(me, std::exchange(work.question, coracle::Message())));
    if (const auto still = works_.find(id);
        still != works_.end() && still->second.asking != nullptr)
      still->second.asking->call_off();
  }
  set_status(me, id, TaskState::canceled, "the client has canceled the task");
  order.to.send(order.form.result(web::to_text(to_json(store_.get(owner, id)))));
}

void Desk::handle_subscribe(const Order& order, const SubscribeRequest& request) {
  const Task& task = store_.get({order.agent, order.caller}, request.id);
  if (order.resumes_after) return resume(order, task, *order.resumes_after);
  if (is_final(task.status.state))
    throw Fault(FaultKind::unsupported_operation, "the task has ended; get it instead",
                {{"taskId", task.id}, {"state", to_string(task.status.state)}});
  const std::string first = sent_task(task, std::nullopt);
  Subscriber subscriber{order.form, order.to.stream(stream_for(order.caller, first.size())), false};
  send_item(subscriber, first, store_.last_event(task.id));
  watchers_.add(task.id, std::move(subscriber));
}

// The stream begins with the task, as the specification wants it, and goes on with the changes that
// the client has missed. The task has the number that the client has stated: if the stream is lost
// again before it has the missed changes, it asks for the same ones.
void Desk::resume(const Order& order, const Task& task, std::uint64_t after) {
  const std::uint64_t last = store_.last_event(task.id);
  const TaskStore::Missed missed = store_.events_after(task.id, std::min(after, last));
  Task snapshot = task;
  snapshot.metadata.set(resume_extension, resumed(std::min(after, last), missed.lost));
  const std::string first = sent_task(snapshot, std::nullopt);
  http::StreamOptions options = stream_for(order.caller, first.size());
  options.queue += missed.events.size();
  for (const TaskEvent& each : missed.events) options.queue_bytes += each.item->size() + 512;
  ReplyForm form = order.form;
  form.activate(resume_extension);
  Subscriber subscriber{form, order.to.stream(options, form.headers()), false};
  send_item(subscriber, first, std::min(after, last));
  for (const TaskEvent& each : missed.events) send_item(subscriber, *each.item, each.number);
  if (is_final(task.status.state)) subscriber.stream.close();
  else watchers_.add(task.id, std::move(subscriber));
}

}  // namespace coracle::a2a
