// A frame that the reactor brings to one worker reaches an agent of another worker at once.
#include "member.hpp"
#include "support/run_now.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

namespace coracle::trust {

namespace {

// Brings one frame, when a test wants it. The worker gets it in a turn, since wait() only returns.
class OneFrame final : public Reactor {
 public:
  explicit OneFrame(StandInTransport& transport) : transport_(transport) {}

  void bring(LeaseId from, Bytes frame) {
    from_ = from, frame_ = std::move(frame);
    is_due_ = true;
    wake();
  }
  bool poll() override {
    if (!is_due_.exchange(false)) return false;
    transport_.feed(from_, frame_, Content("hello"));
    return true;
  }
  void wait(Duration longest) override {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, std::min<Duration>(longest, 60s),
                    [this] { return is_woken_ || is_due_; });
    is_woken_ = false;
  }
  void wake() override {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
    woken_.notify_one();
  }

 private:
  StandInTransport& transport_;
  LeaseId from_ = 0;
  Bytes frame_;
  std::atomic<bool> is_due_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_woken_ = false;
};

struct Bob final : Agent {
  explicit Bob(std::promise<std::string>* got) : got_(got) {}
  Task<> run() override {
    const Message message = co_await receive();
    got_->set_value(std::string(message.text()));
  }
  std::promise<std::string>* got_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reactor)

BOOST_AUTO_TEST_CASE(a_frame_for_an_agent_of_another_worker_does_not_wait_for_the_next_event) {
  const auto transport = std::make_shared<StandInTransport>();
  const auto brought = std::make_shared<OneFrame>(*transport);
  Realization parts;
  parts.transport = transport;
  parts.reactor = brought;
  parts.directory = local_directory(steady_clock());
  const LeaseId eve = test::run_now(parts.directory->open_lease("eve", 1h)).value();
  parts.queue = mail_queues();
  parts.spin = Duration::zero();  // else the worker looks once more before it sleeps
  NodeOptions options;
  options.workers = 2;
  std::promise<std::string> got;
  std::future<std::string> text = got.get_future();
  Node node(std::move(parts), options);
  node.create<Bob>(AgentSpec("bob").on_worker(1), &got);
  brought->bring(eve, message(MessageFields{.target = "bob", .source = "eve", .life = {1, 1}}));
  BOOST_TEST_REQUIRE((text.wait_for(5s) == std::future_status::ready));
  BOOST_TEST(text.get() == "hello");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
