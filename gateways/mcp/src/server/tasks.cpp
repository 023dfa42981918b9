// The uses of tools that have become tasks.
#include "server/state.hpp"

#include "coracle/support/calendar.hpp"
#include "coracle/support/quote.hpp"

#include <utility>

namespace coracle::mcp {

namespace {

// The time for which a result is kept after the last moment at which it may come.
constexpr Duration time_for_results = std::chrono::minutes(5);

}  // namespace

std::string secret_number() {
  constexpr const char* digits = "0123456789abcdef";
  std::string number;
  for (int i = 0; i < 2; ++i) {
    std::uint64_t bits = machine_random().next();
    for (int j = 0; j < 16; ++j, bits >>= 4) number += digits[bits & 15];
  }
  return number;
}

std::string GatewayState::make_task(Call& call, std::shared_ptr<Errand> errand,
                                    std::shared_ptr<const AddedTool> tool) {
  ToolTask made;
  made.id = secret_number();
  made.caller = call.caller;
  made.begun = made.changed = coracle::detail::calendar_now();
  made.kept = options_.call_time + time_for_results;
  made.until = call.begun + made.kept;
  made.step = coracle::detail::shown(errand->step());
  made.errand = errand;
  made.tool = std::move(tool);
  errand->changed = [this, id = made.id] { task_has_changed(id); };
  errand->show = [this, id = made.id](const web::Progress& progress) {
    ToolTask* const task = tasks_.find(id);
    if (task == nullptr || task->has_ended()) return;
    task->step = coracle::detail::shown(progress.text);
    task->changed = coracle::detail::calendar_now();
  };
  call.errand = nullptr;
  busy_->set();
  return respond_with_task(call.request, info_, to_json(tasks_.add(std::move(made))));
}

void GatewayState::task_has_changed(const std::string& id) {
  ToolTask* const task = tasks_.find(id);
  if (task == nullptr || task->has_ended()) return;
  const std::shared_ptr<Errand> errand = task->errand;
  const CalendarTime now = coracle::detail::calendar_now();
  if (const auto end = errand->take_end()) {
    errands_.remove(errand.get());
    const ToolResult result = result_of(*end, errand->agent(), task->tool.get());
    tasks_.end(*task, TaskStatus::completed, to_json(result, false), now);
  } else if (errand->question() != nullptr) {
    task->status = TaskStatus::input_required;
    task->question = *errand->question();
    ++task->questions;
    task->changed = now;
  }
  // There may have been no room for the result.
  if (const ToolTask* const kept = tasks_.find(id)) tell_subscribers(*kept);
}

void GatewayState::tell_subscribers(const ToolTask& task) {
  for (const Subscription& each : subscriptions_)
    if (each.tasks.contains(task.id))
      each.out->notify(subscription_note("notifications/tasks", each.id, to_json(task)));
}

// A task of another caller looks like none.
ToolTask& GatewayState::task_of(const Request& request, const std::string& caller) {
  ToolTask* const found = tasks_.find(request.name, caller);
  if (found == nullptr)
    refuse_params("there is no task " + coracle::detail::quoted(request.name) +
                  "; it may have expired");
  return *found;
}

Task<std::string> GatewayState::serve_task(Agent& me, const Request& request,
                                           const std::string& caller) {
  ToolTask& task = task_of(request, caller);
  if (request.method == Method::get_task) co_return respond(request, info_, to_json(task));
  const std::shared_ptr<Errand> errand = task.errand;
  if (request.method == Method::cancel_task && errand != nullptr) {
    errands_.remove(errand.get());
    tasks_.end(task, TaskStatus::cancelled, {}, coracle::detail::calendar_now());
    if (const ToolTask* const kept = tasks_.find(request.name)) tell_subscribers(*kept);
    errand->call_off();
  }
  if (request.method == Method::update_task && task.status == TaskStatus::input_required) {
    ClientAnswer given = answer_in(request.input_responses, task.question_key());
    if (given.is_there) {
      task.status = TaskStatus::working;
      task.question.clear();
      task.changed = coracle::detail::calendar_now();
      tell_subscribers(task);
      Task<> answering = errand->answer(me, std::move(given.text));
      co_await answering;  // `task` may be gone after this
    }
  }
  co_return respond(request, info_, Json(Json::Object()));
}

}  // namespace coracle::mcp
