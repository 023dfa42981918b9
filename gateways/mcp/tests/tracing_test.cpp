#include "coracle/mcp/gateway.hpp"

#include "support/society.hpp"

#include "coracle/metrics.hpp"

namespace coracle::mcp {

using namespace test;

namespace {

// Asks another agent, and then only waits.
class Chatter : public Agent {
 public:
  explicit Chatter(const char* whom) : whom_(whom) {}
  Task<> run() override {
    (void)co_await ask(whom_, "good morning");
    (void)co_await receive();
  }

 private:
  const char* const whom_;
};

struct OverheardSociety : Society {
  OverheardSociety() : Society({.exposed = {"lab/**"}, .overheard = {"lab/**", "boss"}}) {}

  // The conversations that a caller can see.
  Json listed(const std::string& caller = "ann", const std::string& arguments = "{}") {
    return ask(use(1, "society_trace", arguments), caller);
  }
  // Waits until there are so many, and returns the number of the latest.
  std::string latest(std::size_t count, const std::string& caller = "ann") {
    const std::string last = "result/structuredContent/conversations/" + std::to_string(count - 1);
    until([&] { return at(listed(caller), last) != "?"; });
    return at(listed(caller), "result/structuredContent/conversations/0/conversation");
  }
};

std::string by_number(const std::string& number) {
  return R"({"conversation":")" + number + R"("})";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tracing)

BOOST_AUTO_TEST_CASE(a_client_reads_the_conversation_of_two_agents) {
  OverheardSociety society;
  society.node.create<Chatter>("lab/chatter", "lab/clerk");
  const std::string number = society.latest(1);
  const std::string lines = "result/structuredContent/transcript/";
  society.until(
      [&] { return at(society.listed("ann", by_number(number)), lines + "1/kind") == "reply"; });
  const Json trace = society.listed("ann", by_number(number));
  BOOST_TEST(at(trace, lines + "0/from") == "lab/chatter");
  BOOST_TEST(at(trace, lines + "0/to") == "lab/clerk");
  BOOST_TEST(at(trace, lines + "0/text") == "good morning");
  const Json resource = society.ask(
      request(2, "resources/read", R"("uri":"society://conversations/)" + number + '"'));
  BOOST_TEST(at(resource, "result/contents/0/text").find("good morning") != std::string::npos);
  BOOST_TEST(at(society.ask(request(3, "resources/read", R"("uri":"society://conversations")")),
                "result/contents/0/text")
                 .find(number) != std::string::npos);
  BOOST_TEST(at(society.listed("ann", R"({"agent":"lab/office"})"),
                "result/structuredContent/conversations") == "[]");
}

BOOST_AUTO_TEST_CASE(a_request_of_a_client_is_seen_by_that_client_only) {
  OverheardSociety society;
  society.ask(use(1, "ask_lab__clerk", R"({"text":"for ann"})"));
  const std::string number = society.latest(1);
  BOOST_TEST(at(society.listed("ann", by_number(number)),
                "result/structuredContent/transcript/0/text") == "for ann");
  BOOST_TEST(at(society.listed("bob"), "result/structuredContent/conversations") == "[]");
  BOOST_TEST(at(society.listed("bob", by_number(number)), "result/isError") == "true");
  BOOST_TEST(at(society.ask(request(2, "resources/read",
                                    R"("uri":"society://conversations/)" + number + '"'),
                            "bob"),
                "error/code") == "-32602");
}

BOOST_AUTO_TEST_CASE(copies_of_an_agents_messages_are_recorded_and_not_taken_for_messages) {
  OverheardSociety society;
  const std::string lines = "result/structuredContent/transcript/";
  for (std::size_t i = 1; i <= 20; ++i) {
    society.ask(use(1, "ask_lab__clerk", R"({"text":"progress"})"));
    const std::string number = society.latest(i);
    society.until(
        [&] { return at(society.listed("ann", by_number(number)), lines + "3/kind") == "reply"; });
    BOOST_TEST(society.client->notes(0).size() == 2 * i);
  }
  BOOST_TEST(at(society.listed(), "result/structuredContent/missed") == "0");
}

BOOST_AUTO_TEST_CASE(conversations_with_agents_that_are_not_exposed_are_not_shown) {
  OverheardSociety society;
  society.node.create<Chatter>("lab/secretary", "boss");
  society.node.create<Chatter>("lab/chatter", "lab/clerk");
  (void)society.latest(1);
  BOOST_TEST(web::to_text(society.listed()).find("boss") == std::string::npos);
  BOOST_TEST(at(society.listed("ann", R"({"agent":"boss"})"), "result/isError") == "true");
}

BOOST_AUTO_TEST_CASE(without_permission_nothing_is_overheard) {
  Society society;
  BOOST_TEST(at(society.ask(use(1, "society_trace", "{}")), "error/code") == "-32602");
  BOOST_TEST(web::to_text(society.ask(request(2, "tools/list"))).find("society_trace") ==
             std::string::npos);
  BOOST_TEST(at(society.ask(request(3, "resources/read", R"("uri":"society://conversations")")),
                "error/code") == "-32602");
}

BOOST_AUTO_TEST_CASE(metrics_of_agents_that_are_not_exposed_are_not_shown) {
  Society society;
  Metrics& metrics = society.node.metrics();
  metrics.update("Agent(lab/clerk):Battery", {.value = 3, .credibility = 1});
  metrics.update("Agent(boss):Battery", {.value = 4, .credibility = 1});
  metrics.update("Link(boss,lab/clerk):Capacity", {.value = 5, .credibility = 1});
  metrics.update("Room:Heat", {.value = 6, .credibility = 1});
  const std::string text =
      at(society.ask(request(1, "resources/read", R"("uri":"society://metrics")")),
         "result/contents/0/text");
  BOOST_TEST(text.find("Agent(lab/clerk):Battery") != std::string::npos);
  BOOST_TEST(text.find("Room:Heat") != std::string::npos);
  BOOST_TEST(text.find("boss") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
