#include "rpc_ground.hpp"

namespace coracle::rpc::test {

void Clerk::fail(const std::string& why) {
  if (why == "strange") throw 7;
  throw std::runtime_error(why);
}

Task<std::string> Clerk::wait(const Incoming& call, std::string text) {
  const Message message = co_await me_.receive(says(text));
  if (call.expired()) co_return "too late";
  co_return std::string(message.text());
}

Stream<std::int64_t> Clerk::count(std::int64_t first, std::int64_t count) {
  for (std::int64_t number = first; number != first + std::abs(count); ++number) {
    if (number % 3 == 0) co_await me_.yield();
    co_yield std::int64_t{number};
  }
  if (count < 0) throw std::runtime_error("no more numbers");
}

Task<std::string> Clerk::pass(const Incoming& call, std::string whom) {
  Stub<Desk> other(me_, whom);
  co_return co_await other.name.by(call.deadline())();
}

Desk<AtServer<Clerk>> all_functions() {
  return {.add = &Clerk::add,
          .plan = &Clerk::plan,
          .fail = &Clerk::fail,
          .name = &Clerk::name,
          .wait = &Clerk::wait,
          .find = &Clerk::find,
          .count = &Clerk::count,
          .pass = &Clerk::pass};
}

Body serving(ServiceOptions options) {
  return [options](Agent& me) -> Task<> {
    Clerk clerk(me);
    Service<Desk, Clerk> service(me, clerk, all_functions(), options);
    co_await service.run();
  };
}

Match says(std::string text) {
  return that([text = std::move(text)](const MessageView& message) {
    return message.content().type() == "text/plain" && message.text() == text;
  });
}

}  // namespace coracle::rpc::test
