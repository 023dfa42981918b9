// The work of the agent "a2a": it takes the calls of clients, asks the society's agents, and tells
// the clients what comes of it. All of it runs as tasks of that agent.
#pragma once

#include "bindings/call.hpp"
#include "coracle/a2a/server.hpp"
#include "server/cards.hpp"
#include "server/groups.hpp"
#include "server/reply.hpp"
#include "server/roster.hpp"
#include "server/watchers.hpp"
#include "tasks/push_configs.hpp"
#include "tasks/task_store.hpp"

#include "coracle/agent.hpp"
#include "coracle/directory_changes.hpp"
#include "coracle/http/client.hpp"
#include "coracle/http/server.hpp"
#include "coracle/web/callers.hpp"
#include "coracle/web/outgoing.hpp"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {

// The time and the randomness of a desk.
struct Surroundings {
  std::function<Timestamp()> calendar;
  Random* random;
};

class Desk {
 public:
  // `client` sends push notifications, to the places that the options permit; nullptr: there are
  // none. It outlives the desk.
  Desk(const ServerOptions& options, Surroundings surroundings, http::Client* client);

  // The address that clients are told.
  void set_base(std::string base) { frame_.base = std::move(base); }
  const std::string& base() const noexcept { return frame_.base; }
  // Follows the directory, and receives what agents send; both end with the agent. `begun` is set
  // when the agents of the society are known, or cannot be.
  coracle::Task<> follow(Agent& me, std::promise<void>& begun);
  coracle::Task<> receive(Agent& me);
  // Handles one request of HTTP.
  coracle::Task<> serve(Agent& me, http::Request request, http::Responder to);
  // Ends all tasks that have not ended.
  void end(Agent& me);
  ServerCounts counts() const;

 private:
  // The requests to the members of a group.
  struct GroupWork {
    GroupTally tally;
    std::vector<coracle::detail::Asking*> askings;  // nullptr: it has ended
    std::size_t left = 0;
    bool is_over = false;
  };
  // A task that an agent works at.
  struct Work {
    coracle::detail::Asking* asking = nullptr;
    Conversation conversation = 0;   // of the request; zero: it was not sent
    coracle::Message question = {};  // of the agent, which waits for the client's answer
    bool has_pieces = false;         // there is a part of the result
    std::shared_ptr<GroupWork> group = nullptr;  // several agents work at it
  };
  // The members of a group that a message is for.
  struct Group {
    std::vector<Name> members;
    std::size_t needed = 0;
  };
  // A call, with the place for its answer.
  struct Order {
    std::string caller;
    std::string agent;
    Call call;
    ReplyForm form;
    http::Responder to;
    TraceContext trace;
    std::optional<std::uint64_t> resumes_after;  // the client knows the changes up to this one
    bool may_group = false;                      // the client uses the extension for groups
    std::optional<Group> group;
    bool wants_receipt = false;  // the client uses the extension for receipts
  };
  // The number of a change, and the request that tells a client of it.
  struct Notice {
    std::uint64_t number;
    http::Request request;
  };

  // --- requests: desk_requests.cpp ---
  coracle::Task<> serve_card(Agent& me, const Name& agent, http::Responder to);
  void serve_list(const http::Request& request, const http::Responder& to) const;
  Order order_in(const http::Request& request, std::string_view path, std::string caller,
                 ReplyForm& form) const;
  std::string agent_of(const std::string& path_agent, const Call& call) const;
  coracle::Task<bool> is_known(Agent& me, Name agent);
  std::optional<Name> front() const;

  // --- calls: desk_calls.cpp ---
  void handle(Agent& me, Order order);
  void handle_send(Agent& me, const Order& order, SendCall call);
  void handle_list(const Order& order, const ListTasksRequest& request) const;
  void handle_cancel(Agent& me, const Order& order, const CancelTaskRequest& request);
  void handle_subscribe(const Order& order, const SubscribeRequest& request);
  void resume(const Order& order, const Task& task, std::uint64_t after);
  void show_sent(const Order& order, const SendCall& call, const std::string& task);
  http::StreamOptions stream_for(const std::string& caller, std::size_t first);

  // --- push notifications: desk_push.cpp ---
  void handle_push(const Order& order, const Call& call);
  void check_push(const std::string& task, const std::string& caller,
                  const PushConfig& config) const;
  void add_push(const std::string& task, const std::string& caller,
                const std::optional<PushConfig>& config);
  void begin_pushes(Agent& me, const std::string& task);
  void take_turns(Agent& me);
  std::optional<Notice> notice_of(const PostTurns::Turn& turn);
  coracle::Task<> push(Agent& me, PostTurns::Turn turn, Notice notice);
  void note_post(Agent& me, PushConfigs::Entry& entry, PostTurns::Turn turn, std::uint64_t number,
                 const std::string& problem);
  coracle::Task<> push_again(Agent& me, PostTurns::Turn turn);
  PushConfigs::Entry* entry_of(const PostTurns::Turn& turn);
  coracle::Task<std::string> post(http::Request request);

  // --- groups: desk_groups.cpp ---
  coracle::Task<> find_group(Agent& me, Order& order);
  void begin_group(Agent& me, const Order& order, const Task& task, const Message& message);
  coracle::Task<> ask_member(Agent& me, std::string task, std::shared_ptr<GroupWork> group,
                             std::size_t number, Name member, Post post);
  void note_answer(Agent& me, const std::string& task, GroupWork& group, const Name& member,
                   const Result<coracle::Message>& reply);
  static void call_off(GroupWork& group);

  // --- work: desk_work.cpp ---
  coracle::Task<> work(Agent& me, std::string task, Post post);
  // Gives the client's answer to the agent that has put a question.
  void answer(Agent& me, const std::string& task, const Message& message);
  coracle::Task<> reply_to(Agent& me, coracle::Message question, Content content);
  coracle::Task<> refuse_to(Agent& me, coracle::Message question);
  // The request to an agent, with the content of the client's message.
  Post post_for(const Owner& owner, const Task& task, const Message& message, Content content,
                const TraceContext& trace) const;
  void take(Agent& me, coracle::Message& message);
  // Takes a question; returns false if the sender may not put one.
  bool take_question(Agent& me, coracle::Message& message);
  std::string task_of(const coracle::Message& message, Conversation conversation) const;
  void on_reply(Agent& me, const std::string& task, const Result<coracle::Message>& reply);
  void fail(Agent& me, const std::string& task, const Error& error);
  void add_piece(Agent& me, const std::string& task, const Content& content, bool is_last);
  void set_status(Agent& me, const std::string& task, TaskState state, std::string text);
  void publish(Agent& me, const std::string& task, const std::optional<TaskEvent>& event);
  Moment now(const Agent& me) const { return {me.now(), surroundings_.calendar()}; }
  std::string new_id() const;

  // --- the society: desk_society.cpp ---
  coracle::Task<> enter_changes(Agent& me, DirectoryChanges& changes, bool all);
  coracle::Task<> enter(Agent& me, Name agent);

  const ServerOptions options_;
  const Surroundings surroundings_;
  const web::Callers callers_;
  CardFrame frame_;
  Roster roster_;
  TaskStore store_;
  Watchers watchers_;
  const std::shared_ptr<http::StreamBudget> streams_;
  std::map<std::string, std::weak_ptr<http::StreamBudget>> streams_of_;  // by callers
  const web::Outgoing outgoing_;
  http::Client* const client_;
  PushConfigs pushes_;
  Time looked_at_tasks_{};
  std::map<std::string, Work> works_;                    // by tasks
  std::map<Conversation, std::string> by_conversation_;  // the tasks
};

}  // namespace coracle::a2a
