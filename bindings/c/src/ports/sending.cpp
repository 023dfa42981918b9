// Sends, requests, replies and receipts.
#include "base/convert.hpp"
#include "base/shown.hpp"
#include "operation.hpp"

using namespace coracle;
using namespace coracle::c;

namespace {

Post post_of(const coracle_post* given) {
  coracle_post copy;
  return c::post_of(view_of(given, copy, "coracle_post"));
}

// Returns the only target of a request.
Name target_of(const coracle_post* given) {
  coracle_post copy;
  const coracle_post& post = view_of(given, copy, "coracle_post");
  if (post.many != nullptr || post.group != nullptr ||
      (post.to == nullptr) == (post.to_sender_of == nullptr)) {
    fail_argument(
        "coracle_ask: a request goes to one agent; set `to` or `to_sender_of`, not `many` or "
        "`group`");
  }
  if (post.to != nullptr) return Name(post.to);
  return shared_message_of(post.to_sender_of)->message.source().name();
}

// Returns the request, which the port may answer.
std::shared_ptr<MessageObject> request_of(const PortObject& port, const coracle_message* message) {
  auto request = shared_message_of(message);
  if (request->node != port.node)
    fail_argument("this message was received on another node, so this port cannot answer it");
  return request;
}

}  // namespace

coracle_error* coracle_send(coracle_port* port, const coracle_post* post,
                            const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work send = [post = post_of(post)](Agent* me, Operation&) -> Task<> {
      Task<> sending = me->send(post);
      co_await sending;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, send);
  });
}

coracle_error* coracle_try_send(coracle_port* port, const coracle_post* post, bool* sent) {
  return guarded([&] {
    if (sent == nullptr) fail_argument("coracle_try_send: `sent` is NULL");
    *sent = false;
    const PortPtr from = object_of<PortObject>(port);
    const Loop::Calling calling(*from->node);
    *sent = detail::FromOutside::try_send(*from->port, post_of(post));
  });
}

coracle_error* coracle_track(coracle_port* port, const coracle_post* post, coracle_receipt** out,
                             const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work track = [post = post_of(post)](Agent* me, Operation& self) -> Task<> {
      Task<Receipt> sending = me->track(post);
      self.result = co_await sending;
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, track);
    if (done) *out = done->take_receipt();
  });
}

coracle_error* coracle_ask(coracle_port* port, const coracle_post* post, coracle_span longest,
                           coracle_message** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work ask = [to = target_of(post), content = content_of(post),
                                 until = limit_of(longest)](Agent* me, Operation& self) -> Task<> {
      detail::Asking asking = me->ask(to, content, until);
      const detail::MayBeCalledOff may(self, [&asking] { asking.call_off(); });
      Message reply = co_await asking;
      self.put(std::move(reply));
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, ask);
    if (done) *out = done->take_message();
  });
}

coracle_error* coracle_reply(coracle_port* port, const coracle_message* request,
                             const coracle_post* post, const coracle_begin* begin) {
  return guarded([&] {
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work reply = [to = request_of(*object, request), content = content_of(post)](
                                      Agent* me, Operation&) -> Task<> {
      require_message(*to);  // still there
      detail::Sending sending = me->reply(to->message, content);
      co_await sending;
    };
    (void)operate(object, begin, nullptr, reply);
  });
}

coracle_error* coracle_try_reply(coracle_port* port, const coracle_message* request,
                                 const coracle_post* post, bool* sent) {
  return guarded([&] {
    if (sent == nullptr) fail_argument("coracle_try_reply: `sent` is NULL");
    *sent = false;
    const PortPtr from = object_of<PortObject>(port);
    const auto to = request_of(*from, request);
    const Loop::Calling calling(*from->node);
    *sent = detail::FromOutside::try_reply(*from->port, to->message, content_of(post));
  });
}

coracle_error* coracle_refuse(coracle_port* port, const coracle_message* request,
                              const char* reason, const coracle_begin* begin) {
  return guarded([&] {
    const PortPtr object = object_of<PortObject>(port);
    const Operation::Work refuse = [to = request_of(*object, request),
                                    why = std::string(text_of(reason, "coracle_refuse: `reason`"))](
                                       Agent* me, Operation&) -> Task<> {
      require_message(*to);
      detail::Sending sending = me->refuse(to->message, why);
      co_await sending;
    };
    (void)operate(object, begin, nullptr, refuse);
  });
}

coracle_error* coracle_receipt_reached(coracle_receipt* receipt, coracle_stage stage,
                                       coracle_span longest, bool* out,
                                       const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const int wanted = number_of(stage);
    if (wanted < CORACLE_ACCEPTED || wanted > CORACLE_CONSUMED)
      fail_argument("coracle_receipt_reached: `stage` is none of coracle_stage");
    const auto object = object_of<ReceiptObject>(receipt);
    const Operation::Work reach = [held = object->receipt, stage = static_cast<Stage>(wanted),
                                   until = limit_of(longest)](Agent*, Operation& self) -> Task<> {
      if (!*held) co_return;
      Receipt of = **held;
      Task<bool> reaching = of.reached(stage, until);
      self.number = co_await reaching;
    };
    const auto done = operate(object->port(), begin, out, reach);
    if (done) *out = done->number != 0;
  });
}

void coracle_receipt_free(coracle_receipt* receipt) {
  coracle_error_free(guarded([&] { (void)remove_handle<ReceiptObject>(receipt); }));
}
