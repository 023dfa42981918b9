// Tests of what running nodes store at the clearinghouse: everything that their agents send.
#include "clearinghouse.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <deque>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace coracle::central {

namespace {

constexpr Duration at_most = 20s;  // an awaited event comes sooner

struct Durable : Clearinghouse {
  Durable() : Clearinghouse("data") {
    durable = true;
    begin();
  }
  std::unique_ptr<Node> another(NodeOptions settings = {}) const {
    return std::make_unique<Node>(node(), std::move(settings));
  }
  static void start(Node& at, const std::string& name, Doer::What what) {
    at.adopt(AgentSpec(name), std::make_unique<Doer>(std::move(what)));
  }
};

Task<> count_to(Agent& me, const char* whom, int last) {
  for (int number = 1; number <= last; ++number) co_await me.send(whom, std::to_string(number));
  co_await me.send(whom, "end");
}

// Reads until "end"; requests are answered.
Doer::What listening(Texts& texts) {
  return [&texts](Agent& me) -> Task<> {
    bool is_over = false;
    while (!is_over) {
      const Message message = co_await me.receive();
      is_over = message.text() == "end";
      texts.push_back((message.redelivered() ? "!" : "") + std::string(message.text()));
      if (message.text().starts_with("ask")) co_await me.reply(message, "heard");
    }
  };
}

Texts up_to_end(int last) {
  Texts texts;
  for (int number = 1; number <= last; ++number) texts.push_back(std::to_string(number));
  texts.push_back("end");
  return texts;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(storing, Durable)

BOOST_AUTO_TEST_CASE(a_sender_is_told_that_its_message_is_stored_while_it_goes_on) {
  std::vector<bool> stored;
  const auto ann = another();
  start(*ann, "ann", [&](Agent& me) -> Task<> {
    for (const char* text : {"1", "2", "end"}) {
      Post post("bob", text);
      Receipt receipt = co_await me.track(std::move(post));
      stored.push_back(co_await receipt.reached(Stage::stored, at_most));
    }
  });
  ann->wait();
  BOOST_TEST(stored == (std::vector<bool>{true, true, true}), boost::test_tools::per_element());
  begin();
  BOOST_TEST(server->found().messages == 3u);
  durable = false;
  BOOST_TEST(read("bob") == (Texts{"ann: 1", "ann: 2", "ann: end"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_sent_and_what_is_asked_keep_their_order) {
  Texts texts;
  const auto north = another(), south = another();
  start(*north, "bob", listening(texts));
  start(*south, "ann", [](Agent& me) -> Task<> {
    co_await me.send("bob", "1");
    co_await me.send("bob", "2");
    const Message reply = co_await me.ask("bob", "ask 3", at_most);
    BOOST_TEST(reply.text() == "heard");
    co_await me.send("bob", "4");
    co_await me.send("bob", "end");
  });
  north->wait();
  south->wait();
  BOOST_TEST(texts == (Texts{"1", "2", "ask 3", "4", "end"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_asked_hears_when_the_name_of_who_took_it_is_taken_over) {
  const auto north = another(), south = another(), west = another();
  const auto ask = [](const char* text, bool is_answered) {
    return [=](Agent& me) -> Task<> {
      const auto reply = co_await me.ask_result("bob", text, at_most);
      BOOST_TEST(reply.has_value() == is_answered);
      if (is_answered) co_await me.send("bob", "end");
      else BOOST_TEST((reply.error().errc() == Errc::peer_down));
    };
  };
  std::atomic<int> read = 0;
  start(*north, "bob", [&](Agent& me) -> Task<> {
    Message taken = co_await me.receive();
    taken.acknowledge();
    ++read;
    const Message held = co_await me.receive();
    ++read;
    BOOST_CHECK_THROW((void)co_await me.receive(from("nobody")), Error);
  });
  const auto until_read = [&](int count) {
    while (read != count) std::this_thread::yield();
  };
  start(*south, "ann", ask("ask taken", false));
  until_read(1);
  start(*south, "cid", ask("ask held", true));
  until_read(2);
  AgentSpec again("bob");
  again.take_over();
  Texts texts;
  west->adopt(std::move(again), std::make_unique<Doer>(listening(texts)));
  for (Node* node : {north.get(), south.get(), west.get()}) node->wait();
  BOOST_TEST(texts.front() == "!ask held");
}

BOOST_AUTO_TEST_CASE(a_receipt_goes_on_to_the_end) {
  const auto north = another(), south = another();
  start(*north, "bob", [](Agent& me) -> Task<> {
    Message message = co_await me.receive();
    message.acknowledge();
    (void)co_await me.receive(Deadline(at_most));
  });
  start(*south, "ann", [](Agent& me) -> Task<> {
    Post post("bob", "x");
    Receipt receipt = co_await me.track(std::move(post));
    BOOST_TEST(co_await receipt.reached(Stage::stored, at_most));
    BOOST_TEST(co_await receipt.reached(Stage::consumed, at_most));
    BOOST_TEST((receipt.first().outcome == Outcome::consumed));
    Post late("nobody", "x");
    Receipt other = co_await me.track(std::move(late.expires(50ms)));
    BOOST_TEST(!co_await other.reached(Stage::consumed, at_most));
    BOOST_TEST((other.first().outcome == Outcome::expired));
    co_await me.send("bob", "end");
  });
  north->wait();
  south->wait();
  const Ledger ledger = south->stop(at_most).ledger;
  BOOST_TEST(ledger.balanced());
  BOOST_TEST(ledger.in_flight == 0u);
}

BOOST_AUTO_TEST_CASE(who_asked_hears_that_the_asked_one_has_ended) {
  const auto north = another(), south = another();
  start(*north, "bob", [](Agent& me) -> Task<> {
    Message question = co_await me.receive();
    question.keep();
  });
  start(*south, "ann", [](Agent& me) -> Task<> {
    // The request is read, and not answered.
    const Result<Message> answer = co_await me.ask_result("bob", "are you there?", at_most);
    BOOST_TEST((!answer && answer.error().errc() == Errc::peer_down));
  });
  north->wait();
  south->wait();
}

BOOST_AUTO_TEST_CASE(who_asked_hears_that_the_question_was_dropped_before_the_end) {
  const auto north = another(), south = another();
  start(*north, "bob", [](Agent& me) -> Task<> { const Message question = co_await me.receive(); });
  start(*south, "ann", [](Agent& me) -> Task<> {
    const Result<Message> answer = co_await me.ask_result("bob", "are you there?", at_most);
    BOOST_TEST((!answer && answer.error().errc() == Errc::unanswered));
  });
  north->wait();
  south->wait();
}

BOOST_AUTO_TEST_CASE(an_agent_of_the_same_node_hears_it_by_the_server_too) {
  Texts texts;
  const auto node = another();
  start(*node, "bob", listening(texts));
  start(*node, "ann", [](Agent& me) -> Task<> {
    Task<> counting = count_to(me, "bob", 100);
    co_await counting;
  });
  node->wait();
  BOOST_TEST(texts == up_to_end(100), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_server_without_room_has_its_senders_wait) {
  options.kept_for_name = 4;
  begin();
  Texts texts;
  const auto north = another(), south = another();
  start(*south, "ann", [](Agent& me) -> Task<> {
    Task<> counting = count_to(me, "bob", 60);
    co_await counting;
  });
  south->wait();  // the messages of south are with its node, which still runs
  start(*north, "bob", listening(texts));
  north->wait();
  BOOST_TEST(texts == up_to_end(60), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(senders_go_on_when_another_server_has_followed) {
  Texts texts;
  const auto north = another(), south = another();
  start(*south, "ann", [&](Agent& me) -> Task<> {
    for (int number = 1; number <= 40; ++number) {
      co_await me.send("bob", std::to_string(number));
      if (number % 10 == 0) begin();
    }
    co_await me.send("bob", "end");
  });
  start(*north, "bob", listening(texts));
  south->wait();
  north->wait();
  Texts first;  // a message that comes again is marked
  for (const std::string& text : texts) {
    const std::string plain = text.substr(text.front() == '!' ? 1 : 0);
    const bool is_new = std::find(first.begin(), first.end(), plain) == first.end();
    BOOST_TEST((is_new || text.front() == '!'), text << " comes twice without a mark");
    if (is_new) first.push_back(plain);
  }
  BOOST_TEST(first == up_to_end(40), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_policy_forbids_ends_as_refused) {
  std::ofstream(folder / "policy") << "allow * register *\nallow * send carl\n";
  options.policy = folder / "policy";
  begin();
  const auto south = another();
  start(*south, "ann", [](Agent& me) -> Task<> {
    Post forbidden("bob", "x");
    Receipt receipt = co_await me.track(std::move(forbidden));
    BOOST_TEST(!co_await receipt.reached(Stage::stored, at_most));
    BOOST_TEST((receipt.first().outcome == Outcome::refused));
    Post allowed("carl", "x");
    Receipt other = co_await me.track(std::move(allowed));
    BOOST_TEST(co_await other.reached(Stage::stored, at_most));
  });
  south->wait();
}

BOOST_AUTO_TEST_CASE(a_server_without_a_folder_is_none_for_such_a_node) {
  options.data.clear();
  begin();
  BOOST_CHECK_EXCEPTION((void)another(), Error, [](const Error& error) {
    return error.errc() == Errc::unsupported &&
           error.sentence().find("--data") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
