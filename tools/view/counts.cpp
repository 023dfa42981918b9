#include "view/counts.hpp"

#include "service_view.hpp"

#include "coracle/formats/prometheus.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace coracle::command {

namespace {

using formats::PrometheusText;
using Type = PrometheusText::Type;

struct Metric {
  std::string_view count, name;  // the name in the census, and that of the metric
  Type type;
  std::string_view help;
};

constexpr std::array metrics = {
    Metric{"nodes", "coracle_nodes", Type::gauge, "Nodes of the society."},
    Metric{"agents", "coracle_agents", Type::gauge, "Agents that are registered."},
    Metric{"groups", "coracle_groups", Type::gauge, "Groups with members."},
    Metric{"memberships", "coracle_memberships", Type::gauge, "Members of all groups."},
    Metric{"refused_frames", "coracle_refused_frames_total", Type::counter,
           "Frames that the policy refused."},
    Metric{"relayed_frames", "coracle_relayed_frames_total", Type::counter,
           "Frames that the clearinghouse passed on."},
    Metric{"relayed_bytes", "coracle_relayed_bytes_total", Type::counter,
           "Bytes that the clearinghouse passed on."},
    Metric{"asked", "coracle_polls_total", Type::counter,
           "Times that nodes asked the clearinghouse for messages."},
    Metric{"waiting_bytes", "coracle_waiting_bytes", Type::gauge,
           "Bytes that nodes have not taken yet from the clearinghouse."},
    Metric{"kept_messages", "coracle_kept_messages", Type::gauge,
           "Messages that are stored for absent agents."},
    Metric{"kept_bytes", "coracle_kept_bytes", Type::gauge,
           "Bytes of the messages that are stored for absent agents."},
    Metric{"kept_limit", "coracle_kept_limit_bytes", Type::gauge,
           "The limit of the bytes that are stored for absent agents."},
    Metric{"journal_bytes", "coracle_journal_bytes", Type::gauge, "Bytes of the journal."},
    Metric{"reserve_bytes", "coracle_reserve_bytes", Type::gauge,
           "Bytes that are reserved for a full disk."},
    Metric{"free_bytes", "coracle_free_bytes", Type::gauge, "Free bytes of the journal's disk."},
    Metric{"disk_full", "coracle_disk_full", Type::gauge, "1 if the journal's disk is full."},
    Metric{"certificate_days", "coracle_certificate_days", Type::gauge,
           "Days for which the certificate of the service is still good."},
};

template <class Get>
void write_leases(PrometheusText& text, const society::Census& census, const Metric& metric,
                  Get get) {
  text.metric(metric.name, metric.type, metric.help);
  for (const society::Census::Lease& each : census.leases)
    text.sample(get(each), {{"node", each.node},
                            {"certified", each.certified},
                            {"lease", std::to_string(each.lease)}});
}

}  // namespace

void write_counts(const Place& place, const formats::Sink& sink) {
  const ServicePlace service = service_to_ask(place.realization, patience_with_service);
  const society::Census census = look_at(service, patience_with_service, nullptr).value().census;
  PrometheusText text(sink);
  for (const Metric& each : metrics) {
    const auto found = std::find_if(census.counts.begin(), census.counts.end(),
                                    [&](const auto& count) { return count.first == each.count; });
    if (found == census.counts.end()) continue;
    text.metric(each.name, each.type, each.help);
    text.sample(found->second);
  }
  if (census.leases.empty()) return;
  using Lease = society::Census::Lease;
  write_leases(
      text, census,
      {"", "coracle_node_lease_age_seconds", Type::gauge, "How long a node has its lease."},
      [](const Lease& each) { return static_cast<double>(each.age) / 1000; });
  write_leases(text, census,
               {"", "coracle_node_names", Type::gauge, "Names that a node has registered."},
               [](const Lease& each) { return each.names; });
  write_leases(text, census,
               {"", "coracle_node_waiting_bytes", Type::gauge,
                "Bytes that a node has not taken yet from the clearinghouse."},
               [](const Lease& each) { return each.waiting; });
}

}  // namespace coracle::command
