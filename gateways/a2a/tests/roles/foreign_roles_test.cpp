// Foreign agents as bidders, peers and stages. The foreign agent is a member of the same society
// here: these roles need no more of it than its replies and its properties.
#include "coracle/a2a/foreign_bidder.hpp"
#include "coracle/a2a/foreign_peer.hpp"
#include "coracle/a2a/foreign_stage.hpp"
#include "coracle/a2a/talk.hpp"

#include "coracle/caf/client.hpp"
#include "coracle/caf/council.hpp"
#include "coracle/coracle.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "roles/role_json.hpp"
#include "server/contents.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;

// Bids 12, votes for soup, and adds ! to other texts; answers to what is "much" cannot be read. It
// has these extensions.
class Actor : public Agent {
 public:
  explicit Actor(std::vector<std::string> extensions) : extensions_(std::move(extensions)) {}

 private:
  coracle::Task<> run() override {
    for (;;) {
      const coracle::Message message = co_await receive();
      const Content content = message.content();
      const auto* const wanted = content.try_as<ExtensionRequest>();
      if (wanted == nullptr) {
        const Content answer = answer_to(std::string(message.text()));
        co_await reply(message, answer);
      } else if (std::count(extensions_.begin(), extensions_.end(), wanted->uri) == 0) {
        co_await refuse(message, "not that");
      } else {
        const Content params = content_of_value(Json().set("amount", "/it"));
        co_await reply(message, params);
      }
    }
  }
  // A message with more parts than anybody reads.
  static Content unreadable() {
    Json parts;
    for (int i = 0; i < 1001; ++i) parts.push(Json().set("text", "x"));
    const std::string text = web::to_text(Json().set("parts", std::move(parts)));
    return Content::bytes(std::as_bytes(std::span(text.data(), text.size())), message_type);
  }
  static Content answer_to(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != text.npos; };
    if (has("announcement")) return content_of_value(Json().set("it", 12));
    if (has("much")) return unreadable();
    if (has("award")) return Content("dug");
    if (has("call")) return content_of_value(Json().set("alternatives", Json().push("soup")));
    if (has("agenda"))
      return content_of_value(Json().set("ranking", Json().push("soup").push("bread")));
    return Content(text + "!");
  }

  std::vector<std::string> extensions_;
};

class Boss : public caf::Client {
 public:
  explicit Boss(std::promise<caf::Settlement>& end, std::string subject = "a hole")
      : end_(&end), subject_(std::move(subject)) {}

 protected:
  coracle::Task<> act() override {
    caf::Contract what;
    what.kind = "digging";
    what.subject = subject_;
    what.bid_within = 5s;
    caf::Invitation whom;
    whom.bidders = {Name("bidder")};
    coracle::Task<caf::Settlement> contracting = contract(what, whom);
    end_->set_value(co_await contracting);
    retire();
  }

 private:
  std::promise<caf::Settlement>* end_;
  std::string subject_;
};

void create_actor(Node& node, std::vector<std::string> extensions) {
  node.create<Actor>("a2a/actor", std::move(extensions));
}

BOOST_AUTO_TEST_SUITE(foreign_roles)

BOOST_AUTO_TEST_CASE(a_foreign_agent_bids_and_does_the_work) {
  Node node(coracle::test::in_memory());
  create_actor(node, {std::string(contracts_extension)});
  ForeignBidderOptions options;
  options.agent = Name("a2a/actor");
  node.create<ForeignBidder>("bidder", options);
  std::promise<caf::Settlement> end;
  node.create<Boss>("boss", std::ref(end));
  const caf::Settlement settlement = end.get_future().get();
  BOOST_TEST((settlement.ended == caf::Ended::fulfilled));
  BOOST_TEST(settlement.parts.at(0).price == 12);
  BOOST_TEST(settlement.parts.at(0).result == "dug");
}

BOOST_AUTO_TEST_CASE(a_result_that_cannot_be_read_fails_its_award_and_no_other_one) {
  Node node(coracle::test::in_memory());
  create_actor(node, {std::string(contracts_extension)});
  ForeignBidderOptions options;
  options.agent = Name("a2a/actor");
  node.create<ForeignBidder>("bidder", options);
  std::promise<caf::Settlement> bad, good;
  node.create<Boss>("boss", std::ref(bad), "too much");
  BOOST_TEST((bad.get_future().get().ended != caf::Ended::fulfilled));
  node.create<Boss>("next", std::ref(good));
  BOOST_TEST((good.get_future().get().ended == caf::Ended::fulfilled));
}

BOOST_AUTO_TEST_CASE(an_agent_whose_card_does_not_say_that_it_bids_is_not_asked) {
  Node node(coracle::test::in_memory());
  create_actor(node, {});
  ForeignBidderOptions options;
  options.agent = Name("a2a/actor");
  node.create<ForeignBidder>("bidder", options);
  std::promise<caf::Settlement> end;
  node.create<Boss>("boss", std::ref(end));
  BOOST_TEST((end.get_future().get().ended != caf::Ended::fulfilled));
}

BOOST_AUTO_TEST_CASE(a_foreign_agent_proposes_and_votes) {
  Node node(coracle::test::in_memory());
  create_actor(node, {std::string(councils_extension)});
  node.create<ForeignPeer>("peer", Name("a2a/actor"));
  caf::Charter charter;
  charter.vote_within = 10s;
  node.create<caf::Council>("council", charter, std::vector<caf::Member>{{"peer", 1, ""}});
  const auto decision = Port(node, "asker").act<caf::Decision>([](Agent& me) {
    caf::Motion motion;
    motion.subject = "lunch";
    motion.alternatives = {"bread"};
    motion.call_peers = true;
    return caf::decide(me, Name("council"), motion);
  });
  BOOST_TEST(decision.decided);
  BOOST_TEST(decision.winner == "soup");
}

class Words : public dispel::Source<std::string> {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {}

 protected:
  coracle::Task<> produce(std::uint64_t first) override {
    for (std::uint64_t i = first; i < words_.size(); ++i) co_await put(words_[i]);
  }

 private:
  std::vector<std::string> words_;
};

class Ending : public dispel::Sink<std::string> {
 public:
  explicit Ending(std::promise<std::string>& end) : end_(&end) {}

 protected:
  void consume(const std::string& word) override { all_ += word + " "; }
  void on_end(const std::string& error) override { end_->set_value(all_ + error); }

 private:
  std::promise<std::string>* end_;
  std::string all_;
};

std::string through_a_pipeline(Node& node, const std::vector<std::string>& words) {
  std::promise<std::string> end;
  const dispel::Pipeline::Kinds kinds = {
      {"Words", [&] { return std::make_unique<Words>(words); }},
      {"Stage", [] { return std::make_unique<ForeignStage>(Name("a2a/actor"), 10s); }},
      {"Ending", [&] { return std::make_unique<Ending>(end); }}};
  const char* text = "words: Words; stage: Stage; end: Ending; words -> stage -> end";
  node.create<dispel::PipelineKeeper>("keeper", dispel::Pipeline::from_text("p", text, kinds));
  return end.get_future().get();
}

BOOST_AUTO_TEST_CASE(a_foreign_agent_is_a_stage) {
  Node node(coracle::test::in_memory());
  create_actor(node, {});
  BOOST_TEST(through_a_pipeline(node, {"red", "green", "blue"}) == "red! green! blue! ");
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_read_ends_the_pipeline_with_the_reason) {
  Node node(coracle::test::in_memory());
  create_actor(node, {});
  const std::string end = through_a_pipeline(node, {"red", "much"});
  BOOST_TEST(end.find("cannot be read") != end.npos, end);
  BOOST_TEST(end.find("crashed") == end.npos, end);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
