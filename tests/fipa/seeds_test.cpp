// In the simulator: links are cut, hosts pause and lose their power, and a liar knows all messages.
// Every conversation ends in time, and each answer was given by the agent from which it comes.
#include "nodes.hpp"
#include "partners.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>

namespace coracle::acl::test {

namespace {

using coracle::test::below;
using coracle::test::Nodes;
using coracle::test::up_to;

constexpr unsigned hosts = 4;
constexpr Duration longest = 200ms;

// The state that all agents of a run share, and the first fault.
struct Play {
  std::map<std::string, std::string> said;  // the speaker, by content
  std::vector<Message> messages;            // what the liar knows
  std::string wrong;
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  std::uint64_t done = 0;
  std::uint64_t lies = 0;

  // A content that only this agent says, once.
  std::string words_of(const Name& who) {
    const std::string content = "((said " + std::to_string(said.size()) + "))";
    said[content] = who.str();
    return content;
  }
  void fault(std::string text) {
    if (wrong.empty()) wrong = std::move(text);
  }
};

constexpr const char* lie = "((lie))";

Act some_act(Random& random) { return static_cast<Act>(below(random, performatives)); }

// A participant that says what is permitted, at some time, or dies.
class Hand : public Participant {
 public:
  Hand(Play& play, Random& random, Settings settings)
      : Participant(std::move(settings), {20, 10}), play_(play), random_(random) {}

 protected:
  Task<> converse(Talk& talk) override {
    look(talk.opening());
    for (std::uint64_t i = 0; i < below(random_, 12); ++i) {
      if (below(random_, 3) == 0) co_await pause(up_to(random_, 10ms));
      if (below(random_, 200) == 0) throw coracle::test::Crash("a participant dies");
      if (below(random_, 4) == 0) {
        const std::optional<Message> next = co_await talk.next(up_to(random_, 20ms));
        if (next) look(*next);
      }
      if (talk.is_cancelling() && below(random_, 2) == 0) {
        (void)co_await talk.answer_cancel(below(random_, 2) == 0);
      }
      const Act act = below(random_, 3) == 0 ? some_act(random_) : usual(talk.session().state());
      if (!talk.session().can_say(act)) continue;
      Speech speech(act, play_.words_of(name()));
      if (below(random_, 2) == 0) speech.reply_within = up_to(random_, 30ms);
      (void)co_await talk.say(std::move(speech));
    }
  }

 private:
  // The liar learns each message; it may open conversations of its own.
  void look(const Message& message) {
    play_.messages.push_back(message);
    if (message.sender.name != "eve" && text_of(message) == lie)
      play_.fault("a participant believes a lie of " + message.sender.name);
  }
  Act usual(State state) {
    static constexpr Act first[] = {Act::propose, Act::agree, Act::inform, Act::accept_proposal};
    return state == State::asked ? first[below(random_, 4)] : Act::inform;
  }

  Play& play_;
  Random& random_;
};

// Begins conversations, one after the other.
class Chief : public Agent {
 public:
  Chief(Play& play, Random& random, std::vector<Name> hands, Settings settings)
      : play_(play), random_(random), hands_(std::move(hands)), settings_(std::move(settings)) {}

  Task<> run() override {
    for (int i = 0; i < 6; ++i) {
      Message message;
      message.language = "fipa-sl";
      for (const Name& each : hands_) message.receivers.push_back({each.str(), {}, {}, {}});
      const Time begin = now();
      ++play_.begun;
      co_await converse_once(std::move(message));
      // A full mailbox or a cut link may hold up each send for the usual patience.
      if (now() - begin > longest + 60s) play_.fault("a conversation takes too long");
      ++play_.ended;
      while (try_receive()) continue;  // late answers, and lies
    }
  }

 private:
  Terms terms() {
    Terms chosen;
    chosen.settings(settings_).until(longest);
    if (below(random_, 3) > 0) chosen.reply_within(up_to(random_, 40ms));
    return chosen;
  }

  Task<> converse_once(Message message) {
    Terms chosen = terms();
    switch (below(random_, 7)) {
      case 0:
        check(co_await request(*this, std::move(message), std::move(chosen)));
        break;
      case 1:
        check(co_await query(*this, std::move(message), std::move(chosen)));
        break;
      case 2:
        check(co_await propose(*this, std::move(message), std::move(chosen)));
        break;
      case 3: {
        Choose choose = chooser(false);
        check(co_await contract_net(*this, std::move(message), choose, std::move(chosen)));
        break;
      }
      case 4: {
        Choose choose = chooser(true);
        check(co_await iterated_contract_net(*this, std::move(message), choose, std::move(chosen)));
        break;
      }
      case 5:
        co_await follow(std::move(message), std::move(chosen));
        break;
      default:
        co_await sell(std::move(message), std::move(chosen));
    }
  }

  Choose chooser(bool is_iterated) {
    return [this, is_iterated](const Answers& proposals) {
      std::vector<Speech> decisions;
      for (const Answer& each : proposals) {
        check_words(each);
        const auto which = below(random_, is_iterated ? 3 : 2);
        decisions.emplace_back(which == 0   ? Act::accept_proposal
                               : which == 1 ? Act::reject_proposal
                                            : Act::cfp);
      }
      return decisions;
    };
  }

  Task<> follow(Message message, Terms chosen) {
    Subscription news = co_await subscribe(*this, std::move(message), std::move(chosen));
    for (std::uint64_t i = 0; i < below(random_, 5); ++i) {
      (void)co_await news.next(up_to(random_, 30ms));
    }
    co_await news.cancel({}, up_to(random_, 20ms));
    check(news.answers());
  }

  Task<> sell(Message message, Terms chosen) {
    const bool is_dutch = below(random_, 2) == 0;
    NextCall next = [](std::size_t number, const Answer*) -> std::optional<Body> {
      if (number > 4) return std::nullopt;
      return std::string("((price))");
    };
    Sale sale;
    if (is_dutch) {
      sale = co_await dutch_auction(*this, std::move(message), next, std::move(chosen));
    } else {
      ChooseBid choose;
      sale = co_await english_auction(*this, std::move(message), next, choose, std::move(chosen));
    }
    check(sale.accepted);
  }

  void check(const Answers& answers) {
    for (const Answer& each : answers) {
      check_words(each);
      if (each) ++play_.done;
    }
  }
  void check_words(const Answer& answer) {
    if (!has_content(answer.message)) return;
    play_.messages.push_back(answer.message);
    const std::string words(text_of(answer.message));
    // A participant that ends too early says so by itself.
    if (words.find("internal-error") != std::string::npos) return;
    const auto found = play_.said.find(words);
    if (found == play_.said.end()) play_.fault("a lie counts: " + words);
    else if (found->second != answer.from.name) play_.fault("another agent has said " + words);
  }

  Play& play_;
  Random& random_;
  std::vector<Name> hands_;
  Settings settings_;
};

// Sends messages that lie about their sender, or belong to conversations of others.
class Liar : public Agent {
 public:
  Liar(Play& play, Random& random, std::vector<Name> victims)
      : play_(play), random_(random), victims_(std::move(victims)) {}

  Task<> run() override {
    for (;;) {
      co_await pause(up_to(random_, 5ms));
      if (play_.messages.empty()) continue;
      const Message& known = play_.messages[below(random_, play_.messages.size())];
      Message forged = below(random_, 2) == 0 ? acl::reply(known, some_act(random_)) : known;
      forged.performative = some_act(random_);
      forged.content = std::string(lie);
      const std::uint64_t who = below(random_, victims_.size() + 2);
      if (who < victims_.size()) forged.sender = {victims_[who].str(), {}, {}, {}};
      else forged.sender = {who == victims_.size() ? "ams" : "", {}, {}, {}};
      ++play_.lies;
      const Content content = Content::of(std::move(forged));
      (void)co_await send_result(victims_[below(random_, victims_.size())], content);
    }
  }

 private:
  Play& play_;
  Random& random_;
  std::vector<Name> victims_;
};

// One society with its faults.
class Story {
 public:
  explicit Story(std::uint64_t seed) : nodes_(options(seed)), random_(nodes_.world().random()) {
    std::vector<Name> victims = {"chief"};
    for (int i = 0; i < 3; ++i) hands_.push_back("hand/" + std::to_string(i));
    for (const Name& each : hands_) {
      hire(each, mortal_host());
      victims.push_back(each);
    }
    Settings settings;
    settings.ids = random_ids(random_);
    nodes_.at(0).adopt("chief", std::make_unique<Chief>(play_, random_, hands_, settings));
    nodes_.at(0).adopt("eve", std::make_unique<Liar>(play_, random_, victims));
  }

  // Returns the first fault; empty: none.
  std::string play() {
    for (std::uint64_t i = 0; i < below(random_, 10); ++i) {
      nodes_.world().run_until([this] { return over(); }, Deadline(up_to(random_, 60ms)));
      if (over()) break;
      trouble();
    }
    nodes_.world().mend_all();
    if (!nodes_.world().run_until([this] { return over(); }, Deadline(Duration(600s)))) {
      return "a conversation does not end; " + std::to_string(play_.ended) + " have ended";
    }
    return play_.wrong;
  }
  const Play& result() const noexcept { return play_; }

 private:
  static sim::Options options(std::uint64_t seed) {
    sim::Options options;
    options.seed = seed;
    options.nodes = hosts;
    return options;
  }
  // Any host but the first, which never loses its power.
  unsigned mortal_host() { return static_cast<unsigned>(1 + below(random_, hosts - 1)); }
  bool over() const { return !play_.wrong.empty() || play_.ended == 6; }
  void hire(const Name& name, unsigned host) {
    if (!nodes_.is_up(host)) return;
    Settings settings;
    settings.ids = random_ids(random_);
    try {
      nodes_.at(host).adopt(name, std::make_unique<Hand>(play_, random_, settings));
    } catch (const Error&) {
      // The directory is unreachable, or an agent has the name: then nothing changes.
    }
  }
  void trouble() {
    const unsigned host = mortal_host();
    const auto other = static_cast<unsigned>((host + 1 + below(random_, hosts - 1)) % hosts);
    const std::uint64_t which = below(random_, Nodes::troubles + 1);
    if (which < Nodes::troubles) return nodes_.befall(which, host, other);
    hire(hands_[below(random_, hands_.size())], other == 0 ? 1 : other);
  }

  Play play_;
  std::vector<Name> hands_;
  Nodes nodes_;
  Random& random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(seeds)

// CORACLE_SEEDS is the number of seeds, CORACLE_SEED the first one.
BOOST_AUTO_TEST_CASE(whatever_happens_each_conversation_ends_and_no_agent_answers_for_another) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t count = coracle::test::seeds_to_play(300);
  Play sum;
  for (std::uint64_t seed = begin; seed < begin + count; ++seed) {
    Story story(seed);
    const std::string wrong = story.play();
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    sum.ended += story.result().ended;
    sum.done += story.result().done;
    sum.lies += story.result().lies;
  }
  std::cout << count << " seeds: " << sum.ended << " conversations, " << sum.done << " results, "
            << sum.lies << " lies\n";
  // These events did occur.
  BOOST_TEST(sum.done > count);
  BOOST_TEST(sum.lies > count);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl::test
