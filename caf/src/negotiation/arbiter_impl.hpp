// The state of an arbiter, which its files share.
#pragma once

#include "common/attendance.hpp"

#include "coracle/caf/arbiter.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf {

class Arbiter::Impl final : public Contractor::Part {
 public:
  Impl(Arbiter& self, std::shared_ptr<const Game> game, std::string state, ArbiterOptions options,
       Random& random)
      : self_(self),
        game_(std::move(game)),
        options_(std::move(options)),
        random_(random),
        state_(std::move(state)),
        plans_(self),
        attendance_(self, [this](const Ending& ending) { on_ending(ending); }) {}

  // --- Part ---
  bool take(Message& message, const Content& content, Task<>& rest) override;
  Kind kind_of(std::string_view type) const noexcept override {
    const bool is_ours = is_type_of<PlanCritique, PlanAnswer, PlanRequest, PlanGo>(type);
    return is_ours ? Kind::urgent : Kind::foreign;
  }
  Time due() const noexcept override;
  Task<> on_time() override;

  const Game& game() const noexcept { return *game_; }
  const std::string& state() const noexcept { return state_; }
  std::int64_t cost() const noexcept { return cost_; }

 private:
  // The activities of an arbiter.
  enum class Doing : std::uint8_t {
    nothing,      // until a request comes or changes
    gathering,    // the first requests have come
    negotiating,  // see Negotiation::stage()
    waiting,      // for its clients to send a go
    executing,
  };
  struct Client {
    PlanRequest request;
    Address address;
  };

  Task<> on_request(const Message& message, const PlanRequest& request);
  Task<> on_go(const Message& message, const PlanGo& go);
  template <class Said>
  Task<> hear(const Message& message, const Said& said, std::string_view what);
  std::string fault_of_request(const Name& who, const PlanRequest& request) const;
  Task<> object(Address whom, NegotiationId negotiation, std::uint32_t epoch, std::string what,
                std::string reason);
  Task<> changed();
  Task<> start(std::vector<std::string> rest);
  Beginning beginning(std::vector<std::string> rest);
  Task<> advance();
  void conclude();
  // Spawns a task, so that the handler begins after the present event has been handled.
  void run_in_turn(Task<> handler) { self_.spawn(begin_in_turn(std::move(handler))); }
  Task<> begin_in_turn(Task<> handler);
  Task<> prepare(std::shared_ptr<Negotiation> one);
  Task<> execute(std::shared_ptr<Negotiation> one);
  Task<bool> carry_out(std::shared_ptr<Negotiation> one, const std::string& move);
  Task<> reopen();
  Task<> stop(std::string why);
  Task<> tell_all(Content content);
  bool is_gone(const Name& who) const;
  void on_ending(const Ending& ending);
  void give_up_gone();
  void expect(Time when) {
    due_ = when;
    self_.hurry();
  }

  Arbiter& self_;
  std::shared_ptr<const Game> game_;
  ArbiterOptions options_;
  Random& random_;
  std::string state_;
  std::int64_t cost_ = 0;
  std::map<Name, Client> requests_;
  Doing doing_ = Doing::nothing;
  bool has_changed_ = false;  // true if a request has changed since the present negotiation began
  NegotiationId id_ = 0;
  std::uint32_t epoch_ = 0;
  std::shared_ptr<Negotiation> now_;                  // the present negotiation, or the last one
  std::vector<Name> names_;                           // the names of its clients
  std::vector<Address> addresses_;                    // the addresses of its clients
  std::size_t moves_done_ = 0;                        // the number of moves of its plan that are
                                                      // over
  std::map<Name, Worth> notes_;                       // each client's worth of the present state of
                                                      // the plan
  std::pair<std::uint32_t, std::uint32_t> prepares_;  // the epoch and the offer that prepare() was
                                                      // called for
  std::set<Name> goes_missing_;                       // the clients that have not sent a go
  Time due_ = Time::max();                            // while gathering or waiting
  Handlers plans_;                                    // all handlers of prepare(), release(),
                                                      // begin() and perform()
  Attendance attendance_;                             // of the clients that have sent a request
  std::set<Name> gone_;                               // the clients among these that have ended
};

}  // namespace coracle::caf
