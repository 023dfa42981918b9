// Streams: a receive that goes on, and gives one message for each request.
#include "base/convert.hpp"
#include "operation.hpp"

#include "coracle/support/signal.hpp"

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

// The number of messages that were asked for and are not received yet.
class Wishes {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (waits_) waits_->set();
  }
  // Waits for a wish, and takes it. Called by the coroutine of `stream` alone.
  Task<> take(Operation& stream) {
    while (!is_taken()) {
      const detail::Signal added = *waits_;
      const detail::MayBeCalledOff may(stream, [&added] { added.set(); });
      co_await added.wait();
      if (stream.is_called_off()) throw Error(Errc::stopped, "the stream was cancelled");
    }
  }

 private:
  // Otherwise `waits_` is a new signal.
  bool is_taken() {
    const std::lock_guard lock(mutex_);
    waits_.reset();
    if (count_ == 0) waits_.emplace();
    else --count_;
    return !waits_;
  }

  std::mutex mutex_;  // guards what follows
  std::uint64_t count_ = 0;
  std::optional<detail::Signal> waits_;  // for which the coroutine waits; only it changes this
};

class StreamObject final : public Named {
 public:
  using C = coracle_stream;
  static constexpr Kind kind = Kind::stream;
  static constexpr const char* words = "stream";

  StreamObject(const PortPtr& port, OperationPtr operation, std::shared_ptr<Wishes> wishes) noexcept
      : port_(port), operation_(std::move(operation)), wishes_(std::move(wishes)) {}
  ~StreamObject() override { operation_->forget(); }

  void next() {
    const PortPtr port = port_.lock();
    if (!port || operation_->has_ended()) return;  // its end is an event
    const Loop::Calling calling(*port->node);
    const auto add = [this] { wishes_->add(); };
    if (!detail::FromOutside::at_once(*port->node->node, std::ref(add))) add();
  }

 private:
  const std::weak_ptr<PortObject> port_;
  const OperationPtr operation_;
  const std::shared_ptr<Wishes> wishes_;
};

}  // namespace coracle::c

coracle_error* coracle_stream_open(coracle_port* port, const coracle_match* given,
                                   const coracle_begin* begin, coracle_stream** out) {
  return guarded([&] {
    if (out == nullptr || begin == nullptr)
      fail_argument("coracle_stream_open: `begin` or `out` is NULL");
    const coracle_match options = options_of(given, "coracle_match");
    if (options.longest != 0)
      fail_argument("coracle_stream_open: a stream has no end, so leave `longest` out");
    const PortPtr from = object_of<PortObject>(port);
    const auto loop = object_of<Loop>(begin->loop);
    const auto wishes = std::make_shared<Wishes>();
    const Operation::Work receive = [match = match_of(options), wishes](Agent* me,
                                                                        Operation& self) -> Task<> {
      for (;;) {
        Task<> wished = wishes->take(self);
        co_await wished;
        detail::ReceivingUntil receiving = me->receive(match, Deadline::never());
        const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
        std::optional<Message> message = co_await receiving;
        self.publish(std::move(*message));
      }
    };
    const auto operation =
        std::make_shared<Operation>(from->node, from, receive, loop, begin->key, true);
    auto stream = std::make_shared<StreamObject>(from, operation, wishes);
    c::begin(from, operation);
    *out = new_handle(std::move(stream));
  });
}

coracle_error* coracle_stream_next(coracle_stream* stream) {
  return guarded([&] { object_of<StreamObject>(stream)->next(); });
}

void coracle_stream_free(coracle_stream* stream) {
  coracle_error_free(guarded([&] { (void)remove_handle<StreamObject>(stream); }));
}
