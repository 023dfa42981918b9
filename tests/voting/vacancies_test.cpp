// A council's handling of members whose names have no holder.
#include "voters.hpp"

namespace coracle::caf::test {

namespace {

// No test waits that long.
constexpr Duration long_time = std::chrono::hours(1);

Charter patient(Vacant vacant = Vacant::absent) {
  Charter charter;
  charter.vacant = vacant;
  charter.propose_within = long_time;
  charter.vote_within = long_time;
  return charter;
}

Mind wants(std::string what) {
  Mind mind;
  mind.proposes = {what};
  mind.likes = {std::move(what)};
  return mind;
}

Motion lunch() {
  Motion motion;
  motion.subject = "lunch";
  return motion;
}

// In virtual time, any wait would show in the clock.
void expect_at_once(const Assembly& assembly, Time since, Time present) {
  if (assembly.in_virtual_time()) expect(present - since < 500ms, "no time is lost");
}

// A council with one member more than there are voters.
std::unique_ptr<Council> with_a_vacant_seat(const Charter& charter, std::size_t voters,
                                            Random& random) {
  return std::make_unique<Council>(charter, members(voters + 1), random);
}

void a_vacant_seat_is_absent_and_nobody_waits_for_it(Assembly& assembly) {
  assembly.run_voters({wants("soup"), wants("soup")}, [&](Agent& me) -> Task<> {
    auto council = with_a_vacant_seat(patient(), 2, assembly.random());
    co_await assembly.place(me, "council", std::move(council));
    const Time begun = me.now();
    const Decision decision = co_await decide(me, "council", lunch());
    expect_at_once(assembly, begun, me.now());
    expect_equal(decision.winner, std::string("soup"), decision.why);
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.at(0).present, 2U, "present");
    expect_equal(record.incidents.at(0).who, std::string("peer/2"), "who is noted");
    expect_equal(record.incidents.at(0).reason, std::string("nobody holds its name"), "why");
    expect(recount(record).faults.empty(), "the record supports its decision");
  });
}

void a_member_that_ends_in_a_phase_is_not_waited_for(Assembly& assembly) {
  Mind dying = wants("meat");
  dying.crashes = true;
  assembly.run(patient(), {wants("soup"), dying, wants("soup")}, [&](Agent& me) -> Task<> {
    const Time begun = me.now();
    const Decision decision = co_await decide(me, "council", lunch());
    expect_at_once(assembly, begun, me.now());
    expect_equal(decision.winner, std::string("soup"), decision.why);
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.at(0).present, 2U, "present");
    expect(record.incidents.at(0).reason.starts_with("its agent has ended: crashed"),
           record.incidents.at(0).reason);
    const Decision next = co_await decide(me, "council", lunch());
    expect_at_once(assembly, begun, me.now());
    expect_equal(next.winner, std::string("soup"), "nor in the next decision");
  });
}

void who_comes_back_takes_part_again(Assembly& assembly) {
  assembly.run_voters({wants("soup")}, [&](Agent& me) -> Task<> {
    auto council = with_a_vacant_seat(patient(), 1, assembly.random());
    co_await assembly.place(me, "council", std::move(council));
    (void)co_await decide(me, "council", lunch());
    auto late = std::make_unique<Voter>(wants("soup"), assembly.received(), assembly.random());
    co_await assembly.place(me, peer_name(1), std::move(late));
    const Decision decision = co_await decide(me, "council", lunch());
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.at(0).present, 2U, "present");
  });
}

void a_council_that_waits_gives_a_vacant_seat_its_time(Assembly& assembly) {
  Charter charter = patient(Vacant::wait);
  charter.vote_within = charter.propose_within = assembly.in_virtual_time() ? 5s : 200ms;
  assembly.run_voters({wants("soup")}, [&](Agent& me) -> Task<> {
    auto council = with_a_vacant_seat(charter, 1, assembly.random());
    co_await assembly.place(me, "council", std::move(council));
    const Time begun = me.now();
    const Decision decision = co_await decide(me, "council", lunch());
    expect(me.now() - begun >= 2 * charter.vote_within, "both phases were waited for");
    expect_equal(decision.winner, std::string("soup"), decision.why);
    // A member that starts during the wait takes part.
    me.spawn([](Agent& self, Assembly& where) -> Task<> {
      co_await self.pause(10ms);
      auto late = std::make_unique<Voter>(wants("soup"), where.received(), where.random());
      co_await where.place(self, peer_name(1), std::move(late));
    }(me, assembly));
    const Decision next = co_await decide(me, "council", lunch());
    const Record record = co_await record_of(me, next.id);
    expect_equal(record.polls.at(0).present, 2U, "present");
  });
}

void a_council_that_refuses_names_the_vacant_seat(Assembly& assembly) {
  assembly.run_voters({wants("soup")}, [&](Agent& me) -> Task<> {
    auto council = with_a_vacant_seat(patient(Vacant::refuse), 1, assembly.random());
    co_await assembly.place(me, "council", std::move(council));
    const Content motion = Content::of(lunch());
    const Time begun = me.now();
    const Result<Message> answer = co_await me.ask_result("council", motion);
    expect_error(answer, Errc::refused, "a seat is vacant");
    expect(answer.error().sentence().find("'peer/1'") != std::string::npos,
           answer.error().sentence());
    expect_at_once(assembly, begun, me.now());
    auto late = std::make_unique<Voter>(wants("soup"), assembly.received(), assembly.random());
    co_await assembly.place(me, peer_name(1), std::move(late));
    const Decision decision = co_await decide(me, "council", lunch());
    expect_equal(decision.winner, std::string("soup"), decision.why);
  });
}

[[maybe_unused]] const bool registered_vacancies =
    on_every_ground("vacancies", {GROUND_CASE(a_vacant_seat_is_absent_and_nobody_waits_for_it),
                                  GROUND_CASE(a_member_that_ends_in_a_phase_is_not_waited_for),
                                  GROUND_CASE(who_comes_back_takes_part_again),
                                  GROUND_CASE(a_council_that_waits_gives_a_vacant_seat_its_time),
                                  GROUND_CASE(a_council_that_refuses_names_the_vacant_seat)});

}  // namespace

}  // namespace coracle::caf::test
