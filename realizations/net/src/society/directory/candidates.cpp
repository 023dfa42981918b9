#include "candidates.hpp"

#include "realizations/net/src/society/home/connectivity.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

constexpr Duration try_pause = std::chrono::seconds(1);

}  // namespace

class Candidates::Candidate final : public net::SessionEvents {
 public:
  Candidate(Candidates& home, net::Endpoint where) : place(std::move(where)), home_(home) {}

  void on_arrived(const net::Arrived& message) override {
    if (is_used()) home_.user_.on_arrived(message);
  }
  void on_credit() override {
    if (is_used()) home_.user_.on_credit();
  }
  void on_open(net::Opening how) override {
    change(true);
    standing.has_failed = false;
    if (is_used()) home_.user_.on_open(how);
  }
  void on_lost(const net::Closing& why) override {
    change(false);
    if (is_used()) home_.user_.on_lost(why);
  }
  void on_restarted() override {
    if (is_used()) home_.user_.on_restarted();
  }
  void on_suspected() override {}
  void on_trusted() override {}
  // No grace period applies.
  void on_gone(const net::Closing& why) override {
    change(false);
    standing.since -= silence;
    if (is_used()) home_.user_.on_gone(why);
  }

  const net::Endpoint place;
  net::Link* link = nullptr;
  Standing standing;
  Time tried_again{};

 private:
  bool is_used() const { return home_.used_ == this; }
  void change(bool is_open) {
    standing.is_open = is_open;
    standing.since = home_.connectivity_.clock().now();
    home_.look_soon();
  }

  Candidates& home_;
};

Candidates::Candidates(NodeConnectivity& connectivity, User& user)
    : connectivity_(connectivity),
      user_(user),
      look_(connectivity.alarms().make([this] { decide(); })) {}

Candidates::~Candidates() = default;

void Candidates::set(const std::vector<net::Endpoint>& places) {
  std::vector<std::unique_ptr<Candidate>> before = std::exchange(places_, {});
  for (const net::Endpoint& place : places) {
    const auto known = std::find_if(before.begin(), before.end(), [&place](const auto& each) {
      return each != nullptr && each->place == place;
    });
    places_.push_back(known == before.end() ? std::make_unique<Candidate>(*this, place)
                                            : std::move(*known));
  }
  for (auto& each : before) {
    if (each != nullptr && (each->link != nullptr || each.get() == used_))
      (each.get() == used_ ? places_ : over_).push_back(std::move(each));
  }
  if (!std::exchange(begun_, true)) begin_search();
  look_soon();
}

void Candidates::try_again(const net::Endpoint& place) {
  const Time now = connectivity_.clock().now();
  for (const auto& each : places_) {
    if (each->place != place || each->link == nullptr || now < each->tried_again + try_pause)
      continue;
    each->tried_again = now;
    each->link->dial_anew();
  }
}

void Candidates::begin_search() {
  since_ = connectivity_.clock().now();
  for (const auto& each : places_) each->standing.has_failed = false;
  user_.on_search();
}

bool Candidates::on_fault(const net::Link* link) {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [link](const auto& each) { return each->link == link; });
  if (link == nullptr || found == places_.end()) return false;
  (*found)->standing.has_failed = true;
  look_soon();
  return true;
}

bool Candidates::have_all_failed() const {
  return std::all_of(places_.begin(), places_.end(),
                     [](const auto& each) { return each->standing.has_failed; });
}

void Candidates::leave() {
  leaving_ = true;
  look_->set(Time::max());
  for (const auto& each : places_) {
    if (each->link != nullptr) each->link->leave();
  }
}

bool Candidates::is_silent() const {
  return std::none_of(places_.begin(), places_.end(), [](const auto& each) {
    return each->link != nullptr && each->link->session().is_attached();
  });
}

// Runs later, because a session may be in the middle of an event.
void Candidates::look_soon() {
  if (!leaving_) look_->set(connectivity_.clock().now());
}

void Candidates::drop(Candidate& candidate) {
  if (net::Link* const link = std::exchange(candidate.link, nullptr))
    connectivity_.links().remove(*link);
  candidate.standing.is_open = false;
}

void Candidates::decide() {
  if (leaving_) return;
  const Time now = connectivity_.clock().now();
  if (used_ == nullptr && now >= since_ + silence) begin_search();
  std::vector<Standing> standing;
  std::size_t used = nowhere;
  for (const auto& each : places_) {
    if (each.get() == used_) used = standing.size();
    standing.push_back(each->standing);
    if (each->link != nullptr)
      standing.back().received = each->link->session().heartbeats().last_received();
  }
  const Choice chosen = choose(standing, used, since_, now);
  if (chosen.use != used) use(chosen.use);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Candidate& each = *places_[i];
    if (!chosen.dial[i]) {
      if (!chosen.may_stay) drop(each);
    } else if (each.link == nullptr) {
      each.link = &connectivity_.links().add("", {&each.place, 1}, each);
      each.link->keep();
      each.link->dial();
    }
  }
  for (const auto& each : std::exchange(over_, {})) drop(*each);
  look_->set(used_ == nullptr ? std::min(chosen.next, since_ + silence) : chosen.next);
}

void Candidates::use(std::size_t place) {
  const bool was_silent = used_ != nullptr && !used_->standing.is_open;
  if (was_silent) {
    user_.on_use(nullptr);
    drop(*used_);
  }
  used_ = place == nowhere ? nullptr : places_[place].get();
  since_ = connectivity_.clock().now();
  if (used_ == nullptr) return begin_search();
  user_.on_use(used_->link);
}

}  // namespace coracle::society
