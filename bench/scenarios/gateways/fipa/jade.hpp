// A platform of JADE with partners and callers: the player of tests/interop, a process of its own.
#pragma once

#include "harness/machines/program.hpp"
#include "scenarios/gateways/fipa/couples.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace coracle::bench {

// The program: CORACLE_JADE_PLAYER, or jade-player beside this program; nothing if there is none.
std::optional<std::filesystem::path> jade_player();

class JadePlatform {
 public:
  // Starts it, with Java's own defaults. Fails with NotDone.
  JadePlatform(const std::filesystem::path& player, const std::string& name);
  // Waits until it is ready, which all else requires.
  void open();

  // Partners, of which those that do not exist yet are made.
  std::vector<acl::AgentId> partners(std::uint32_t count);
  // The time of a round trip in ns, of callers of this platform. Fails with NotDone.
  Run measure_callers(const std::vector<acl::AgentId>& partners, const CoupleLoad& load);

 private:
  // The fields of the answer to a command.
  boost::json::object answer_to(boost::json::object command);

  Dialogue player_;
  std::string name_;
  std::string address_;
  std::int64_t commands_ = 0;
  std::uint32_t partners_ = 0;
};

}  // namespace coracle::bench
