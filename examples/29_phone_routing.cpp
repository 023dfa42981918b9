// Routes in a telephone network whose trunks fail, chosen by a vote of its exchanges (after Urken).
// Each exchange has facts about its own trunks and only rumours about the others. The vote is
// compared with the shortest route, with the caller's own opinion, and with the combined knowledge
// of all.
#include <coracle/caf/council.hpp>
#include <coracle/caf/peer.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <set>

using namespace coracle;

using Trunk = std::pair<char, char>;

const std::string exchanges = "ABCDEFG";
const std::vector<Trunk> trunks = {{'A', 'B'}, {'A', 'C'}, {'B', 'C'}, {'B', 'D'},
                                   {'C', 'E'}, {'D', 'E'}, {'D', 'F'}, {'E', 'G'},
                                   {'F', 'G'}, {'C', 'D'}, {'B', 'F'}};
constexpr unsigned percent_down = 25;
constexpr unsigned percent_rumours_wrong = 20;

// All routes between two exchanges that pass no exchange twice, short ones first.
std::vector<std::string> routes(char from, char to) {
  std::vector<std::string> found;
  std::vector<std::string> growing = {std::string(1, from)};
  for (std::size_t i = 0; i < growing.size(); ++i) {
    const std::string route = growing[i];
    if (route.back() == to) {
      found.push_back(route);
      continue;
    }
    for (const auto& [one, other] : trunks) {
      const char next = route.back() == one ? other : route.back() == other ? one : route.back();
      if (route.find(next) == std::string::npos) growing.push_back(route + next);
    }
  }
  return found;
}

using Broken = std::set<Trunk>;

bool works(const std::string& route, const Broken& broken) {
  for (std::size_t i = 0; i + 1 < route.size(); ++i) {
    if (broken.count({route[i], route[i + 1]}) + broken.count({route[i + 1], route[i]}) > 0)
      return false;
  }
  return true;
}

// One call: the trunks that are broken meanwhile, and each exchange's belief about them.
struct Call {
  char from = 'A';
  char to = 'B';
  Broken broken;
  std::map<char, Broken> beliefs;

  Call() = default;
  explicit Call(unsigned number) {
    std::mt19937_64 random(number + 1);
    const auto chance = [&random](unsigned percent) { return random() % 100 < percent; };
    from = exchanges[random() % exchanges.size()];
    do to = exchanges[random() % exchanges.size()];
    while (to == from);
    for (const Trunk& each : trunks) {
      const bool is_down = chance(percent_down);
      if (is_down) broken.insert(each);
      for (const char who : exchanges) {
        const bool is_own = who == each.first || who == each.second;
        const bool is_wrong = !is_own && chance(percent_rumours_wrong);
        if (is_down != is_wrong) beliefs[who].insert(each);
      }
    }
  }
};

// A route as an alternative: the text begins with the number of its trunks. A tie goes to the first
// alternative in alphabetical order, so it goes to a short route.
std::string as_alternative(const std::string& route) {
  return std::to_string(route.size() - 1) + ' ' + route;
}

constexpr unsigned calls = 1000;

// Proposes the shortest routes that it believes in, and approves of all routes that it believes in.
class Exchange : public caf::Peer {
 public:
  explicit Exchange(char own) : own_(own) {}

 protected:
  std::vector<std::string> propose(const caf::Call& call) override {
    const Call now(static_cast<unsigned>(std::stoul(call.subject)));
    std::vector<std::string> believed = routes(now.from, now.to);
    std::erase_if(believed, [&](const auto& each) { return !believes(now, each); });
    if (believed.size() > 3) believed.resize(3);
    for (std::string& each : believed) each = as_alternative(each);
    return believed;
  }
  caf::Ballot vote(const caf::Agenda& agenda) override {
    const Call now(static_cast<unsigned>(std::stoul(agenda.subject)));
    std::vector<caf::Candidate> good;
    for (caf::Candidate i = 0; i < agenda.alternatives.size(); ++i) {
      if (believes(now, agenda.alternatives[i].substr(2))) good.push_back(i);
    }
    return caf::approve(good);
  }
  void on_decision(const caf::Decision& decision) override {
    if (decision.subject == std::to_string(calls - 1)) retire();
  }

 private:
  bool believes(const Call& now, const std::string& route) const {
    const auto found = now.beliefs.find(own_);
    return found == now.beliefs.end() || works(route, found->second);
  }

  char own_;
};

// The first of several routes that works, according to the given belief.
std::string first_that_works(const Call& call, const Broken& broken) {
  for (const std::string& each : routes(call.from, call.to)) {
    if (works(each, broken)) return each;
  }
  return {};
}

class Subscriber : public Agent {
 public:
  Task<> run() override {
    for (unsigned number = 0; number < calls; ++number) {
      const Call call(number);
      caf::Motion motion;
      motion.subject = std::to_string(number);
      const caf::Decision decision = co_await caf::decide(*this, "council", motion);
      static const Broken nothing;
      const auto opinion = call.beliefs.find(call.from);
      count("shortest route", call, routes(call.from, call.to).front());
      count("caller's opinion", call,
            first_that_works(call, opinion == call.beliefs.end() ? nothing : opinion->second));
      count("vote of all", call, decision.decided ? decision.winner.substr(2) : "");
      count("if all were known", call, first_that_works(call, call.broken));
    }
    std::cout << calls << " calls, " << percent_down << " % of trunks down, "
              << percent_rumours_wrong << " % of rumours wrong\n"
              << "                     connected   trunks each\n";
    for (const auto& [how, score] : scores_) {
      std::cout << std::left << std::setw(20) << how << std::right << std::setw(8)
                << 100 * score.connected / calls << " %" << std::fixed << std::setprecision(2)
                << std::setw(13) << 1.0 * score.trunks / score.connected << '\n';
    }
  }

 private:
  struct Score {
    unsigned connected = 0;
    unsigned trunks = 0;
  };
  void count(const std::string& how, const Call& call, const std::string& route) {
    auto found = std::find_if(scores_.begin(), scores_.end(),
                              [&](const auto& each) { return each.first == how; });
    if (found == scores_.end()) found = scores_.insert(found, {how, Score()});
    if (route.empty() || !works(route, call.broken)) return;
    ++found->second.connected;
    found->second.trunks += static_cast<unsigned>(route.size() - 1);
  }

  std::vector<std::pair<std::string, Score>> scores_;
};

int main() {
  Node node(open());
  std::vector<caf::Member> members;
  for (const char each : exchanges) members.push_back({std::string("exchange/") + each, 1, {}});
  caf::Charter charter;
  charter.rule = caf::approval();
  for (const char each : exchanges) node.create<Exchange>(std::string("exchange/") + each, each);
  auto council = std::make_unique<caf::Council>(charter, members);
  council->adjourn_after(calls);
  node.adopt("council", std::move(council));
  node.create<Subscriber>("subscriber");
  node.wait();
}
