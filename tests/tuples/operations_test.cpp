// The behaviour of a tuple space, on every realization.
#include "ground.hpp"

namespace coracle::tuples {

namespace {

void what_one_agent_puts_out_another_takes_with_the_types_that_it_asks_for(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Body writes = [](Agent& ann) -> Task<> {
      Space board(ann, "board");
      const std::vector<std::byte> bytes(3, std::byte{7});
      co_await board.out("task", 7, "sort", 0.5, true, bytes);
    };
    co_await start(me, "ann", writes);
    Space board(me, "board");
    const std::vector<std::byte> wanted(3, std::byte{7});
    const auto [what, number, how, part, urgent, bytes] = co_await board.in(
        "task", any<int>, any<std::string>, any<double>, any<bool>, any<std::vector<std::byte>>);
    expect_equal(what, "task", "the first field");
    expect_equal(number, 7, "the second field");
    expect_equal(how, "sort", "the third field");
    expect(part == 0.5 && urgent && bytes == wanted, "the others");
    expect(!co_await board.rdp("task", any<int>, any<std::string>, any<double>, any<bool>,
                               any<std::vector<std::byte>>),
           "it was taken");
  });
}

void reading_leaves_a_tuple_and_asking_for_what_is_not_there_does_not_wait(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    expect(!co_await board.inp("x", any<int>), "nothing is there to take");
    expect(!co_await board.rdp("x", any<int>), "nothing is there to read");
    co_await board.out("x", 1);
    expect_equal(std::get<1>(co_await board.rd("x", any<int>)), 1, "rd");
    const auto read = co_await board.rdp("x", any<int>);
    expect(read && std::get<1>(*read) == 1, "rdp");
    const auto taken = co_await board.inp(any<std::string>, 1);
    expect(taken && std::get<0>(*taken) == "x", "inp");
    expect(!co_await board.inp(any<std::string>, 1), "it is gone");
  });
}

void a_deadline_ends_a_wait_and_takes_nothing(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    const Time begin = me.now();
    expect(!co_await board.in(Deadline(30ms), "x"), "nothing came");
    expect(me.now() - begin >= 30ms, "it has waited");
    expect(!co_await board.rd(Deadline(5ms), "x"), "nothing came");
    expect(!co_await board.in(Deadline(0ms), "x"), "nothing is there");
    co_await board.out("x");
    expect(co_await board.rd(Deadline(soon), "x"), "it is there");
    expect(co_await board.in(Deadline(soon), "x"), "and nobody had taken it");
    expect(!co_await board.inp("x"), "now it is gone");
  });
}

Task<> take_ticket(Agent& ann, int number, bool& begun) {
  Space board(ann, "board");
  begun = true;
  const auto [what, ticket] = co_await board.in("ticket", any<int>);
  co_await board.out("has", number, ticket);
}

void those_who_wait_get_theirs_oldest_first(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    for (int i = 0; i < 5; ++i) {
      // A space reads the requests of one agent in their order: when the second request has its
      // reply, the first one waits in the space.
      Body takes = [i](Agent& ann) -> Task<> {
        bool begun = false;
        ann.spawn(take_ticket(ann, i, begun));
        while (!begun) co_await ann.yield();
        Space there(ann, "board");
        (void)co_await there.rdp("nothing");
        co_await ann.send("main", "waits");
        co_await ann.receive(from("nobody"));
      };
      co_await start(me, "taker/" + std::to_string(i), takes);
      (void)co_await me.receive();
    }
    for (int i = 0; i < 5; ++i) co_await board.out("ticket", i);
    for (int i = 0; i < 5; ++i) {
      const auto [has, taker, number] = co_await board.in("has", i, any<int>);
      expect_equal(number, i, "whose turn it was");
    }
  });
}

void each_tuple_is_taken_once_by_whoever_takes(Meadow& meadow) {
  constexpr int takers = 6;
  constexpr int each = 50;
  meadow.run([](Agent& me) -> Task<> {
    for (int i = 0; i < takers; ++i) {
      Body takes = [](Agent& ann) -> Task<> {
        Space board(ann, "board");
        std::int64_t sum = 0;
        for (int count = 0; count < each; ++count) {
          const auto [what, number] = co_await board.in("n", any<int>);
          sum += number;
        }
        co_await board.out("sum", sum);
      };
      co_await start(me, "taker/" + std::to_string(i), takes);
    }
    for (int i = 0; i < takers; ++i) {
      Body gives = [i](Agent& bob) -> Task<> {
        Space board(bob, "board");
        for (int count = 0; count < each; ++count) co_await board.out("n", i * each + count);
      };
      co_await start(me, "giver/" + std::to_string(i), gives);
    }
    Space board(me, "board");
    std::int64_t sum = 0;
    for (int i = 0; i < takers; ++i) {
      sum += std::get<1>(co_await board.in("sum", any<std::int64_t>));
    }
    constexpr std::int64_t count = takers * each;
    expect_equal(sum, count * (count - 1) / 2, "the sum of all that were taken");
    expect(!co_await board.inp("n", any<int>), "none is left");
  });
  expect_equal(meadow.given_back(), 0, "none came back");
}

void one_tuple_wakes_all_who_read(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    for (int i = 0; i < 4; ++i) {
      Body reads = [](Agent& ann) -> Task<> {
        Space board(ann, "board");
        (void)co_await board.rd("news", any<std::string>);
        co_await ann.send("main", "read");
      };
      co_await start(me, "reader/" + std::to_string(i), reads);
    }
    Space board(me, "board");
    co_await board.out("news", "rain");
    for (int i = 0; i < 4; ++i) {
      const auto message = co_await me.receive(Deadline(soon));
      expect(message && message->text() == "read", "a reader has read it");
    }
    expect(co_await board.inp("news", "rain"), "it is still there");
  });
}

void several_spaces_know_nothing_of_each_other(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    co_await meadow.place(me, "other", std::make_unique<TupleSpace>());
    Space board(me, "board");
    Space other(me, "other");
    co_await board.out("x", 1);
    co_await other.out("x", 2);
    expect_equal(std::get<1>(co_await board.in("x", any<int>)), 1, "of the one");
    expect_equal(std::get<1>(co_await other.in("x", any<int>)), 2, "of the other");
    expect(!co_await board.inp("x", any<int>) && !co_await other.inp("x", any<int>), "both empty");
  });
}

void a_leased_tuple_is_there_for_its_time(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    co_await board.out(Lease{20ms}, "short");
    co_await board.out(Lease{1h}, "long");
    expect(co_await board.rdp("long"), "it is there");
    co_await me.pause(25ms);
    expect(!co_await board.rdp("short"), "its time is over");
    expect(co_await board.inp("long"), "its time is not");
    co_await board.out(Lease{soon}, "waited for");
    expect(co_await board.in(Deadline(soon), "waited for"), "it is there at first");
  });
}

void notices_tell_of_what_comes_until_they_are_ended(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    co_await board.out("x", 0);
    auto notices = co_await board.notify(Lease{1h}, "x", any<int>);
    for (int i = 1; i <= 3; ++i) co_await board.out("x", i);
    co_await board.out("y", 4);
    for (int i = 1; i <= 3; ++i) {
      const auto notice = co_await notices.next(Deadline(soon));
      expect(notice && std::get<1>(*notice) == i, "a notice of each");
    }
    expect(!co_await notices.next(Deadline(5ms)), "and of no other");
    co_await notices.renew(Lease{1h});
    co_await notices.end();
    co_await board.out("x", 5);
    expect(!co_await notices.next(Deadline(5ms)), "none after the end");
    Task<> renewing = notices.renew(Lease{1h});
    expect_error(co_await test::error_of(std::move(renewing)), Errc::expired, "renewing");
    expect_equal(notices.missed(), 0U, "missed");
    expect_equal(std::get<1>(co_await board.in("x", any<int>)), 0, "the tuples are still there");
  });
}

[[maybe_unused]] const bool registered_operations = on_every_ground(
    "operations",
    {GROUND_CASE(what_one_agent_puts_out_another_takes_with_the_types_that_it_asks_for),
     GROUND_CASE(reading_leaves_a_tuple_and_asking_for_what_is_not_there_does_not_wait),
     GROUND_CASE(a_deadline_ends_a_wait_and_takes_nothing),
     GROUND_CASE(those_who_wait_get_theirs_oldest_first),
     GROUND_CASE(each_tuple_is_taken_once_by_whoever_takes),
     GROUND_CASE(one_tuple_wakes_all_who_read),
     GROUND_CASE(several_spaces_know_nothing_of_each_other),
     GROUND_CASE(a_leased_tuple_is_there_for_its_time),
     GROUND_CASE(notices_tell_of_what_comes_until_they_are_ended)});

}  // namespace

}  // namespace coracle::tuples
