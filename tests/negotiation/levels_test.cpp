// Planners are clients of the arbiters below them: no level is bound before those below it are.
#include "levels.hpp"

namespace coracle::caf::test {

namespace {

ArbiterOptions level_options(std::size_t clients) {
  ArbiterOptions options;
  options.clients = clients;
  options.negotiation.rule = utilitarian();
  return options;
}

// Runs the hierarchy; the engine and the crane each cannot go the given way. Both choosers prefer
// north.
void run(Hall& hall, const std::string& engine_cannot, const std::string& crane_cannot) {
  Diary& diary = hall.diary();
  const auto level = [&diary](std::string below, std::string cannot, std::size_t clients) {
    return [=, &diary] {
      return std::make_unique<Level>(below, cannot, diary, level_options(clients));
    };
  };
  const auto chooser = [&diary](std::int64_t north, std::int64_t south) {
    return [=, &diary] {
      const std::map<std::string, std::int64_t> likes = {{"north", north}, {"south", south}};
      return std::make_unique<Chooser>(likes, diary);
    };
  };
  hall.run({{"engine", level("", engine_cannot, 1)},
            {"crane", level("engine", crane_cannot, 1)},
            {"site", level("crane", "", 2)},
            {"ann", chooser(10, 5)},
            {"bob", chooser(7, 6)}},
           [&diary](Agent& me) -> Task<> {
             for (int i = 0; i < 2; ++i) (void)co_await me.receive();
             while (diary.has("ann hears of") && diary.place("engine goes") == 0) {
               co_await me.pause(1ms);
             }
           });
}

void expect_order(const Diary& diary, const std::string& way) {
  std::size_t last = 0;
  for (const char* each : {"engine is bound to ", "crane is bound to ", "site is bound to "}) {
    const std::size_t place = diary.place(each + way);
    expect(place > last, std::string(each) + way + " comes after those below it\n" + diary.all());
    last = place;
  }
  expect(diary.place("ann hears of " + way) > last, "ann hears of it afterwards\n" + diary.all());
  expect(diary.place("bob hears of " + way) > last, "bob hears of it afterwards\n" + diary.all());
  for (const char* each : {"engine goes ", "crane goes "}) {
    expect(diary.place(each + way) > last, "nobody begins before\n" + diary.all());
  }
}

void no_level_is_bound_before_those_below_it(Hall& hall) {
  run(hall, "", "");
  expect_order(hall.diary(), "north");
  expect(!hall.diary().has("south"), hall.diary().all());
}

void what_the_lowest_cannot_do_makes_the_highest_choose_again(Hall& hall) {
  run(hall, "north", "");
  expect_order(hall.diary(), "south");
  expect(!hall.diary().has("bound to north"), hall.diary().all());
}

void what_one_in_the_middle_cannot_do_binds_nobody(Hall& hall) {
  run(hall, "", "north");
  expect_order(hall.diary(), "south");
  expect(!hall.diary().has("bound to north"), hall.diary().all());
}

void where_nothing_can_be_done_all_hear_why(Hall& hall) {
  run(hall, "north", "south");
  expect(!hall.diary().has("is bound to south"), hall.diary().all());
  expect(!hall.diary().has("site is bound"), hall.diary().all());
  expect(hall.diary().has("ann hears: no plan is better than none"), hall.diary().all());
  expect(!hall.diary().has("goes"), hall.diary().all());
}

const bool registered_levels = on_every_ground(
    "levels", {GROUND_CASE(no_level_is_bound_before_those_below_it),
               GROUND_CASE(what_the_lowest_cannot_do_makes_the_highest_choose_again),
               GROUND_CASE(what_one_in_the_middle_cannot_do_binds_nobody),
               GROUND_CASE(where_nothing_can_be_done_all_hear_why)});

}  // namespace

}  // namespace coracle::caf::test
