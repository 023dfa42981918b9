#include "other_systems.hpp"

#include "harness/run/failures.hpp"
#include "hosts.hpp"
#include "program.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <cstdlib>

namespace coracle::bench {

PeerFound OtherSystem::play(std::string_view scenario, std::size_t size, double seconds,
                            int processor, std::uint32_t pairs, const Hosts* hosts) const {
  std::vector<std::string> words = {program.string(), std::string(scenario),
                                    "--size",         std::to_string(size),
                                    "--seconds",      fmt::format("{}", seconds)};
  if (pairs > 1) words.insert(words.end(), {"--pairs", std::to_string(pairs)});
  if (hosts != nullptr) {
    words.insert(words.end(),
                 {"--address", hosts->address(1), "--space", std::to_string(hosts->space(1))});
  }
  const std::string line = output_of(words, processor, 60 + 5 * seconds);
  try {
    const boost::json::value found = boost::json::parse(line.substr(0, line.find('\n')));
    if (found.at("system").as_string() != name || found.at("scenario").as_string() != scenario) {
      throw NotDone(fmt::format("{} measured something else", program.string()));
    }
    return {{found.at("value").to_number<double>(), {}, found.at("n").to_number<std::uint64_t>()},
            found.at("version").as_string().c_str(),
            found.at("p50").to_number<double>(),
            found.at("p99").to_number<double>()};
  } catch (const NotDone&) {
    throw;
  } catch (const std::exception&) {
    throw NotDone(fmt::format("{} did not print its number", program.string()));
  }
}

std::filesystem::path folder_of_peers(const Options& options) {
  namespace fs = std::filesystem;
  if (!options.peers.empty()) return options.peers;
  if (const char* const folder = std::getenv("CORACLE_PEERS")) return folder;
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path() / "peers/bin";
}

std::optional<OtherSystem> other_system(const Options& options, std::string_view name) {
  const std::filesystem::path program = folder_of_peers(options) / fmt::format("peer-{}", name);
  std::error_code none;
  if (!std::filesystem::is_regular_file(program, none)) return std::nullopt;
  return OtherSystem{std::string(name), program};
}

}  // namespace coracle::bench
