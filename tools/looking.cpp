// coracle ls, coracle stats: print the state that a society's service has.
#include "commands.hpp"
#include "coracle/support/quote.hpp"
#include "errand.hpp"
#include "service_view.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace coracle::command {

namespace {

namespace json = boost::json;

json::value value_of(const Value& value) {
  return std::visit([](const auto& each) { return json::value(each); }, value);
}

void print_entry(const Place& place, const Entry& entry) {
  json::object properties;
  for (const auto& [key, value] : entry.properties.all()) properties[key] = value_of(value);
  if (!place.json) {
    const std::string more =
        properties.empty() ? "" : "  " + detail::shown_json(json::serialize(properties));
    return print_line(entry.name.str() + more);
  }
  print_json(json::serialize(json::object{
      {"name", entry.name.view()}, {"lease", entry.lease}, {"properties", properties}}));
}

void print_group(const Place& place, const std::string& group,
                 const std::vector<std::string>& members) {
  if (place.json)
    return print_json(json::serialize(
        json::object{{"group", group}, {"members", json::array(members.begin(), members.end())}}));
  print_line(fmt::format("group {}: {}", group, fmt::join(members, ", ")));
}

double seconds(std::uint64_t milliseconds) { return static_cast<double>(milliseconds) / 1000; }

void print_lease(const Place& place, const society::Census::Lease& lease) {
  if (place.json)
    return print_json(json::serialize(json::object{{"node", lease.node},
                                                   {"certified", lease.certified},
                                                   {"lease", lease.lease},
                                                   {"age", seconds(lease.age)},
                                                   {"names", lease.names},
                                                   {"waiting_bytes", lease.waiting}}));
  const std::string who = lease.certified.empty() ? "" : " as " + lease.certified;
  print_line(fmt::format("node {}{}: lease {} for {:.1f} s, {} names, {} bytes wait for it",
                         lease.node, who, lease.lease, seconds(lease.age), lease.names,
                         lease.waiting));
}

}  // namespace

int run_ls(const ListSettings& settings) {
  const ServicePlace service = service_to_ask(settings.place.realization, patience_with_service);
  const ServiceView view = look_at(service, patience_with_service, nullptr).value();
  const Name prefix = settings.prefix.empty() ? Name() : Name(settings.prefix);
  for (const auto& [name, entry] : view.agents) {
    if (entry.name.within(prefix)) print_entry(settings.place, entry);
  }
  if (!settings.all) return done;
  for (const auto& [group, members] : view.groups) {
    if (Name(group).within(prefix)) print_group(settings.place, group, members);
  }
  for (const auto& lease : view.census.leases) print_lease(settings.place, lease);
  return done;
}

namespace {

json::object described(const society::Refusal& refusal) {
  json::object line{{"serial", refusal.serial},       {"node", refusal.node},
                    {"certified", refusal.certified}, {"right", refusal.right},
                    {"from", refusal.from.str()},     {"to", refusal.to.str()},
                    {"count", refusal.count}};
  if (refusal.by.empty()) return line;
  line["by"] = refusal.by;
  line["by_certified"] = refusal.by_certified;
  return line;
}

}  // namespace

int run_audit(const AuditSettings& settings) {
  const ServicePlace service = service_to_ask(settings.place.realization, patience_with_service);
  for (std::uint64_t seen = 0;;) {
    const auto refusals = refusals_of(service, seen, patience_with_service).value();
    for (const society::Refusal& each : refusals) print_json(json::serialize(described(each)));
    if (settings.once) return done;
    if (!refusals.empty()) seen = refusals.back().serial;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

int run_stats(const StatsSettings& settings) {
  const ServicePlace service = service_to_ask(settings.place.realization, patience_with_service);
  const ServiceView view = look_at(service, patience_with_service, nullptr).value();
  json::object counts;
  for (const auto& [what, count] : view.census.counts) counts[what] = count;
  if (settings.place.json) return print_json(json::serialize(counts)), done;
  for (const auto& [what, count] : view.census.counts)
    print_line(fmt::format("{:<16} {}", what, count));
  return done;
}

}  // namespace coracle::command
