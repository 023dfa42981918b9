#include "metrics/node_metrics.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace coracle::detail {

namespace {

using Context = std::vector<MetricPath::Step>;

// The mailboxes that a worker looks at before it does something else.
constexpr std::size_t at_once = 4096;
// The intervals after which a measured value is half as credible.
constexpr int half_life = 10;

Context of_agent(const Name& name) { return {{"Agent", {name.str()}}}; }

Context of_node(NodeCore& node) { return {{"Node", {std::to_string(node.lease().id())}}}; }

MetricPath within(Context context, MetricPath::Step formula) {
  context.push_back(std::move(formula));
  return MetricPath(std::move(context));
}

double per_second(std::uint64_t count, Duration passed) noexcept {
  return static_cast<double>(count) / std::chrono::duration<double>(passed).count();
}

}  // namespace

CountSensors::CountSensors(Metrics& metrics, Context context, bool has_run_time) {
  const auto sensor = [&](MetricPath::Step formula, const char* unit) {
    SensorOptions options;
    options.unit = unit;
    options.provenance = "counts";
    options.half_life = half_life * std::chrono::seconds(1);
    return metrics.sensor(within(context, std::move(formula)), std::move(options));
  };
  out_ = sensor({"MessagesOut"}, "1/s");
  in_ = sensor({"MessagesIn"}, "1/s");
  waiting_ = sensor({"Queue", {"Waiting"}}, "");
  bytes_ = sensor({"Queue", {"Bytes"}}, "bytes");
  if (has_run_time) load_ = sensor({"CPULoad"}, "processors");
}

void CountSensors::update(const AgentCounts& now, Duration passed) {
  if (std::exchange(has_last_, true) && passed > Duration::zero()) {
    out_.update(per_second(now.sent - std::min(now.sent, last_.sent), passed));
    in_.update(per_second(now.consumed - std::min(now.consumed, last_.consumed), passed));
    if (const auto share = now.running.share_since(last_.running)) load_.update(*share);
  }
  waiting_.update(static_cast<double>(now.waiting));
  bytes_.update(static_cast<double>(now.bytes));
  last_ = now;
}

struct NodeMetrics::Tick final : TimerNode {
  explicit Tick(NodeMetrics& of)
      : TimerNode([](TimerNode& timer) noexcept {
          static_cast<Tick&>(timer).metrics.begin_round(*timer.owner);
        }),
        metrics(of) {}
  NodeMetrics& metrics;
};

struct NodeMetrics::Round {
  explicit Round(NodeMetrics& whose) : metrics(whose) {}

  NodeMetrics& metrics;
  Time began{};
  // By worker; each adds to its own. The sum also has the counts of agents that have ended.
  std::vector<std::vector<Seen>> seen;
  std::vector<AgentCounts> sums;
  std::vector<Duration> used;  // processor time
  std::size_t left = 0;  // workers that have not ended; worker 0 counts
};

NodeMetrics::NodeMetrics(NodeCore& node, Duration interval, std::size_t agents)
    : node_(node),
      interval_(interval),
      most_agents_(agents),
      values_(node.clock(), {},
              [&node](std::span<const MetricPath::Step> context) -> std::optional<Context> {
                if (context.empty()) return std::nullopt;
                const std::string& where = context.back().word;
                if (where == "Agent") return of_node(node);
                if (where == "Node" && node.has_threads()) return MachineSensors::host();
                return std::nullopt;
              }),
      sum_(values_, of_node(node), false),
      present_(values_.sensor(within(of_node(node), {"Agents"}))) {
  if (node.has_threads()) machine_.emplace(values_, of_node(node), node.worker_count());
  node_.worker(0).post(command([this](Worker& first) { begin_round(first); }));
}

NodeMetrics::~NodeMetrics() = default;

void NodeMetrics::begin_round(Worker& first) {
  if (node_.stopping().ended()) return;
  round_ = std::make_unique<Round>(*this);
  round_->began = first.now();
  round_->left = node_.worker_count();
  round_->seen.resize(node_.worker_count());
  round_->sums.resize(node_.worker_count());
  round_->used.resize(node_.worker_count());
  for (std::size_t index = 0; index < node_.worker_count(); ++index)
    node_.worker(index).post(command([this](Worker& at) { look(at, 0, *round_); }));
}

// Looks at some of the mailboxes, and at the next ones after other work.
void NodeMetrics::look(Worker& at, std::size_t from, Round& round) {
  std::vector<Seen>& seen = round.seen[at.index()];
  AgentCounts& sum = round.sums[at.index()];
  RunTimes& run_times = at.scheduler.run_times();
  const Duration tick = TurnLength::present();
  if (at.node().has_threads()) run_times.look(tick);
  const bool is_more = at.node().some_mailboxes(from, at_once, [&](Mailbox& mailbox) {
    if (mailbox.home.load(std::memory_order_relaxed) != &at) return;
    if ((mailbox.mode_now() & Mode::elsewhere) != 0) return;
    const AgentCounts counts{mailbox.sent, mailbox.consumed,
                             mailbox.queued.load(std::memory_order_relaxed), mailbox.bytes,
                             run_times.of(&mailbox, tick)};
    sum.add(counts);
    if (mailbox.is_present() && mailbox.agent != nullptr) seen.push_back({&mailbox, counts});
  });
  if (is_more)
    return at.post(command([from, &round](Worker& again) { look(again, from + at_once, round); }));
  round.used[at.index()] = thread_processor_time();
  at.node().worker(0).post(command([&round](Worker& first) {
    if (--round.left == 0) round.metrics.end_round(first, round);
  }));
}

void NodeMetrics::end_round(Worker& first, const Round& round) {
  const Duration passed = round.began - std::exchange(last_, round.began);
  ++rounds_;
  AgentCounts sum;
  std::size_t present = 0;
  for (const AgentCounts& each : round.sums) sum.add(each);
  for (const std::vector<Seen>& each : round.seen) {
    present += each.size();
    for (const Seen& one : each) {
      auto watched = agents_.find(one.mailbox);
      if (watched == agents_.end()) {
        if (agents_.size() >= most_agents_) continue;
        watched =
            agents_
                .try_emplace(one.mailbox,
                             Watched{{values_, of_agent(one.mailbox->name), node_.has_threads()}})
                .first;
      }
      watched->second.round = rounds_;
      watched->second.sensors.update(one.counts, passed);
    }
  }
  std::erase_if(agents_, [this](const auto& each) { return each.second.round != rounds_; });
  sum_.update(sum, passed);
  present_.update(static_cast<double>(present));
  if (machine_) machine_->update(passed, round.used);
  if (!tick_) tick_ = std::make_unique<Tick>(*this);
  if (!node_.stopping().ended()) tick_->arm(first, first.now() + interval_);
}

}  // namespace coracle::detail
