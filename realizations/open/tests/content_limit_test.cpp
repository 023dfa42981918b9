// One setting limits the size of a message, on each realization. A message that is larger than its
// reader takes is refused alone: everything else between the two nodes goes on.
#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/open.hpp"

#include "tests/support/societies/doer.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace coracle::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mega = std::size_t{1} << 20;
constexpr auto patience = 60s;

// Two nodes, each with its own limit; the second one reads.
class Two {
 public:
  Two(const std::string& kind, const std::string& sends, const std::string& takes) {
    std::string text = "distributed:folder=" + folder_.path() + ",content_limit=";
    if (kind == "central") {
      central::ServerOptions options;
      options.listen = {"unix://" + folder_.path() + "/server"};
      server_.emplace(std::move(options));
      text = "central+unix://" + folder_.path() + "/server?content_limit=";
    }
    sender.emplace(open(text + sends));
    reader.emplace(open(text + takes));
  }
  void wait() {
    reader->wait();
    sender->wait();
  }

 private:
  TemporaryFolder folder_;
  std::optional<central::Server> server_;

 public:
  std::optional<Node> sender, reader;
};

// Notes the sizes of the messages until an empty one comes, and answers each request with that many
// bytes.
Task<> read_all(Agent& me, std::vector<std::size_t>& sizes) {
  for (;;) {
    const std::optional<Message> came = co_await me.receive(Match(), patience);
    if (!came || came->text().empty()) co_return;
    const Message& message = *came;
    sizes.push_back(message.text().size());
    if (!message.is_request()) continue;
    const std::string answer(std::stoul(std::string(message.text())), 'y');
    co_await me.reply(message, answer);
  }
}

const std::vector<std::string> kinds = {"distributed", "central"};

BOOST_AUTO_TEST_SUITE(content_limit)

BOOST_DATA_TEST_CASE(what_both_take_arrives, kinds, kind) {
  Two nodes(kind, "64MiB", "64MiB");
  std::vector<std::size_t> sizes;
  nodes.reader->create<Doer>("bob", [&](Agent& me) { return read_all(me, sizes); });
  nodes.sender->create<Doer>("ann", [&](Agent& me) -> Task<> {
    co_await me.send("bob", "1");
    co_await me.send("bob", std::string(20 * mega, 'x'));
    co_await me.send("bob", "");
  });
  nodes.wait();
  BOOST_TEST((sizes == std::vector<std::size_t>{1, 20 * mega}));
}

BOOST_DATA_TEST_CASE(what_its_reader_does_not_take_is_refused_by_itself, kinds, kind) {
  Two nodes(kind, "64MiB", "16MiB");
  std::vector<std::size_t> sizes;
  nodes.reader->create<Doer>("bob", [&](Agent& me) { return read_all(me, sizes); });
  nodes.sender->create<Doer>("ann", [&](Agent& me) -> Task<> {
    for (const std::size_t size :
         {1 + 0 * mega, 20 * mega, 16 * mega + 1, 16 * mega, 2 + 0 * mega}) {
      Receipt receipt = co_await me.track(Post("bob", std::string(size, 'x')));
      (void)co_await receipt.reached(Stage::consumed, patience);
      const bool fits = size <= 16 * mega;
      const auto wanted = fits ? Outcome::consumed : Outcome::refused;
      BOOST_TEST((receipt.first().outcome == wanted), "a message of " << size << " bytes");
    }
    const auto answer = co_await me.ask_result("bob", std::string(17 * mega, 'x'), patience);
    BOOST_TEST((!answer && answer.error().errc() == Errc::too_large));
    co_await me.send("bob", "");
  });
  nodes.wait();
  BOOST_TEST((sizes == std::vector<std::size_t>{1, 16 * mega, 2}));
  BOOST_TEST(nodes.reader->ledger().refused == 3);
  BOOST_TEST(nodes.reader->ledger().balanced());
  BOOST_TEST(nodes.sender->ledger().balanced());
}

BOOST_DATA_TEST_CASE(an_answer_that_is_too_large_ends_its_request, kinds, kind) {
  Two nodes(kind, "1MiB", "64MiB");
  std::vector<std::size_t> sizes;
  nodes.reader->create<Doer>("bob", [&](Agent& me) { return read_all(me, sizes); });
  nodes.sender->create<Doer>("ann", [&](Agent& me) -> Task<> {
    const auto answer = co_await me.ask_result("bob", std::to_string(2 * mega), patience);
    BOOST_TEST((!answer && answer.error().errc() == Errc::too_large));
    const Message small = co_await me.ask("bob", "3", patience);
    BOOST_TEST(small.text() == "yyy");
    co_await me.send("bob", "");
  });
  nodes.wait();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// In a release build only: it takes three gibibytes of memory.
BOOST_DATA_TEST_CASE(the_largest_of_all_arrives, kinds, kind) {
  Two nodes(kind, "1GiB", "1GiB");
  std::vector<std::size_t> sizes;
  nodes.reader->create<Doer>("bob", [&](Agent& me) { return read_all(me, sizes); });
  const Content large{std::string(max_content_bytes, 'x')};  // here, so no worker waits
  nodes.sender->create<Doer>("ann", [&](Agent& me) -> Task<> {
    co_await me.send("bob", large);
    co_await me.send("bob", "");
  });
  nodes.wait();
  BOOST_TEST((sizes == std::vector<std::size_t>{max_content_bytes}));
}
#endif

BOOST_AUTO_TEST_CASE(what_is_no_size_is_refused_with_what_would_be) {
  for (const char* text :
       {"local:content_limit=", "local:content_limit=x", "local:content_limit=0",
        "local:content_limit=1MB", "local:content_limit=2GiB", "local:content_limit=-1"}) {
    const auto is_clear = [](const Error& error) {
      return error.errc() == Errc::bad_realization &&
             error.sentence().find("64MiB") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(open(text), Error, is_clear);
  }
  BOOST_TEST((open("local:content_limit=1GiB,names=10").content_limit == max_content_bytes));
  NodeOptions beyond;
  beyond.content_limit = max_content_bytes + 1;
  BOOST_CHECK_THROW(Node(open("local:"), beyond), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::test
