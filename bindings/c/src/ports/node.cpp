// Nodes and ports: their beginning and their end.
#include "base/convert.hpp"
#include "operation.hpp"

#include "coracle/realizations/open.hpp"
#include "coracle/version.hpp"

#include <csignal>
#include <cstring>

using namespace coracle;
using namespace coracle::c;

namespace {

NodeOptions options_from(const coracle_node_options& given) {
  NodeOptions options;
  if (given.identity != nullptr) options.identity = given.identity;
  if (given.workers != 0) options.workers = given.workers;
  if (given.content_limit != 0) options.content_limit = given.content_limit;
  if (given.connect_time < 0 || given.patience < 0)
    fail_argument("coracle_node_options: a span of time is negative");
  if (given.connect_time != 0) options.connect_time = Duration(given.connect_time);
  if (given.patience != 0) options.patience = Duration(given.patience);
  return options;
}

// While it lives, threads begin without the signals that a program handles: those are for the
// program's own threads.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
      sigdelset(&blocked, fault);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;

 private:
  sigset_t before_{};
};

void describe(const StopReport& stopped, coracle_stop_report& report) {
  const std::size_t size = report.size;
  coracle_stop_report filled{};
  filled.size = size;
  filled.clean = stopped.clean();
  filled.still_alive = stopped.still_alive.size();
  for (const auto& each : stopped.undelivered)
    (each.kept ? filled.kept : filled.undelivered) += each.messages;
  const std::string text = stopped.to_string();
  text.copy(filled.text, sizeof(filled.text) - 1);
  std::memcpy(static_cast<void*>(&report), &filled, std::min(size, sizeof(filled)));
}

}  // namespace

const char* coracle_version(void) { return version.data(); }

coracle_error* coracle_node_open(const coracle_node_options* given, coracle_node** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_node_open: `out` is NULL");
    const coracle_node_options options = options_of(given, "coracle_node_options");
    const char* const realization = options.realization;
    const auto loop = options.loop != nullptr ? object_of<Loop>(options.loop) : nullptr;
    if (loop && options.workers != 0)
      fail_argument("coracle_node_options: give a loop or a number of workers, not both");
    NodeOptions settings = options_from(options);
    if (loop) settings.workers = 0;
    const WithoutSignals threads_begin;
    const NodePtr node = NodeObject::open(coracle::open(realization == nullptr ? "" : realization),
                                          std::move(settings));
    if (loop) loop->run(node);
    *out = new_handle(node);
  });
}

coracle_error* coracle_node_stop(coracle_node* node, coracle_span longest,
                                 coracle_stop_report* report) {
  return guarded([&] {
    if (report != nullptr && report->size < sizeof(std::size_t))
      fail_argument("coracle_stop_report: the field `size` is not set; use CORACLE_INIT");
    const StopReport stopped = object_of<NodeObject>(node)->node->stop(within(longest));
    if (report != nullptr) describe(stopped, *report);
  });
}

void coracle_node_close(coracle_node* node) {
  coracle_error_free(guarded([&] {
    const auto closed = remove_handle<NodeObject>(node);
    if (closed && !detail::is_on_worker()) (void)closed->node->stop(Duration(0));
  }));
}

coracle_error* coracle_port_open(coracle_node* node, const coracle_agent_options* options,
                                 coracle_port** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const NodePtr whose = object_of<NodeObject>(node);
    const AgentSpec spec = spec_of(options);
    if (begin == nullptr) {
      *out = new_handle(PortObject::own(whose, std::make_unique<Port>(*whose->node, spec)));
      return;
    }
    const Operation::Work join = [spec, at = whose->node.get()](Agent*, Operation& self) -> Task<> {
      Task<std::unique_ptr<Port>> joining = detail::FromOutside::join(*at, spec);
      self.result = co_await joining;
    };
    (void)operate(whose, begin, out, join);
  });
}

void coracle_port_close(coracle_port* port) {
  coracle_error_free(guarded([&] { (void)remove_handle<PortObject>(port); }));
}

coracle_error* coracle_port_fail(coracle_port* port, const char* text) {
  return guarded([&] {
    const std::string why = text_of(text, "coracle_port_fail: `text`");
    detail::FromOutside::fail(*object_of<PortObject>(port)->port, why);
  });
}
