#include "scenarios/gateways/fipa/jade.hpp"

#include "harness/run/failures.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <cstdlib>

namespace coracle::bench {

namespace json = boost::json;

namespace {

constexpr double patience = 120;  // in seconds; the first agents of a virtual machine take long

json::object parsed(const std::string& line) {
  boost::system::error_code error;
  json::value value = json::parse(line, error);
  if (error || !value.is_object()) throw NotDone("the player of JADE has printed no JSON");
  return std::move(value.as_object());
}

}  // namespace

std::optional<std::filesystem::path> jade_player() {
  namespace fs = std::filesystem;
  std::error_code none;
  fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path() / "jade-player";
  if (const char* const named = std::getenv("CORACLE_JADE_PLAYER")) program = named;
  if (!fs::is_regular_file(program, none)) return std::nullopt;
  return program;
}

JadePlatform::JadePlatform(const std::filesystem::path& player, const std::string& name)
    : player_({player.string(), "--platform", name}, {{"JADE_PLAYER_JAVA", ""}}), name_(name) {}

void JadePlatform::open() {
  address_ = parsed(player_.hear(patience)).at("address").as_string().c_str();
}

json::object JadePlatform::answer_to(json::object command) {
  command["id"] = ++commands_;
  player_.tell(json::serialize(command));
  while (true) {
    json::object answer = parsed(player_.hear(patience));
    const auto* const id = answer.if_contains("id");
    if (id == nullptr || *id != commands_) continue;
    if (const auto* const ok = answer.if_contains("ok")) return ok->as_object();
    throw NotDone("JADE has not done its work: " + json::serialize(answer));
  }
}

std::vector<acl::AgentId> JadePlatform::partners(std::uint32_t count) {
  for (; partners_ < count; ++partners_)
    answer_to({{"do", "agent"}, {"agent", partner_name(partners_)}, {"plays", "echo"}});
  std::vector<acl::AgentId> all;
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back({.name = partner_name(i) + '@' + name_, .addresses = {address_}});
  return all;
}

Run JadePlatform::measure_callers(const std::vector<acl::AgentId>& partners,
                                  const CoupleLoad& load) {
  json::array targets;
  for (const acl::AgentId& each : partners)
    targets.push_back({{"name", each.name}, {"addresses", json::array{each.addresses.at(0)}}});
  const json::object found = answer_to({{"do", "couples"},
                                        {"count", load.couples},
                                        {"targets", std::move(targets)},
                                        {"content", content_of(load.content)},
                                        {"seconds", load.interval}});
  Run run;
  run.n = found.at("trips").to_number<std::uint64_t>();
  if (run.n == 0) throw NotDone("no couple of JADE has made a round trip; measure for longer");
  run.value =
      found.at("nanoseconds").to_number<double>() * load.couples / static_cast<double>(run.n);
  return run;
}

}  // namespace coracle::bench
