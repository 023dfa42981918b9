// The checkpoint and the authority against an oracle: requests drawn at random, of all kinds of
// frames, whole and in pieces, must get the same decisions. CORACLE_SEEDS is the number of
// policies.
#include "oracle.hpp"

#include "coracle/grants.hpp"
#include "member.hpp"
#include "random_policy.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/src/society/policy/authority.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <string>
#include <vector>

namespace coracle::trust {

namespace {

using namespace detail;
using society::Authority;
using society::Checkpoint;
using Ruling = Checkpoint::Ruling;

constexpr LeaseId members = 4;  // leases are counted from 1; the last is the server's own
constexpr unsigned questions = 50;

// One policy, its members, and the decisions of both sides about them.
class Trial {
 public:
  explicit Trial(std::uint64_t seed)
      : random_(seed),
        policy_(draw_.policy()),
        oracle_(policy_),
        authority_(policy(), [](const std::string&) {}) {
    for (LeaseId lease = 1; lease <= members; ++lease) join(lease);
    for (unsigned name = 0; name < 6; ++name) claim();
  }

  // Makes one request; returns the difference between the two decisions.
  std::string ask() {
    const LeaseId from = 1 + draw_.below(members), to = 1 + draw_.below(members);
    switch (draw_.below(10)) {
      case 0:
        return claim();
      case 1:
        return ask_to_join(from);
      case 2:
        return ask_for_tap(from, to);
      case 3:
        return ask_to_look(from, to);
      case 4:
        return ask_to_keep(from, to);
      case 5:
        return ask_for_copy(from, to);
      case 6:
        return ask_to_redirect(from, to);
      case 7:
        return ask_for_letter(from, to);
      default:
        return ask_to_send(from, to);
    }
  }

 private:
  std::shared_ptr<const Policy> policy() const { return parse_policy(policy_).value(); }
  void join(LeaseId lease) {
    Oracle::Member& member = members_[lease - 1];
    member.certificate = draw_.chance(20) ? "" : draw_.name();
    member.is_servers = lease == members;
    authority_.opened(lease, {"node", member.certificate, member.is_servers});
  }
  Oracle::Member& member(LeaseId lease) { return members_[lease - 1]; }

  std::string differ(const std::string& what, LeaseId from, bool is_expected) {
    return what + " by the node certified as '" + member(from).certificate + "' " +
           (is_expected ? "should pass" : "should be refused") + " under the policy\n" + policy_;
  }
  // A name that has a holder, or any name.
  std::string name() {
    if (names_.empty() || draw_.chance(30)) return draw_.name();
    return draw_.of(names_);
  }

  std::string claim() {
    const LeaseId lease = 1 + draw_.below(members);
    const std::string name = draw_.name();
    const bool may = oracle_.may_register(member(lease), name);
    if (may == authority_.against_claim(lease, Name(name)).has_value())
      return differ("to register '" + name + "'", lease, may);
    if (!may) return {};
    authority_.claimed(lease, Name(name));
    member(lease).registered.insert(name);
    oracle_.registered(name);
    names_.push_back(name);
    return {};
  }
  std::string ask_to_join(LeaseId from) {
    const std::string agent = name(), group = draw_.name();
    const bool may = oracle_.may_join(member(from), agent, group);
    const bool does = !authority_.against_join(from, Name(agent), Name(group));
    return may == does ? "" : differ("that '" + agent + "' join '" + group + "'", from, may);
  }

  // Rules on a frame, which sometimes goes in pieces.
  Ruling rule(LeaseId from, LeaseId to, const Bytes& frame) {
    if (draw_.chance(70)) return checkpoint_.rule({from, to}, frame);
    const auto place = static_cast<std::byte>(to % society::piece_places);
    Bytes piece = {society::first_piece, place};
    FrameWriter out(piece);
    out.number(frame.size());
    out.number(frame.size() + 10);
    piece.insert(piece.end(), frame.begin(), frame.end());
    const Ruling ruling = checkpoint_.rule({from, to}, piece);
    Bytes more(12, society::next_piece);
    more[1] = place;
    const Ruling next = checkpoint_.rule({from, to}, more);
    const bool passes = ruling == Ruling::passes;
    return next == (passes ? Ruling::passes : Ruling::dropped) ? ruling : Ruling::nonsense;
  }
  std::string compare(const std::string& what, LeaseId from, LeaseId to, const Bytes& frame,
                      bool may, Ruling refused = Ruling::replaced) {
    const Ruling ruling = rule(from, to, frame);
    return ruling == (may ? Ruling::passes : refused) ? "" : differ(what, from, may);
  }

  std::string ask_to_send(LeaseId from, LeaseId to) {
    static constexpr FrameKind kinds[] = {message_frame, message_frame, slot_request_frame,
                                          store_message_frame, hand_over_frame};
    static constexpr std::uint64_t flags[] = {0, request_flag, reply_flag,
                                              reply_flag | failure_flag, redelivered_flag};
    const MessageFields fields{.target = name(),
                               .source = draw_.chance(10) ? "" : name(),
                               .flags = draw_.of(flags),
                               .tracked = draw_.chance(50),
                               .has_fields = draw_.chance(50)};
    const bool may = oracle_.may_send(member(from), fields.source, fields.target);
    return compare("a message of '" + fields.source + "' to '" + fields.target + "'", from, to,
                   message(fields, draw_.of(kinds)), may);
  }
  std::string ask_for_copy(LeaseId from, LeaseId to) {
    const MessageFields fields{.target = name(),
                               .source = name(),
                               .flags = copy_flag,
                               .has_fields = true,
                               .addressed = name(),
                               .tap = 1};
    const bool may = oracle_.may_copy(member(from), fields.target, fields.source, fields.addressed);
    return compare("a copy for '" + fields.target + "' of '" + fields.source + "' to '" +
                       fields.addressed + "'",
                   from, to, message(fields), may);
  }
  std::string ask_to_redirect(LeaseId from, LeaseId to) {
    const MessageFields fields{.target = name(),
                               .source = name(),
                               .has_fields = true,
                               .redirects = 1 + draw_.below(3),
                               .redirected_by = draw_.chance(10) ? "" : name()};
    const bool may =
        oracle_.may_redirect(member(from), fields.redirected_by, fields.source, fields.target);
    return compare("what '" + fields.redirected_by + "' redirects to '" + fields.target + "' of '" +
                       fields.source + "'",
                   from, to, message(fields), may);
  }
  // A dead letter, which a node may send for its own agents in their name, to the dead letters
  // alone.
  std::string ask_for_letter(LeaseId from, LeaseId to) {
    const bool is_to_dead = draw_.chance(70);
    const MessageFields fields{.target = is_to_dead ? "dead-letters" : name(),
                               .source = draw_.chance(20) ? "" : name(),
                               .flags = letter_flag,
                               .has_fields = true};
    const bool may =
        is_to_dead && (fields.source.empty() || oracle_.may_speak_as(member(from), fields.source));
    return compare("a dead letter of '" + fields.source + "' to '" + fields.target + "'", from, to,
                   message(fields), may);
  }
  std::string ask_for_tap(LeaseId from, LeaseId to) {
    const std::string eavesdropper = name();
    const bool is_of_role = draw_.chance(30);
    const bool may = is_of_role ? oracle_.may_speak_as(member(from), eavesdropper)
                                : oracle_.may_listen(member(from), eavesdropper);
    return compare("a tap of '" + eavesdropper + "'", from, to,
                   tap(1, 2, eavesdropper, {}, {}, is_of_role ? "observe" : ""), may);
  }
  std::string ask_to_look(LeaseId from, LeaseId to) {
    const std::string at = name();
    Frame frame(look_frame);
    frame.number(1).text(at);
    return compare("a look at '" + at + "'", from, to, frame.bytes(),
                   oracle_.may_look_at(member(from), at));
  }
  std::string ask_to_keep(LeaseId from, LeaseId to) {
    const auto keeps = static_cast<std::uint8_t>(draw_.below(3));
    Frame frame(store_state_frame);
    frame.byte(keeps);
    return compare("to be the message store", from, to, frame.bytes(),
                   keeps == 0 || oracle_.may_keep(member(from)), Ruling::dropped);
  }

  net::SeededRandom random_;
  Draw draw_{random_};
  const std::string policy_;
  Oracle oracle_;
  Authority authority_;
  Checkpoint checkpoint_{authority_};
  Oracle::Member members_[members];
  std::vector<std::string> names_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(oracle)

BOOST_AUTO_TEST_CASE(the_policy_decides_as_its_manual_says) {
  const std::uint64_t policies = test::seeds_to_play(1000);
  for (std::uint64_t seed = 1; seed <= policies; ++seed) {
    Trial trial(seed);
    for (unsigned question = 0; question < questions; ++question) {
      const std::string wrong = trial.ask();
      BOOST_TEST_REQUIRE(wrong == "", "seed " << seed << ": " << wrong);
    }
  }
  std::cout << policies * questions << " questions to " << policies << " policies\n";
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
