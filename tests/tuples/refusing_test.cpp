// The requests that a tuple space refuses, on every realization: it sends the reason, and goes on.
#include "ground.hpp"

namespace coracle::tuples {

namespace {

TupleSpaceOptions tight() {
  TupleSpaceOptions options;
  options.tuple_bytes = 100;
  options.tuples = 2;
  options.waiting = 1;
  options.offer_within = 20ms;
  return options;
}

// The space still works.
Task<> expect_unharmed(Agent& me) {
  Space board(me, "board");
  co_await board.out("well");
  expect(co_await board.inp("well"), "the space is unharmed");
}

void a_tuple_over_the_limit_is_refused_by_name(Meadow& meadow) {
  const auto body = [](Agent& me) -> Task<> {
    Space board(me, "board");
    const std::string long_text(93, 'x');
    Task<> putting = board.out(long_text);
    expect_error(co_await test::error_of(std::move(putting)), Errc::too_large, "too long");
    const std::string enormous(std::size_t{1} << 20, 'x');
    Task<> more = board.out(enormous);
    expect_error(co_await test::error_of(std::move(more)), Errc::too_large, "far too long");
    auto asking = board.inp(enormous);
    expect_error(co_await test::error_of(std::move(asking)), Errc::too_large, "a pattern, too");
    const std::string fits(92, 'x');
    co_await board.out(fits);
    expect(co_await board.inp(fits), "what is just within it is not refused");
    co_await expect_unharmed(me);
  };
  meadow.run(body, tight());
}

void a_full_space_and_a_full_waiting_list_say_so(Meadow& meadow) {
  const auto body = [](Agent& me) -> Task<> {
    Space board(me, "board");
    co_await board.out("a");
    co_await board.out("b");
    Task<> putting = board.out("c");
    expect_error(co_await test::error_of(std::move(putting)), Errc::limit_reached, "full");
    auto notices = co_await board.notify(Lease{1h}, "x");
    auto waiting = board.in("c");
    expect_error(co_await test::error_of(std::move(waiting)), Errc::limit_reached, "too many");
    Task<Notices<char[2]>> listening = board.notify(Lease{1h}, "y");
    expect_error(co_await test::error_of(std::move(listening)), Errc::limit_reached, "too many");
    co_await notices.end();
    expect(!co_await board.in(Deadline(5ms), "c"), "there is a place to wait again");
    expect(co_await board.inp("a"), "a is there");
    co_await expect_unharmed(me);
  };
  meadow.run(body, tight());
}

// Sends a request that no Space would send.
Task<detail::TupleAnswer> asked(Agent& me, Content content) {
  Message message = co_await me.ask("board", std::move(content), Deadline(soon));
  const Content answer = message.consume();
  co_return answer.as<detail::TupleAnswer>();
}

Task<> expect_refused(Agent& me, detail::TupleRequest request, Errc why, const char* what) {
  const Content content = Content::of(std::move(request));
  const detail::TupleAnswer answer = co_await asked(me, content);
  expect(answer.verdict == detail::TupleVerdict::failed, what);
  expect_equal(answer.errc, static_cast<int>(why), what);
  expect(answer.text.size() > 20, "it says what is wrong");
}

void a_malformed_request_is_refused_by_name(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    using detail::TupleAct;
    const std::vector<std::byte> rubbish(5, std::byte{0xff});
    const Content broken = Content::bytes(rubbish, content_type_of<detail::TupleRequest>());
    detail::TupleAnswer answer = co_await asked(me, broken);
    expect_equal(answer.errc, static_cast<int>(Errc::bad_encoding), "rubbish");
    const Content other("hello");
    answer = co_await asked(me, other);
    expect_equal(answer.errc, static_cast<int>(Errc::wrong_type), "something else");

    detail::TupleRequest request;
    co_await expect_refused(me, request, Errc::bad_encoding, "no fields");
    request.fields.assign(17, true);
    co_await expect_refused(me, request, Errc::bad_encoding, "too many fields");
    request.fields = {std::string("x"), OpenField{FieldKind::integer, 4, true}};
    co_await expect_refused(me, request, Errc::wrong_type, "an open field in a tuple");
    request.act = TupleAct::in;
    request.fields = {OpenField{static_cast<FieldKind>(9), 4, true}};
    co_await expect_refused(me, request, Errc::bad_encoding, "a kind that does not exist");
    request.fields = {OpenField{FieldKind::integer, 77, true}};
    co_await expect_refused(me, request, Errc::bad_encoding, "a width that does not exist");
    request.act = TupleAct::eval;
    request.fields = {7};
    co_await expect_refused(me, request, Errc::wrong_type, "a function without a name");
    request.act = static_cast<TupleAct>(99);
    co_await expect_refused(me, request, Errc::bad_encoding, "an unknown act");
    // A message that is no request gets no reply.
    co_await me.send("board", broken);
    co_await me.send("board", other);
    co_await expect_unharmed(me);
  });
}

void a_function_that_nobody_offers_is_refused_by_name(Meadow& meadow) {
  const auto body = [](Agent& me) -> Task<> {
    Space board(me, "board");
    const Time begin = me.now();
    Task<> evaluating = board.eval("no such function", 1);
    const auto error = co_await test::error_of(std::move(evaluating));
    expect_error(error, Errc::refused, "eval");
    expect(error->sentence().find("no such function") != std::string::npos, "it names it");
    expect(me.now() - begin >= 20ms, "somebody might have come");
    co_await expect_unharmed(me);
  };
  meadow.run(body, tight());
}

[[maybe_unused]] const bool registered_refusing =
    on_every_ground("refusing", {GROUND_CASE(a_tuple_over_the_limit_is_refused_by_name),
                                 GROUND_CASE(a_full_space_and_a_full_waiting_list_say_so),
                                 GROUND_CASE(a_malformed_request_is_refused_by_name),
                                 GROUND_CASE(a_function_that_nobody_offers_is_refused_by_name)});

}  // namespace

}  // namespace coracle::tuples
