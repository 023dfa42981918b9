#include "coracle/mcp/foreign_tools.hpp"

#include "client/foreign_tool.hpp"
#include "client/link.hpp"

#include "coracle/agent_spec.hpp"
#include "coracle/http/url.hpp"
#include "coracle/match.hpp"
#include "coracle/port.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/typed.hpp"
#include "coracle/version.hpp"
#include "coracle/web/json_reader.hpp"

#include <map>
#include <set>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr int most_pages = 100;

const ForeignServer& checked(const ForeignServer& server) {
  if (server.command.empty() == server.url.empty())
    throw Error(Errc::bad_options,
                "a server of MCP is a program or an address; give 'command' or 'url'");
  if (server.name.empty() || server.name.find('/') != std::string::npos ||
      !Name::parse("mcp/" + server.name))
    throw Error(Errc::bad_options, "the name of a server of MCP is one part of a name, not " +
                                       coracle::detail::quoted(server.name));
  return server;
}

std::shared_ptr<ServerLink> link_to(http::Loop& loop, const ForeignServer& server) {
  if (server.command.empty()) return http_link(loop, server);
  return pipe_link(server);
}

// The agent of a tool, whatever letters the tool's name has; nothing if that is too long.
std::optional<Name> agent_of(const ForeignServer& server, const std::string& tool) {
  auto name = Name::parse("mcp/" + server.name + "/" + http::percent_encoded(tool));
  if (!name) return std::nullopt;
  return *std::move(name);
}

// Returns whether the server has the present revision. One of an earlier revision may be silent.
Task<bool> has_present(Agent& me, ServerLink& link, Time until) {
  bool is_present = false;
  try {
    Task<Json> discovering = link.call(me, {"server/discover"}, until, nullptr);
    const Json found = co_await discovering;
    const web::JsonReader reader(found, "result");
    for (const std::string& each : reader.texts_or_none("supportedVersions"))
      is_present = is_present || each == present_version;
  } catch (const ServerFault& fault) {
    if (fault.error().code == error_code::unsupported_version) throw;
  } catch (const Error& error) {
    if (error.errc() != Errc::expired) throw;
  }
  co_return is_present;
}

// Begins in an earlier revision.
Task<> initialize(Agent& me, ServerLink& link, Time until) {
  link.revision = {std::string(earlier_versions.front()), true};
  OwnRequest request{"initialize"};
  request.params.set("protocolVersion", earlier_versions.front())
      .set("capabilities", Json(Json::Object()))
      .set("clientInfo", Json().set("name", "coracle").set("version", coracle::version));
  Task<Json> initializing = link.call(me, std::move(request), until, nullptr);
  const Json begun = co_await initializing;
  const std::string version = web::JsonReader(begun, "result").at("protocolVersion").text();
  if (!is_earlier_version(version) && version != "2025-03-26" && version != "2024-11-05")
    throw Error(Errc::refused, "the server of MCP has the revision " +
                                   coracle::detail::quoted(version) + ", which is not known here");
  link.revision.version = version;
  Task<> telling = link.tell(me, "notifications/initialized", {});
  co_await telling;
}

// Agrees with the server on a revision: the present one, or one that begins with `initialize`.
Task<> begin_with(Agent& me, ServerLink& link, Time until) {
  const Time soon = me.now() + (until - me.now()) / 2;
  Task<bool> discovering = has_present(me, link, soon);
  if (co_await discovering) co_return;
  bool is_only_present = false;
  try {
    Task<> initializing = initialize(me, link, until);
    co_await initializing;
  } catch (const ServerFault& fault) {
    // It was slow, and not silent.
    if (fault.error().code != error_code::unsupported_version) throw;
    is_only_present = true;
  }
  if (!is_only_present) co_return;
  link.revision = {};
  Task<bool> again = has_present(me, link, until);
  if (!co_await again)
    throw Error(Errc::refused, "the server of MCP has no revision that is known here");
}

Task<std::vector<ServerTool>> list_tools(Agent& me, ServerLink& link, Time until,
                                         std::size_t most) {
  std::vector<ServerTool> all;
  std::string cursor;
  for (int page = 0; page < most_pages && all.size() < most; ++page) {
    OwnRequest request{"tools/list"};
    if (!cursor.empty()) request.params.set("cursor", cursor);
    Task<Json> listing = link.call(me, std::move(request), until, nullptr);
    const Json result = co_await listing;
    ToolPage read = read_tool_page(result);
    for (ServerTool& each : read.tools)
      if (all.size() < most) all.push_back(std::move(each));
    cursor = std::move(read.next);
    if (cursor.empty()) break;
  }
  co_return all;
}

}  // namespace

class ForeignToolsState {
 public:
  ForeignToolsState(Node& node, http::Loop& loop, ForeignServer server)
      : server_(checked(server)),
        link_(link_to(loop, server_)),
        node_(node),
        port_(node, AgentSpec("mcp/" + server_.name)) {
    act([this](Agent& me) -> Task<> {
      const Time until = me.now() + server_.begin_time;
      Task<> beginning = begin_with(me, *link_, until);
      co_await beginning;
    });
    try {
      refresh();
    } catch (...) {
      end_agents({});  // else they would keep the server
      throw;
    }
  }
  ~ForeignToolsState() { end_agents({}); }

  std::vector<Name> agents() const { return {agents_.begin(), agents_.end()}; }

  void refresh() {
    std::vector<ServerTool> tools;
    act([&](Agent& me) -> Task<> {
      const Time until = me.now() + server_.begin_time;
      Task<std::vector<ServerTool>> listing = list_tools(me, *link_, until, server_.tools);
      tools = co_await listing;
    });
    std::map<Name, ServerTool> wanted;
    for (ServerTool& each : tools)
      if (const auto name = agent_of(server_, each.name))
        wanted.try_emplace(*name, std::move(each));
    end_agents(wanted);
    for (auto& [name, tool] : wanted)
      if (!agents_.contains(name)) begin_agent(name, std::move(tool));
  }

 private:
  void act(const std::function<Task<>(Agent&)>& body) {
    port_.act<bool>([&body](Agent& me) -> Task<bool> {
      Task<> acting = body(me);
      co_await acting;
      co_return true;
    });
  }
  // A tool whose name another agent has is left out.
  void begin_agent(const Name& name, ServerTool tool) {
    auto agent =
        std::make_unique<ForeignTool>(link_, std::move(tool), server_, port_.self().name());
    try {
      node_.adopt(AgentSpec(name), std::move(agent));
    } catch (const Error& error) {
      if (error.errc() != Errc::name_taken) throw;
      coracle::detail::log_warning("a tool of MCP is left out: " + error.sentence(),
                                   coracle::detail::LogPart::gateway);
      return;
    }
    agents_.insert(name);
  }
  // Ends the agents of tools but these.
  void end_agents(const std::map<Name, ServerTool>& kept) {
    for (auto each = agents_.begin(); each != agents_.end();) {
      if (kept.contains(*each)) {
        ++each;
        continue;
      }
      try {
        port_.send(*each, Content::of(EndTool()));
        (void)port_.watch(*each);
      } catch (const Error&) {
        // It has ended already, perhaps with its node.
      }
      each = agents_.erase(each);
    }
  }

  const ForeignServer server_;
  const std::shared_ptr<ServerLink> link_;
  Node& node_;
  std::set<Name> agents_;
  Port port_;
};

ForeignTools::ForeignTools(Node& node, http::Loop& loop, ForeignServer server)
    : state_(std::make_unique<ForeignToolsState>(node, loop, std::move(server))) {}

ForeignTools::~ForeignTools() = default;

std::vector<Name> ForeignTools::agents() const { return state_->agents(); }

void ForeignTools::refresh() { state_->refresh(); }

}  // namespace coracle::mcp
