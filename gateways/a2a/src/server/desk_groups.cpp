// Messages to several agents: each is asked, and the task ends by the rule of its client.
#include "server/desk.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/errors.hpp"
#include "server/contents.hpp"
#include "server/ends.hpp"

#include <memory>
#include <tuple>
#include <utility>

namespace coracle::a2a {

// Finds the members of the group that a message is for, if it is for one. A member that clients may
// not know is as unknown as one that does not exist.
coracle::Task<> Desk::find_group(Agent& me, Order& order) {
  if (!order.may_group) co_return;
  const auto& message = std::get<SendCall>(order.call).request.message;
  if (!message.task_id.empty()) co_return;  // the task has its agents already
  const auto wish = group_wish_in(message, options_.limits.group_members);
  if (!wish) co_return;
  Group group;
  if (wish->group.empty()) {
    for (const std::string& each : wish->agents) {
      const auto name = Name::parse(each);
      bool is_there = false;
      if (name) {
        coracle::Task<bool> looking = is_known(me, *name);
        is_there = co_await looking;
      }
      if (!is_there) throw Fault::at("agents", "names an agent that does not exist");
      group.members.push_back(*name);
    }
  } else if (const auto name = Name::parse(wish->group)) {
    coracle::Task<std::vector<Name>> looking = me.members(coracle::Group(*name));
    for (Name& each : co_await looking) {
      coracle::Task<bool> knowing = is_known(me, each);
      if (!co_await knowing) continue;
      if (group.members.size() >= options_.limits.group_members)
        throw Fault::at("group", "has more members than one message may be for");
      group.members.push_back(std::move(each));
    }
  }
  group.needed = wish->needed(group.members.size());
  order.form.activate(groups_extension);
  order.group = std::move(group);
}

void Desk::begin_group(Agent& me, const Order& order, const Task& task, const Message& message) {
  const std::vector<Name>& members = order.group->members;
  const auto group = std::make_shared<GroupWork>(
      GroupWork{GroupTally(members.size(), order.group->needed), {}, members.size()});
  group->askings.resize(members.size());
  works_[task.id].group = group;
  const std::string id = task.id;
  const Content content = content_of(message, options_.types);  // one copy for all of them
  for (std::size_t i = 0; i < members.size(); ++i) {
    Post post =
        post_for({members[i].str(), order.caller}, *store_.find(id), message, content, order.trace);
    me.spawn(ask_member(me, id, group, i, members[i], std::move(post)));
  }
  set_status(me, id, TaskState::working, {});
}

coracle::Task<> Desk::ask_member(Agent& me, std::string task, std::shared_ptr<GroupWork> group,
                                 std::size_t number, Name member, Post post) {
  // Another member may have ended the task before this one was asked.
  if (!group->is_over) {
    coracle::detail::Asking::AsResult asking = me.ask_result(post, options_.task_time);
    group->askings[number] = &asking;
    const Result<coracle::Message> reply = co_await asking;
    group->askings[number] = nullptr;
    if (!group->is_over) note_answer(me, task, *group, member, reply);
  }
  if (--group->left == 0) works_.erase(task);
}

// The answer of a member, or the reason why there is none, is an artifact of the task.
void Desk::note_answer(Agent& me, const std::string& task, GroupWork& group, const Name& member,
                       const Result<coracle::Message>& reply) {
  Artifact artifact{"answer-of/" + member.str()};
  artifact.name = member.str();
  TaskState state = TaskState::completed;
  std::string reason;
  try {
    if (reply) artifact.parts = parts_of(reply->content());
    else std::tie(state, reason) = end_for(reply.error());
  } catch (const Error& error) {
    state = TaskState::failed;
    reason = error.sentence();
  }
  if (artifact.parts.empty()) artifact.parts.push_back({std::move(reason)});
  artifact.extensions = {std::string(groups_extension)};
  artifact.metadata.set(groups_extension,
                        Json().set("agent", member.view()).set("state", to_string(state)));
  const auto verdict = group.tally.note(state == TaskState::completed);
  publish(me, task, store_.add(task, std::move(artifact), false, true, now(me)));
  const Task* const changed = store_.find(task);
  if (changed == nullptr || is_final(changed->status.state)) return call_off(group);  // too large
  if (verdict == GroupTally::Verdict::open) return;
  call_off(group);
  const bool is_reached = verdict == GroupTally::Verdict::reached;
  set_status(me, task, is_reached ? TaskState::completed : TaskState::failed,
             is_reached ? std::string() : "too few of the group have answered");
}

// Withdraws the requests that have no answer yet.
void Desk::call_off(GroupWork& group) {
  group.is_over = true;
  for (std::size_t i = 0; i < group.askings.size(); ++i)
    if (group.askings[i] != nullptr) group.askings[i]->call_off();
}

}  // namespace coracle::a2a
