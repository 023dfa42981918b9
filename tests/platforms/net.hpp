// Platforms of FIPA in one simulated world: each is a society of one node with the agents of a
// gateway, and letters travel between them in virtual time, in the form that they have on HTTP.
#pragma once

#include "gate/gate.hpp"
#include "gate/transports.hpp"

#include "coracle/acl/settings.hpp"
#include "coracle/coracle.hpp"
#include "coracle/fipa/mtp.hpp"
#include "coracle/fipa/platform.hpp"
#include "coracle/fipa/settings.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/support/signal.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa::test {

using namespace std::chrono_literals;

// The bytes of a letter on their way, and what the other platform answers.
struct Post {
  struct Answer {
    coracle::detail::Signal come;
    std::optional<Error> problem;
  };
  HttpBody body;
  Time due;
  std::shared_ptr<Answer> answer;  // nullptr: nobody waits for it
};

// The connection by which one platform sends to another.
struct Line {
  std::deque<Post> posts;
  std::optional<coracle::detail::Signal> come;
  Time last_due{};
  bool is_cut = false;
};

// All connections between these platforms. The address of "p1" is "sim://p1".
class Net {
 public:
  Net(sim::World& world, std::vector<std::string> platforms)
      : world_(world), platforms_(std::move(platforms)) {}

  sim::World& world() noexcept { return world_; }
  const std::vector<std::string>& platforms() const noexcept { return platforms_; }
  static std::string address(const std::string& platform) { return "sim://" + platform; }
  // The parts of a platform's only node. The world has a host for each platform.
  Realization parts_of(const std::string& platform);
  Line& line(const std::string& from, const std::string& to) { return lines_[{from, to}]; }
  // Puts bytes on a line.
  void post(Line& line, HttpBody body, std::shared_ptr<Post::Answer> answer = nullptr);
  // Sends a letter, and waits for the answer of the platform at that address.
  Task<> send(std::string from, std::string address, std::shared_ptr<const Letter> letter);
  // Takes what comes from a platform by a line, one post after another.
  using Taking = std::function<Task<>(Agent& me, std::string from, HttpBody body)>;
  Task<> serve(Agent& me, std::string from, Line& line, Taking take);
  // Serves the lines of all others to this platform, beside each other.
  void serve_all(Agent& me, const std::string& platform, const Taking& take);
  // A platform has taken what another one has posted, or has refused it.
  std::function<void(const std::string& from, bool was_taken)> on_taken;
  // Every letter that a platform sends, with its receiver.
  std::function<void(const std::string& from, const std::string& to, const Letter&)> on_letter;

 private:
  sim::World& world_;
  const std::vector<std::string> platforms_;
  std::map<std::pair<std::string, std::string>, Line> lines_;
};

// The platform's side of its gateway.
class SocietyUnderTest {
 public:
  SocietyUnderTest(Net& net, GatewayOptions options);

  Node& node() noexcept { return *node_; }
  const std::string& platform() const noexcept { return name_; }
  // The identifier of one of its agents for others.
  acl::AgentId id_of(const std::string& agent) const;
  // For the conversations of its agents.
  acl::Settings settings();

 private:
  Net& net_;
  const std::string name_;
  std::shared_ptr<Transports> transports_;
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::fipa::test
