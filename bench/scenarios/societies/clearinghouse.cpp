// The cost of each option of the clearinghouse: a flood between two processes, through a server in
// a third process, with one thing more at a time, all in turn beside the plain one.
#include "harness/figures/compare.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "scenarios/messages/heard_flood.hpp"
#include "scenarios/scenarios.hpp"

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

// One line of the result; `besides` is the line with which it is compared.
struct Variant {
  const char* name;
  std::size_t size = 64;
  bool has_tls = false, is_durable = false, has_policy = false;
  std::uint32_t patterns = 0;
  Said said = Said::random;
  std::size_t besides = 0;
};

const Variant variants[] = {
    {.name = "plain"},
    {.name = "policy", .has_policy = true},
    {.name = "TLS", .has_tls = true},
    {.name = "durable", .is_durable = true},
    {.name = "1 pattern", .patterns = 1},
    {.name = "100 patterns", .patterns = 100},
    {.name = "10,000 patterns", .patterns = 10'000},
    {.name = "10,000 patterns, hard text", .patterns = 10'000, .said = Said::hard},
    {.name = "plain, 1 KiB", .size = 1024, .besides = 8},
    {.name = "TLS, 1 KiB", .size = 1024, .has_tls = true, .besides = 8},
};

// Sets the options of the server and its clients as the variant requires.
void dress(const Variant& variant, MeetingPlace& place, Options& options) {
  std::string query;
  if (variant.has_tls) {
    place.server().tls =
        net::Authority(place.folder() + "/keys", "bench").issue("here", {"127.0.0.1"}, 90);
    query = "?tls=" + place.server().tls;
  }
  if (variant.has_policy) {
    place.server().policy = place.folder() + "/policy";
    std::ofstream(place.server().policy) << "allow * register **\nallow ** send **\n"
                                            "allow ** overhear **\n";
  }
  if (variant.is_durable) place.server().data = place.folder() + "/data";
  options.realization += query;
}

Run flood_once(const Options& options, const Variant& variant) {
  MeetingPlace place;
  Options dressed = options;
  dress(variant, place, dressed);
  Options here = place.here(dressed);
  HeardFlood flood;
  flood.interval = options.interval(0.2, 1);
  flood.size = variant.size;
  flood.patterns = variant.patterns;
  flood.said = variant.said;
  Shared<HeardFlood::Found> found;
  Partner sender([&] {
    place.enter(here);
    if (variant.is_durable) here.realization += "&durable=yes";
    send_flood(here, flood);
  });
  Partner receiver([&] {
    place.enter(here);
    *found = receive_flood(here, flood);
  });
  place.serve(here);
  sender.wait();
  receiver.wait();
  Run run;
  run.value = found->rate;
  run.n = found->n;
  run.samples = {found->rate};
  return run;
}

}  // namespace

std::vector<Metric> run_clearinghouse(const Options& options, Progress& progress) {
  if (!options.realization.starts_with("central"))
    throw BadRequest("clearinghouse: write --realization central://127.0.0.1:1");
  std::vector<std::function<Run()>> works;
  for (const Variant& variant : variants)
    works.push_back([&options, &variant] { return flood_once(options, variant); });
  const auto runs = interleave(options, progress, works);
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Variant& variant = variants[i];
    const Params params = {{"with", std::string(variant.name)},
                           {"size", static_cast<std::int64_t>(variant.size)}};
    metrics.push_back({"rate", "messages/s", params, summarize(runs[i]), {}});
    metrics.back().more = {{"floor", summarize(runs[variant.besides]).value},
                           {"ratio_to_floor", ratio(runs[i], runs[variant.besides]).value}};
  }
  return metrics;
}

}  // namespace coracle::bench
