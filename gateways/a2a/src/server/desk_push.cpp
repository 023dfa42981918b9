// Push notifications: the changes of a task are posted to the places that its client has set.
#include "server/desk.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/errors.hpp"
#include "coracle/http/client.hpp"
#include "coracle/support/log.hpp"

#include <optional>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr Duration answer_within = std::chrono::seconds(10),
                   first_pause = std::chrono::milliseconds(250);
// So many failures in a row end the notifications.
constexpr unsigned most_failures = 8;

Fault no_push() {
  return Fault(FaultKind::push_not_supported,
               "this agent sends no push notifications; subscribe to the task, or ask for it");
}

// A place that gets a notice twice, because its answer was lost, knows it by its number.
http::Request notice_for(const PushConfig& config, std::uint64_t number, std::string item) {
  http::Request request;
  request.method = "POST";
  request.url = http::Url::parse(config.url).value();
  request.headers.add("Content-Type", "application/a2a+json");
  if (!config.token.empty()) request.headers.add("X-A2A-Notification-Token", config.token);
  if (!config.scheme.empty())
    request.headers.add("Authorization", config.scheme + " " + config.credentials);
  request.headers.add("X-A2A-Event-Id", std::to_string(number));
  request.body = std::move(item);
  return request;
}

}  // namespace

// Fails with Fault if nothing would be sent there. `task` is empty if it has not begun.
void Desk::check_push(const std::string& task, const std::string& caller,
                      const PushConfig& config) const {
  if (client_ == nullptr) throw no_push();
  const auto url = http::Url::parse(config.url);
  if (!url) throw Fault::at("url", "is no address of the web");
  if (const auto objection = outgoing_.objection(*url)) throw Fault::at("url", *objection);
  pushes_.check(task, caller, config);
}

// Adds the configuration that comes with a message, which was checked before.
void Desk::add_push(const std::string& task, const std::string& caller,
                    const std::optional<PushConfig>& config) {
  if (config) pushes_.set(task, caller, *config, new_id(), store_.last_event(task));
}

void Desk::handle_push(const Order& order, const Call& call) {
  if (client_ == nullptr) throw no_push();
  const Owner owner{order.agent, order.caller};
  if (const auto* const create = std::get_if<CreatePushCall>(&call)) {
    const std::string& task = create->config.task_id;
    (void)store_.get(owner, task);
    check_push(task, order.caller, create->config);
    const PushConfig& made =
        pushes_.set(task, order.caller, create->config, new_id(), store_.last_event(task));
    order.to.send(order.form.result(web::to_text(to_json(without_secrets(made)))));
  } else if (const auto* const get = std::get_if<GetPushCall>(&call)) {
    (void)store_.get(owner, get->request.task_id);
    const PushConfig& found = pushes_.get(get->request.task_id, get->request.id);
    order.to.send(order.form.result(web::to_text(to_json(without_secrets(found)))));
  } else if (const auto* const list = std::get_if<ListPushConfigsRequest>(&call)) {
    (void)store_.get(owner, list->task_id);
    ListPushConfigsResponse all;
    for (PushConfig& each : pushes_.list(list->task_id))
      all.configs.push_back(without_secrets(std::move(each)));
    order.to.send(order.form.result(web::to_text(to_json(all))));
  } else if (const auto* const gone = std::get_if<DeletePushCall>(&call)) {
    (void)store_.get(owner, gone->request.task_id);
    pushes_.remove(gone->request.task_id, gone->request.id);
    order.to.send(order.form.result("{}"));
  }
}

// Each place that does not know the last change wants a turn.
void Desk::begin_pushes(Agent& me, const std::string& task) {
  if (client_ == nullptr || pushes_.size() == 0) return;
  for (const std::string& id : pushes_.ids(task)) {
    PushConfigs::Entry& entry = *pushes_.find(task, id);
    if (entry.is_busy || entry.failures >= most_failures) continue;
    entry.is_busy = true;
    const std::string server = http::Url::parse(entry.config.url).value().origin();
    pushes_.turns().want({entry.caller, server, task, id, entry.serial});
  }
  take_turns(me);
}

// The bytes of a notice count before the next turn begins.
void Desk::take_turns(Agent& me) {
  for (;;) {
    std::optional<Notice> notice;
    auto turn = pushes_.turns().next([&](const PostTurns::Turn& one) {
      notice = notice_of(one);
      return notice ? notice->request.body.size() : 0;
    });
    if (!turn) return;
    if (notice) me.spawn(push(me, *std::move(turn), *std::move(notice)));
    else pushes_.turns().end(*turn);
  }
}

// The configuration that has a turn; nullptr if it was removed, or set again.
PushConfigs::Entry* Desk::entry_of(const PostTurns::Turn& turn) {
  PushConfigs::Entry* const entry = pushes_.find(turn.task, turn.id);
  return entry != nullptr && entry->serial == turn.serial ? entry : nullptr;
}

// Posts a notice; returns the reason if it has not arrived, else nothing.
coracle::Task<std::string> Desk::post(http::Request request) {
  try {
    http::RequestOptions options;
    options.deadline = answer_within;
    coracle::Task<http::Response> fetching = client_->fetch(std::move(request), options);
    const http::Response response = co_await fetching;
    if (response.status >= 200 && response.status <= 299) co_return std::string();
    co_return "its answer has the status " + std::to_string(response.status);
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    co_return error.sentence();
  }
}

// The next change of a task for one place; nothing if the place knows all of them, or is gone.
// Instead of changes that are not kept any more, it gets the task.
std::optional<Desk::Notice> Desk::notice_of(const PostTurns::Turn& turn) {
  PushConfigs::Entry* const entry = entry_of(turn);
  if (entry == nullptr) return std::nullopt;
  const Task* const whole = store_.find(turn.task);
  const TaskStore::Missed missed = store_.events_after(turn.task, entry->last_event, 1);
  if (whole == nullptr || (missed.events.empty() && missed.lost == 0)) {
    entry->is_busy = false;
    return std::nullopt;
  }
  const bool is_change = missed.lost == 0;
  const std::uint64_t number =
      is_change ? missed.events.front().number : store_.last_event(turn.task);
  std::string item = is_change ? *missed.events.front().item : sent_task(*whole, std::nullopt);
  return Notice{number, notice_for(entry->config, number, std::move(item))};
}

// Posts a notice. The place has another turn until it knows all changes.
coracle::Task<> Desk::push(Agent& me, PostTurns::Turn turn, Notice notice) {
  coracle::Task<std::string> posting = post(std::move(notice.request));
  const std::string problem = co_await posting;
  pushes_.turns().end(turn);
  PushConfigs::Entry* const entry = entry_of(turn);  // nullptr if it was removed, or set again
  if (entry != nullptr) note_post(me, *entry, std::move(turn), notice.number, problem);
  take_turns(me);
}

void Desk::note_post(Agent& me, PushConfigs::Entry& entry, PostTurns::Turn turn,
                     std::uint64_t number, const std::string& problem) {
  if (problem.empty()) {
    entry.last_event = number;
    entry.failures = 0;
    pushes_.turns().want(std::move(turn));
  } else if (++entry.failures < most_failures) {
    me.spawn(push_again(me, std::move(turn)));
  } else {
    entry.is_busy = false;
    coracle::detail::log_warning("a client of A2A is not notified any more: " + problem,
                                 coracle::detail::LogPart::gateway);
  }
}

// After a failure, a place has a turn once some time has passed.
coracle::Task<> Desk::push_again(Agent& me, PostTurns::Turn turn) {
  const PushConfigs::Entry* const failed = entry_of(turn);
  if (failed == nullptr) co_return;
  co_await me.pause(first_pause * (1U << (failed->failures - 1)));
  if (entry_of(turn) == nullptr) co_return;
  pushes_.turns().want(std::move(turn));
  take_turns(me);
}

}  // namespace coracle::a2a
