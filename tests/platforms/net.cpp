#include "net.hpp"

#include "coracle/fipa/settings.hpp"
#include "coracle/realizations/local.hpp"
#include "gate/arrival.hpp"
#include "support/seeds.hpp"

#include <algorithm>

namespace coracle::fipa::test {

namespace {

constexpr Duration answer_within = 30s;  // as HttpMtpOptions::answer_within
constexpr Duration longest_way = 5ms;
constexpr const char* transport = "fipa/transport";

class SimulatedMtp final : public Mtp {
 public:
  SimulatedMtp(Net& net, std::string platform) : net_(net), platform_(std::move(platform)) {}

  std::string_view name() const override { return "fipa.mts.mtp.simulated"; }
  std::vector<std::string> addresses() const override { return {Net::address(platform_)}; }
  bool serves(std::string_view address) const override { return address.starts_with("sim://"); }
  void begin(Port&, Receiver) override {}
  void end() noexcept override {}
  Task<> send(std::string address, std::shared_ptr<const Letter> letter) override {
    return net_.send(platform_, std::move(address), std::move(letter));
  }

 private:
  Net& net_;
  const std::string platform_;
};

// The agent to which letters come. In a simulated node, a Port cannot be this agent.
class Door final : public Agent {
 public:
  Door(Net& net, Platform platform) : net_(net), platform_(std::move(platform)) {}

  Task<> run() override {
    net_.serve_all(*this, platform_.name(),
                   [this](Agent& me, std::string from, HttpBody body) -> Task<> {
                     Letter letter = letter_in(body.content_type, body.body);
                     letter.host = std::move(from);
                     co_await arrive(me, "fipa", std::move(letter), platform_);
                   });
    co_await pause(Deadline::never());
  }

 private:
  Net& net_;
  const Platform platform_;
};

}  // namespace

// A society of its own on a host of its own.
Realization Net::parts_of(const std::string& platform) {
  local::Options parts;
  parts.clock = world_.clock();
  const auto host = std::find(platforms_.begin(), platforms_.end(), platform) - platforms_.begin();
  return world_.simulate(local::realization(parts), static_cast<unsigned>(host));
}

void Net::post(Line& line, HttpBody body, std::shared_ptr<Post::Answer> answer) {
  const Time due = world_.now() + coracle::test::up_to(world_.random(), longest_way);
  line.last_due = std::max(line.last_due, due);
  line.posts.push_back({std::move(body), line.last_due, std::move(answer)});
  if (line.come) line.come->set();
}

Task<> Net::send(std::string from, std::string address, std::shared_ptr<const Letter> letter) {
  const std::string to = address.substr(std::string_view("sim://").size());
  if (std::find(platforms_.begin(), platforms_.end(), to) == platforms_.end())
    throw Error(Errc::unreachable, "there is no platform at " + address);
  if (on_letter) on_letter(from, to, *letter);
  Line& way = line(from, to);
  if (way.is_cut) throw Error(Errc::unreachable, "the way to " + address + " is cut");
  const auto answer = std::make_shared<Post::Answer>();
  post(way, http_body_of(*letter, world_.random()), answer);
  if (!co_await answer->come.wait(answer_within))
    throw Error(Errc::expired, "the platform at " + address + " does not answer");
  if (answer->problem)
    throw Error(Errc::refused, "the platform at " + address + " has refused the letter");
}

Task<> Net::serve(Agent& me, std::string from, Line& line, Taking take) {
  for (;;) {
    while (line.posts.empty()) {
      line.come.emplace();
      co_await line.come->wait();
      line.come.reset();
    }
    Post post = std::move(line.posts.front());
    line.posts.pop_front();
    co_await me.pause(Deadline(std::max(Duration::zero(), Duration(post.due - me.now()))));
    std::optional<Error> problem;
    try {
      Task<> taking = take(me, from, std::move(post.body));
      co_await taking;
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      problem = error;
    }
    if (on_taken) on_taken(from, !problem);
    if (!post.answer) continue;
    post.answer->problem = problem;
    post.answer->come.set();
  }
}

void Net::serve_all(Agent& me, const std::string& platform, const Taking& take) {
  for (const std::string& each : platforms_) {
    if (each != platform) me.spawn(serve(me, each, line(each, platform), take));
  }
}

SocietyUnderTest::SocietyUnderTest(Net& net, GatewayOptions options)
    : net_(net),
      name_(options.platform),
      transports_(std::make_shared<Transports>()),
      node_(std::make_unique<Node>(net.parts_of(name_))) {
  transports_->add(std::make_shared<SimulatedMtp>(net, name_));
  Surroundings surroundings;
  surroundings.random = &net.world().random();
  surroundings.calendar = [&world = net.world()] {
    return acl::CalendarTime(1'700'000'000s) +
           std::chrono::floor<std::chrono::milliseconds>(world.now().time_since_epoch());
  };
  Platform shown(options.platform, options.exposed);
  node_->adopt("fipa", std::make_unique<Gate>(std::move(options), transports_, Name(transport),
                                              std::move(surroundings)));
  node_->adopt(transport, std::make_unique<Door>(net, std::move(shown)));
}

acl::AgentId SocietyUnderTest::id_of(const std::string& agent) const {
  return {.name = agent + "@" + name_, .addresses = {Net::address(name_)}};
}

acl::Settings SocietyUnderTest::settings() {
  acl::Settings settings;
  settings.naming = naming(name_);
  settings.ids = acl::random_ids(net_.world().random());
  return settings;
}

}  // namespace coracle::fipa::test
