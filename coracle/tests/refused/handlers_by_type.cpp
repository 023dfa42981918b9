// Handlers that on() refuses, and the message for each; tests/refused.py compiles each case alone.
#include "coracle/on.hpp"

#include <memory>
#include <string>
#include <variant>

namespace {

using namespace coracle;

struct Bid {
  static constexpr std::string_view content_type = "bid/v1";
  int amount = 0;
};
struct OtherBid {
  static constexpr std::string_view content_type = "bid/v1";
  int amount = 0;
};
struct Refusal {
  static constexpr std::string_view content_type = "refusal/v1";
  std::string reason;
};
struct Nameless {
  int amount = 0;
};
struct Single {
  static constexpr std::string_view content_type = "single/v1";
  std::unique_ptr<int> number;
};
using Answer = std::variant<Bid, Refusal>;

[[maybe_unused]] Task<> read([[maybe_unused]] Agent& me) {
  // case: accepted
  co_await on<Answer>([](const Bid&) {}, [](Refusal&&, Message) -> Task<> { co_return; },
                      [](const Message&) {})
      .receive(me);
  // case: names the type that it takes
  co_await on([](const auto&) {}).receive(me);
  // case: takes a value, or a value and its Message
  co_await on([] {}).receive(me);
  // case: takes the value first and then its Message
  co_await on([](const Message&, const Bid&) {}).receive(me);
  // case: is the Message that the value came in
  co_await on([](const Bid&, const Refusal&) {}).receive(me);
  // case: takes its value as `T`, `const T&` or `T&&`
  co_await on([](Bid&) {}).receive(me);
  // case: has no content-type name
  co_await on([](const Nameless&) {}).receive(me);
  // case: cannot be copied as `const T&`
  co_await on([](Single) {}).receive(me);
  // case: needs a handler
  co_await on().receive(me);
  // case: that takes any Message comes last
  co_await on([](const Message&) {}, [](const Bid&) {}).receive(me);
  // case: give nothing, or all give something of a common type
  co_await on([](const Bid&) { return 1; }, [](const Refusal&) {}).receive(me);
  // case: of the same content type / SecondHandlerFor<{anonymous}::Bid
  co_await on([](const Bid&) {}, [](Bid) {}).receive(me);
  // case: of the same content type / SecondHandlerFor<{anonymous}::OtherBid
  co_await on([](const Bid&) {}, [](const OtherBid&) {}).receive(me);
  // case: has no handler for a type of its list / HandlerMissingFor<{anonymous}::Refusal
  co_await on<Bid, Refusal>([](const Bid&) {}, [](const Message&) {}).receive(me);
  // case: has no handler for a type of its list / HandlerMissingFor<{anonymous}::Bid
  co_await on<Answer>([](const Refusal&) {}).receive(me);
  // case: has a handler for a type that is not in its list / NotListed<{anonymous}::Refusal
  co_await on<Bid>([](const Bid&) {}, [](const Refusal&) {}).receive(me);
  // case: end
  co_return;
}

}  // namespace
