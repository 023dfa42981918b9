// The operations of an Asio thread in a society, without waiting: open, create, join, send,
// request, receive and stop, by completion tokens. Also the cancellation of each, and a node or
// loop that is gone before the end.
#include "coracle/asio.hpp"

#include "support/in_memory.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

#if defined(__GNUC__) && !defined(__clang__)
// Without optimization, g++ 12 takes the frames of Asio's awaitables for allocated in another way.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace coracle::test {

namespace {

namespace aio = boost::asio;
using namespace std::chrono_literals;

// Replies to each request with its content; to "nothing", it replies only after it was released.
class Echo : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      Message question = co_await receive();
      if (question.text() == "nothing") co_await silent_about(std::move(question));
      else co_await reply(question, question.content());
    }
  }

 private:
  Task<> silent_about(Message question) {
    co_await receive(from("release"));
    co_await reply(question, "late");
  }
};

// The calls of a handler.
struct HowCalled {
  int times = 0;
  std::string text;
  Errc errc{};
  bool is_aborted = false;

  void take(const std::exception_ptr& error) {
    ++times;
    try {
      if (error) std::rethrow_exception(error);
    } catch (const Error& known) {
      errc = known.errc();
    } catch (const boost::system::system_error& known) {
      is_aborted = known.code() == aio::error::operation_aborted;
    }
  }
  void take(const std::exception_ptr& error, Message message) {
    take(error);
    if (message) text = message.text();
  }
  bool is_called_once_aborted() const { return times == 1 && is_aborted && text.empty(); }
};

// Returns a handler on `loop` that `signal` may cancel, and that records how it was called.
auto handler_for(HowCalled& told, aio::io_context& loop, aio::cancellation_signal& signal) {
  return aio::bind_cancellation_slot(
      signal.slot(),
      aio::bind_executor(loop.get_executor(), [&told](std::exception_ptr error, Message message) {
        told.take(error, std::move(message));
      }));
}

// Runs a coroutine on its own loop to its end.
void run_through(aio::awaitable<void> all) {
  aio::io_context loop;
  std::exception_ptr failure;
  aio::co_spawn(loop, std::move(all), [&failure](std::exception_ptr error) { failure = error; });
  loop.run();
  if (failure) std::rethrow_exception(failure);
}

std::unique_ptr<Port> port_of(Node& node, const char* name) {
  return async_port(node, name, aio::use_future).get();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(asio_port)

BOOST_AUTO_TEST_CASE(a_coroutine_does_all_of_it_and_no_thread_waits) {
  run_through([]() -> aio::awaitable<void> {
    const auto node = co_await async_open(in_memory(), aio::use_awaitable);
    const Address echo =
        co_await async_create(*node, "echo", std::make_unique<Echo>(), aio::use_awaitable);
    BOOST_TEST(echo.name().str() == "echo");
    {
      const auto ann = co_await async_port(*node, "ann", aio::use_awaitable);
      const Message answer = co_await async_ask(*ann, "echo", "hello", aio::use_awaitable);
      BOOST_TEST(answer.text() == "hello");
      co_await async_send(*ann, "ann", "to myself", aio::use_awaitable);
      const Message own = co_await async_receive(*ann, aio::use_awaitable);
      BOOST_TEST(own.text() == "to myself");
      const std::optional<Message> none =
          co_await async_receive(*ann, Match(), 1ms, aio::use_awaitable);
      BOOST_TEST(!none.has_value());
      const auto pending = [](Agent& me) -> Task<std::size_t> { co_return me.pending(); };
      const std::size_t left = co_await async_act(*ann, pending, aio::use_awaitable);
      BOOST_TEST(left == 0U);
    }
    const StopReport report = co_await async_stop(*node, 10s, aio::use_awaitable);
    BOOST_TEST(report.clean(), report.to_string());
  }());
}

BOOST_AUTO_TEST_CASE(futures_and_deferred_are_tokens_too) {
  Node node(in_memory());
  node.create<Echo>("echo");
  const auto ann = port_of(node, "ann");
  BOOST_TEST(async_ask(*ann, "echo", "hello", aio::use_future).get().text() == "hello");
  auto later = async_ask(*ann, "echo", "deferred", aio::deferred);
  BOOST_TEST(std::move(later)(aio::use_future).get().text() == "deferred");
  auto sent = async_send(*ann, "ann", "x", aio::use_future);
  sent.get();
  BOOST_TEST(async_receive(*ann, from("ann"), aio::use_future).get().text() == "x");
}

BOOST_AUTO_TEST_CASE(a_strand_is_a_handlers_executor) {
  Node node(in_memory());
  node.create<Echo>("echo");
  const auto ann = port_of(node, "ann");
  aio::io_context loop;
  auto strand = aio::make_strand(loop);
  bool is_on_it = false;
  const auto look = [&](std::exception_ptr, Message) {
    is_on_it = strand.running_in_this_thread();
  };
  async_ask(*ann, "echo", "hello", aio::bind_executor(strand, look));
  BOOST_TEST(!is_on_it);
  loop.run();
  BOOST_TEST(is_on_it);
}

BOOST_AUTO_TEST_CASE(failures_come_as_errors_of_the_library) {
  Node node(in_memory());
  const auto ann = port_of(node, "ann");
  const auto is = [](Errc which) { return [which](const Error& e) { return e.errc() == which; }; };
  BOOST_CHECK_EXCEPTION(async_port(node, "ann", aio::use_future).get(), Error,
                        is(Errc::name_taken));
  BOOST_CHECK_EXCEPTION(async_create(node, "ann", std::make_unique<Echo>(), aio::use_future).get(),
                        Error, is(Errc::name_taken));
  BOOST_CHECK_EXCEPTION(async_ask(*ann, "nobody", "?", 1ms, aio::use_future).get(), Error,
                        is(Errc::expired));
  NodeOptions wrong;
  wrong.workers = 257;
  BOOST_CHECK_EXCEPTION(async_open(in_memory(), wrong, aio::use_future).get(), Error,
                        is(Errc::bad_options));
}

BOOST_AUTO_TEST_CASE(a_question_that_is_cancelled_is_withdrawn) {
  Node node(in_memory());
  const auto ann = port_of(node, "ann");
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  async_ask(*ann, "nobody", "hello", handler_for(told, loop, signal));
  // The agent's next message goes behind the request, so by then the request has been sent.
  async_send(*ann, "ann", "x", aio::use_future).get();
  signal.emit(aio::cancellation_type::terminal);
  loop.run();
  BOOST_TEST(told.is_called_once_aborted());
  const Address nobody = node.find("nobody");
  BOOST_TEST(node.ledger(nobody).queued == 0U);
  BOOST_TEST(node.ledger().expired == 1U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_after_cancelling_is_dropped) {
  Node node(in_memory());
  node.create<Echo>("echo");
  const auto ann = port_of(node, "ann");
  const auto release = port_of(node, "release");
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  async_ask(*ann, "echo", "nothing", handler_for(told, loop, signal));
  async_send(*ann, "ann", "x", aio::use_future).get();
  signal.emit(aio::cancellation_type::total);
  loop.run();
  BOOST_TEST(told.is_called_once_aborted());
  async_send(*release, "echo", "go on", aio::use_future).get();
  BOOST_TEST(async_ask(*ann, "echo", "again", aio::use_future).get().text() == "again");
}

BOOST_AUTO_TEST_CASE(a_receive_that_is_cancelled_takes_nothing) {
  Node node(in_memory());
  const auto ann = port_of(node, "ann");
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  async_receive(*ann, handler_for(told, loop, signal));
  signal.emit(aio::cancellation_type::partial);
  loop.run();
  BOOST_TEST(told.is_called_once_aborted());
  async_send(*ann, "ann", "hello", aio::use_future).get();
  const Message hello = async_receive(*ann, aio::use_future).get();
  BOOST_TEST(hello.text() == "hello");
  BOOST_TEST(!hello.redelivered());
}

BOOST_AUTO_TEST_CASE(a_send_that_waits_for_room_can_be_cancelled) {
  Node node(in_memory());
  const auto bob =
      async_port(node, AgentSpec("bob").mailbox(MailboxOptions().messages(1)), aio::use_future)
          .get();
  const auto ann = port_of(node, "ann");
  async_send(*ann, "bob", "first", aio::use_future).get();
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  async_send(
      *ann, "bob", "second",
      aio::bind_cancellation_slot(
          signal.slot(), aio::bind_executor(loop.get_executor(), [&told](std::exception_ptr error) {
            told.take(error);
          })));
  signal.emit(aio::cancellation_type::terminal);
  loop.run();
  BOOST_TEST(told.is_called_once_aborted());
  BOOST_TEST(async_receive(*bob, aio::use_future).get().text() == "first");
  BOOST_TEST(!async_receive(*bob, Match(), 0s, aio::use_future).get().has_value());
}

BOOST_AUTO_TEST_CASE(opening_that_is_cancelled_ends_at_once_and_leaves_nothing) {
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  std::unique_ptr<Node> node;
  const auto opened = [&](std::exception_ptr error, std::unique_ptr<Node> made) {
    told.take(error);
    node = std::move(made);
  };
  async_open(in_memory(), aio::bind_cancellation_slot(
                              signal.slot(), aio::bind_executor(loop.get_executor(), opened)));
  signal.emit(aio::cancellation_type::terminal);
  loop.run();
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.is_aborted ? node == nullptr : node != nullptr));
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_ends_what_waits_there) {
  aio::io_context loop;
  aio::cancellation_signal signal, other;
  HowCalled asked, received;
  {
    Node node(in_memory());
    const auto ann = port_of(node, "ann");
    async_ask(*ann, "nobody", "hello", handler_for(asked, loop, signal));
    async_receive(*ann, handler_for(received, loop, other));
  }
  loop.run();
  BOOST_TEST(asked.times == 1);
  BOOST_TEST((asked.errc == Errc::stopped));
  BOOST_TEST(received.times == 1);
  BOOST_TEST((received.errc == Errc::stopped));
}

BOOST_AUTO_TEST_CASE(a_port_that_leaves_ends_what_waits_there_and_gives_its_name_up) {
  Node node(in_memory());
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  auto ann = port_of(node, "ann");
  async_receive(*ann, handler_for(told, loop, signal));
  ann.reset();
  loop.run();
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.errc == Errc::stopped));
  node.wait();
  ann = port_of(node, "ann");
  BOOST_TEST(ann->self().name().str() == "ann");
}

BOOST_AUTO_TEST_CASE(a_message_that_no_handler_has_taken_is_not_read_when_the_node_stops) {
  aio::io_context loop;
  aio::cancellation_signal signal;
  HowCalled told;
  Node node(in_memory());
  const auto ann = port_of(node, "ann");
  async_receive(*ann, handler_for(told, loop, signal));
  async_send(*ann, "ann", "hello", aio::use_future).get();
  (void)async_receive(*ann, from("x"), 1ms, aio::use_future).get();  // it is handed out now
  const StopReport report = node.stop(5s);
  BOOST_TEST_REQUIRE(report.undelivered.size() == 1U);
  BOOST_TEST(report.undelivered.front().name.str() == "ann");
  loop.run();
  BOOST_TEST(told.times == 1);
  BOOST_TEST((told.errc == Errc::stopped));
  BOOST_TEST(told.text.empty());
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_gone_first_is_not_called_and_loses_nothing) {
  Node node(in_memory());
  node.create<Echo>("echo");
  const auto ann = port_of(node, "ann");
  aio::cancellation_signal signal, other, third;
  HowCalled received, asked, waiting;
  {
    aio::io_context loop;
    async_receive(*ann, handler_for(received, loop, signal));
    async_send(*ann, "ann", "hello", aio::use_future).get();
    async_ask(*ann, "echo", "nothing", handler_for(asked, loop, other));
    async_receive(*ann, from("x"), handler_for(waiting, loop, third));
    (void)async_receive(*ann, from("y"), 1ms, aio::use_future).get();
  }
  BOOST_TEST(received.times + asked.times + waiting.times == 0);
  const Message hello = async_receive(*ann, aio::use_future).get();
  BOOST_TEST(hello.text() == "hello");
  BOOST_TEST(hello.redelivered());
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_gone_first_leaves_no_node_behind) {
  aio::io_context loop;
  async_open(in_memory(),
             aio::bind_executor(loop.get_executor(), [](std::exception_ptr, std::unique_ptr<Node>) {
               BOOST_ERROR("a loop that does not run has called");
             }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
