#include "server/metrics.hpp"

#include <algorithm>
#include <vector>

namespace coracle::view {

using Type = formats::PrometheusText::Type;

void write_metrics(formats::PrometheusText& out, const Feed& feed) {
  out.metric("coracle_view_messages_total", Type::counter, "Messages that the view has overheard.");
  out.sample(feed.seen());
  out.metric("coracle_view_missed_total", Type::counter,
             "Messages that the view has missed, as far as their number is known.");
  out.sample(feed.missed);
  out.metric("coracle_view_kept_messages", Type::gauge, "Messages that the view keeps.");
  out.sample(std::uint64_t{feed.messages.all().size()});
  out.metric("coracle_view_kept_bytes", Type::gauge, "Bytes of the messages that the view keeps.");
  out.sample(std::uint64_t{feed.messages.bytes()});
  out.metric("coracle_view_browsers", Type::gauge, "Browsers that look.");
  out.sample(std::uint64_t{feed.browsers.size()});
  constexpr std::size_t most_agents = 1000;  // those with the most messages
  std::vector<const AgentRow*> rows;
  for (const auto& [name, row] : feed.people.agents()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const AgentRow* a, const AgentRow* b) {
    return a->sent + a->received > b->sent + b->received;
  });
  if (rows.size() > most_agents) rows.resize(most_agents);
  const auto of_agents = [&](std::string_view name, std::string_view help,
                             std::uint64_t AgentRow::*count) {
    out.metric(name, Type::counter, help);
    for (const AgentRow* each : rows) out.sample(each->*count, {{"agent", each->name.str()}});
  };
  of_agents("coracle_view_agent_sent_total", "Messages that the view has seen an agent send.",
            &AgentRow::sent);
  of_agents("coracle_view_agent_received_total", "Messages that the view has seen go to an agent.",
            &AgentRow::received);
  of_agents("coracle_view_agent_errors_total", "Failures that the view has seen of an agent.",
            &AgentRow::errors);
}

}  // namespace coracle::view
