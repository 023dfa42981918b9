// The subcommands of `coracle`, each with its settings. They return an exit code.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::command {

// Exit codes: 0 done, 1 failed, 2 a mistake in the command line (CLI11 has its own, above 100),
// 3 not done within the time, 4 done with a recording that ends in the middle.
enum ExitCode : int { done = 0, failed = 1, wrong_usage = 2, too_late = 3, cut_off = 4 };

// The society and the way to join it; common to all commands that join one.
struct Place {
  std::string realization;
  bool json = false;
};

// A choice of messages between other agents. An empty field restricts nothing.
struct MessageChoice {
  std::vector<std::string> names;    // patterns, as in lab/**, for the source or the target
  std::string source, target, text;  // expressions; not the first two together with `names`
  std::vector<std::string> types;    // patterns
  std::uint64_t conversation = 0;
  std::uint32_t rate = 0;  // of each tap
};

// coracle directory and coracle central
struct ServiceSettings {
  std::vector<std::string> listen;
  std::string society = "default";
  std::string key;
  std::string tls;
  bool insecure = false;
  std::string beacon;  // of a directory
  std::string policy;
  std::string data;
  std::size_t content_limit = std::size_t{16} << 20;
};
int run_directory(const ServiceSettings& settings);
int run_central(const ServiceSettings& settings);

// coracle keys
struct KeysSettings {
  bool society_key = false;  // makes a society key, and nothing else
  bool renew = false, revoke = false;
  std::string folder, node;
  std::string society = "default";
  std::vector<std::string> hosts = {"localhost", "127.0.0.1"};
  int days = 365;
};
int run_keys(const KeysSettings& settings);

// coracle gateway fipa; only where CORACLE_HAS_FIPA is defined
struct FipaSettings {
  Place place;
  std::string platform;
  std::vector<std::string> listen = {"127.0.0.1:7778"};
  std::vector<std::string> address;  // that others are told; "iiop://..." for IIOP
  std::vector<std::string> expose;
  std::string form = "string";  // or bit-efficient, xml
  std::string certificate, key;
  bool insecure = false;
  bool corbaloc = false;
  std::vector<std::string> partners;
};
int run_gateway_fipa(const FipaSettings& settings);

// The proofs of callers of a gateway.
struct CallerSettings {
  std::string file;                    // with API keys, tokens and subjects of certificates
  std::string authorities;             // a file; clients are asked for a certificate
  std::string issuer, audience, keys;  // of signed tokens; only where CORACLE_HAS_JOSE is defined
};

// coracle gateway a2a; only where CORACLE_HAS_A2A is defined
struct A2aSettings {
  Place place;
  std::string listen = "127.0.0.1:7790";
  std::string address;  // that others are told
  std::vector<std::string> expose;
  std::string front;
  CallerSettings callers;
  std::vector<std::string> types;         // of the society
  std::vector<std::string> hosts, sites;  // of HTTP
  std::vector<std::string> webhooks;      // networks
  bool no_webhooks = false;
  std::vector<std::string> agents;
  std::string card_key, trusted_cards;  // files; only where CORACLE_HAS_JOSE is defined
  std::string proofs;                   // a file, for these agents
  int task_seconds = 3600;
  std::string certificate, key;
  bool insecure = false;
};
int run_gateway_a2a(const A2aSettings& settings);

// coracle gateway mcp; only where CORACLE_HAS_MCP is defined
struct McpSettings {
  Place place;
  std::string listen;  // host:port by HTTP; empty: standard input and output
  std::string path = "/mcp";
  std::vector<std::string> expose, show, overhear, types;
  std::string as;       // the name of the gateway's agent
  double within = 300;  // seconds, for each answer
  CallerSettings callers;
  std::vector<std::string> hosts, origins;
  std::string certificate, key;
  bool insecure = false;
};
int run_gateway_mcp(const McpSettings& settings);

// coracle acl; only where CORACLE_HAS_ACL is defined
struct AclSettings {
  std::string codec;  // string, bit-efficient or xml
  std::string file;   // "-": standard input
  std::string address;
  std::string listen = "127.0.0.1:0";
  int count = 0;
  bool insecure = false;
};
int run_acl_decode(const AclSettings& settings);
int run_acl_encode(const AclSettings& settings);
// Only where CORACLE_HAS_FIPA is defined.
int run_acl_send(const AclSettings& settings);
int run_acl_listen(const AclSettings& settings);

// coracle ls
struct ListSettings {
  Place place;
  std::string prefix;
  bool all = false;  // groups and nodes, too
};
int run_ls(const ListSettings& settings);

// coracle stats
struct StatsSettings {
  Place place;
};
int run_stats(const StatsSettings& settings);

// coracle audit
struct AuditSettings {
  Place place;
  bool once = false;  // the refusals until now, and no more
};
int run_audit(const AuditSettings& settings);

// coracle doctor
struct DoctorSettings {
  Place place;
  std::string as;     // also tries to register that name
  double within = 5;  // seconds, for each step
};
int run_doctor(const DoctorSettings& settings);

// coracle queue
struct QueueSettings {
  Place place;
  std::string name;
};
int run_queue(const QueueSettings& settings);

// coracle why
struct WhySettings {
  Place place;
  std::string name;
};
int run_why(const WhySettings& settings);

// coracle end, coracle restart and coracle record
struct ActSettings {
  Place place;
  std::string name;
  bool off = false;  // record: no longer
};
int run_end(const ActSettings& settings);
int run_restart(const ActSettings& settings);
int run_record(const ActSettings& settings);

// coracle step
struct StepSettings {
  Place place;
  std::string pattern;     // of receivers
  std::string from, text;  // of senders; an expression
  std::string as = "coracle-step";
  std::uint32_t limit = 1000;  // of messages of one node
  bool scramble = false;
};
int run_step(const StepSettings& settings);

// coracle top
struct TopSettings {
  Place place;
  std::string prefix;
  bool once = false;
  std::uint64_t count = 0;  // tables that are printed; 0: without an end
};
int run_top(const TopSettings& settings);

// coracle trace
struct TraceSettings {
  Place place;
  std::uint64_t conversation = 0;
  std::string as = "coracle-trace", recording;
  std::uint64_t count = 0;  // 0: without an end
};
int run_trace(const TraceSettings& settings);

// coracle export; only where CORACLE_HAS_VIEW is defined
struct ExportSettings {
  Place place;
  std::string recording;
  std::string format;  // ndjson, mermaid, graphviz, perfetto, otlp or prometheus
  std::string output;  // a file; empty: the standard output
  std::string to;      // the URL of a collector
  std::string service = "coracle";
  std::uint64_t began = 0;  // seconds since 1970; 0: reckoned from the file
  std::vector<std::string> names, types;
  std::uint64_t conversation = 0;
  double from = 0, until = -1;  // seconds; below 0: without an end
  // Of a society that runs.
  std::string as = "coracle-export";
  double seconds = 0;       // 0: without an end
  std::uint64_t count = 0;  // messages; 0: without an end
  std::uint32_t rate = 0;   // of each tap
};
int run_export(const ExportSettings& settings);

// coracle view; only where CORACLE_HAS_VIEW and CORACLE_HAS_HTTP are defined
struct ViewSettings {
  Place place;
  std::string recording;
  std::string program;  // that was recorded; for replays
  std::string listen = "127.0.0.1:0";
  std::vector<std::string> hosts;  // names under which browsers reach it
  std::string as;
  std::string certificate, key, clients;  // files of TLS
  std::string login;                      // a key, or a file with it
  bool insecure = false;
  bool open = false;     // a browser
  bool metrics = false;  // prints the header for /metrics
  std::size_t messages = 100'000;
};
int run_view(const ViewSettings& settings);

// coracle draw
struct DrawSettings {
  Place place;
  std::string prefix;
  bool dot = false;
};
int run_draw(const DrawSettings& settings);

// coracle send
struct SendSettings {
  Place place;
  std::string as, to, text;
  std::string type, json;  // in place of a text
  double within = 5;       // seconds, until a reader takes the message
};
int run_send(const SendSettings& settings);

// coracle listen
struct ListenSettings {
  Place place;
  std::string as;
  std::uint64_t count = 0;  // 0: without an end
};
int run_listen(const ListenSettings& settings);

// coracle watch, and coracle tap with other choices
struct WatchSettings {
  Place place;
  MessageChoice choice;
  bool outcomes = false;
  std::string as = "coracle-watch";
  std::uint64_t count = 0;  // 0: without an end
};
int run_watch(const WatchSettings& settings);

}  // namespace coracle::command
