// Receives.
#include "base/convert.hpp"
#include "operation.hpp"

using namespace coracle;
using namespace coracle::c;

coracle_error* coracle_receive(coracle_port* port, const coracle_match* given,
                               coracle_message** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const coracle_match options = options_of(given, "coracle_match");
    const Operation::Work receive = [match = match_of(options), until = limit_of(options.longest)](
                                        Agent* me, Operation& self) -> Task<> {
      detail::ReceivingUntil receiving = me->receive(match, until);
      const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
      std::optional<Message> message = co_await receiving;
      if (message) self.put(std::move(*message));
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, receive);
    if (done) *out = done->take_message();
  });
}

coracle_error* coracle_receive_many(coracle_port* port, const coracle_match* given, size_t most,
                                    coracle_messages** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (most == 0) fail_argument("coracle_receive_many: `most` is 0; give at least 1");
    const coracle_match options = options_of(given, "coracle_match");
    const Operation::Work receive = [match = match_of(options), until = limit_of(options.longest),
                                     most](Agent* me, Operation& self) -> Task<> {
      detail::ReceivingUntil receiving = me->receive(match, until);
      const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
      std::optional<Message> message = co_await receiving;
      for (std::size_t count = 1; message; ++count) {
        self.put_next(std::move(*message));
        message = count < most ? me->try_receive(match) : std::nullopt;
      }
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, receive);
    if (done) *out = done->take_messages();
  });
}

coracle_error* coracle_messages_next(coracle_messages* messages, coracle_message** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_messages_next: `out` is NULL");
    const auto list = object_of<MessagesObject>(messages);
    Message next = list->held->take();
    *out =
        next ? new_handle(std::make_shared<MessageObject>(list->node, std::move(next))) : nullptr;
  });
}

void coracle_messages_free(coracle_messages* messages) {
  coracle_error_free(guarded([&] { (void)remove_handle<MessagesObject>(messages); }));
}

coracle_error* coracle_try_receive(coracle_port* port, const coracle_match* given,
                                   coracle_message** out) {
  return guarded([&] {
    require_place(nullptr, out);
    const coracle_match options = options_of(given, "coracle_match");
    const Operation::Work receive = [match = match_of(options)](Agent* me,
                                                                Operation& self) -> Task<> {
      std::optional<Message> message = me->try_receive(match);
      if (message) self.put(std::move(*message));
      co_return;
    };
    const auto done = operate(object_of<PortObject>(port), nullptr, out, receive);
    *out = done->take_message();
  });
}

coracle_error* coracle_new_conversation(coracle_port* port, uint64_t* out,
                                        const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work number = [](Agent* me, Operation& self) -> Task<> {
      self.number = me->new_conversation();
      co_return;
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, number);
    if (done) *out = done->number;
  });
}
