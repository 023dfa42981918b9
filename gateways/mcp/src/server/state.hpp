// The gateway's agent: it serves the requests of all clients, each in a task of its own. All of it
// runs on one worker, so it needs no locks; only the counts are read by other threads.
#pragma once

#include "model/request.hpp"
#include "model/results.hpp"
#include "model/tool_task.hpp"
#include "model/transcripts.hpp"
#include "server/errand.hpp"
#include "server/outlet.hpp"
#include "server/roster.hpp"

#include "coracle/mcp/gateway.hpp"

#include "coracle/agent.hpp"
#include "coracle/directory_changes.hpp"
#include "coracle/port.hpp"

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace coracle::mcp {

// An error of JSON-RPC that is the response to a request.
struct Fault {
  web::RpcError error;
};

// Fails with the code for wrong parameters.
[[noreturn]] void refuse_params(std::string why);

// A remote function that is a tool.
struct CallTool {
  Name agent;
  RemoteFunction function;
};

// A tool that a program has added: a remote function, or one with work of its own.
struct AddedTool {
  ToolInfo info;
  std::variant<CallTool, ToolWork> does;
};

// The tools of an agent and of a remote function.
ToolInfo info_of(const Roster::Agent& agent);
ToolInfo info_of(const CallTool& call);

// The result of a use, by the end of the request to the agent; `tool` is the function, or nullptr.
ToolResult result_of(const Result<Message>& end, const Name& agent, const AddedTool* tool);

// A client's answer to the question of an agent.
struct ClientAnswer {
  bool is_there = false;
  std::optional<std::string> text = {};  // nothing: the client declines
};
// Reads the answer to the question of that key. Fails with web::JsonError.
ClientAnswer answer_in(const Json& responses, std::string_view key);

// A number of 128 bits that nobody can guess.
std::string secret_number();

class GatewayState {
 public:
  GatewayState(Node& node, GatewayOptions options);

  Port& port() noexcept { return *port_; }
  Node& node() noexcept { return node_; }
  void add(const RemoteCalls& calls);
  void add(ToolInfo info, ToolWork work);
  GatewayCounts counts() const noexcept;

  // Serves one request. `channel` tells the requests of a client that can call them off apart from
  // those of others; nullptr: it ends the connection instead.
  Task<> serve(Agent& me, Request request, std::string caller, OutletPtr out, const void* channel);
  // The client of the channel does not want the response any more.
  void call_off(const void* channel, const Json& id);
  // The client of the channel is gone.
  void call_off_all(const void* channel);

 private:
  // A request that takes some time.
  struct Call {
    const Request& request;
    const std::string& caller;
    const OutletPtr out;
    const void* const channel;
    const Time begun;
    std::shared_ptr<Errand> errand = nullptr;
    double progress = -1;   // the last that the client got
    std::size_t notes = 0;  // of progress
    bool is_called_off = false;

    void call_off() noexcept;
  };
  class Entering;
  struct Subscription {
    Json id;
    OutletPtr out;
    const void* channel;
    std::string caller;
    bool tools = false;
    std::set<std::string> uris = {}, tasks = {};
  };

  // --- serving.cpp
  Task<> serve_slowly(Agent& me, Call& call);
  std::string answer(const Request& request) const;
  void listen(const Request& request, const std::string& caller, OutletPtr out,
              const void* channel);
  std::string listed_tools(const Request& request) const;

  // --- calling.cpp
  Task<std::string> call_tool(Agent& me, Call& call);
  std::shared_ptr<const AddedTool> find_added(const std::string& name) const;
  void enter(std::shared_ptr<const AddedTool> tool);
  Task<ToolResult> work(Agent& me, Call& call, const ToolWork& work);
  Task<std::string> ask(Agent& me, Call& call, Name agent, Content content,
                        std::shared_ptr<const AddedTool> tool);
  Task<std::string> follow(Agent& me, Call& call, std::shared_ptr<Errand> errand,
                           std::shared_ptr<const AddedTool> tool);
  bool may_park(const std::string& caller) const;
  std::string park(Call& call, std::shared_ptr<Errand> errand);
  std::shared_ptr<Errand> resume(const Call& call);
  void show_progress(Call& call, const web::Progress& progress);

  // --- tasks.cpp
  std::string make_task(Call& call, std::shared_ptr<Errand> errand,
                        std::shared_ptr<const AddedTool> tool);
  void task_has_changed(const std::string& id);
  void tell_subscribers(const ToolTask& task);
  ToolTask& task_of(const Request& request, const std::string& caller);
  Task<std::string> serve_task(Agent& me, const Request& request, const std::string& caller);

  // --- tracing.cpp
  Task<> overhear(Agent& me);
  void record(const Message& copy, Time now);
  Json conversations_json(const std::string& caller, const Name& agent, std::size_t most,
                          Time now) const;
  std::optional<Json> transcript_json(Conversation number, const std::string& caller,
                                      Time now) const;
  Json trace(const web::JsonReader& arguments, const std::string& caller, Time now) const;
  bool has_transcripts() const noexcept { return !options_.overheard.empty(); }

  // --- looking.cpp
  std::function<bool(const Name&)> shows() const;  // of agents that clients may know
  Task<ToolResult> look(Agent& me, const Call& call);
  Task<Json> read(Agent& me, const Call& call);
  Json agents_json(const std::string& prefix, std::size_t most) const;
  Name visible(const web::JsonReader& arguments) const;
  Task<Json> inspected(Agent& me, Name agent);
  Task<Json> why(Agent& me, Name agent);
  std::string drawing() const;
  Json counts_json() const;
  Json metrics_json() const;

  // --- state.cpp
  Task<> begin(Agent& me);
  Task<> take_messages(Agent& me);
  Task<> follow_directory(Agent& me, coracle::detail::Signal ready);
  Task<> enter_all(Agent& me, std::set<Name>& changed);
  Task<> sweep(Agent& me);
  void sweep_once(Time now);
  void tell_subscribers(const std::set<Name>& changed);

  Node& node_;
  const GatewayOptions options_;
  const ServerInfo info_;
  Roster roster_;
  std::map<std::string, std::shared_ptr<const AddedTool>, std::less<>> added_;
  mutable std::mutex mutex_;  // guards added_, which other threads change
  std::list<Call*> calls_;
  std::size_t call_bytes_ = 0;                                          // of their arguments
  std::map<std::string, std::size_t, std::less<>> calls_of_;            // by caller
  std::map<std::string, std::shared_ptr<Errand>, std::less<>> parked_;  // by the state of clients
  std::list<Subscription> subscriptions_;
  ToolTasks tasks_;
  Transcripts transcripts_;
  Errands errands_;
  std::optional<coracle::detail::Signal> busy_;
  std::atomic<std::size_t> agent_count_{0}, call_count_{0}, subscription_count_{0};
  std::optional<Port> port_;  // the last: its agent uses the rest
};

}  // namespace coracle::mcp
