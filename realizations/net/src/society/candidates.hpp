// The places where a service may be, the best first, and a link to each that is tried. One of them
// is used, as choose() says. Everything is on the thread of the links.
#pragma once

#include "preference.hpp"
#include "realizations/net/src/link.hpp"

#include <memory>
#include <vector>

namespace coracle::society {

class Station;

class Candidates {
 public:
  class User : public net::SessionEvents {
   public:
    // Another link is used from now on, whose session is open; or, with nullptr, none. What
    // sessions tell is of the one that is used.
    virtual void on_use(net::Link* link) = 0;
    // A search begins.
    virtual void on_search() = 0;
  };

  // The references outlive it.
  Candidates(Station& station, User& user);
  ~Candidates();

  // Sets the places, the best first. One that is used, and is not among them, becomes the last.
  void set(const std::vector<net::Endpoint>& places);
  // A directory at that place can be reached now: it is dialled at once, however often that was in
  // vain before; but not more than once a second, whoever says so.
  void try_again(const net::Endpoint& place);
  // Dialling that link has failed; false when it is none of these.
  bool on_fault(const net::Link* link);
  // Whether no place is left that may yet let us in.
  bool have_all_failed() const;
  // Says farewell to all.
  void leave();
  bool is_silent() const;

 private:
  class Candidate;

  void begin_search();
  void decide();
  void use(std::size_t place);
  void look_soon();
  void drop(Candidate& candidate);

  Station& station_;
  User& user_;
  std::vector<std::unique_ptr<Candidate>> places_;
  std::vector<std::unique_ptr<Candidate>> over_;  // until their links are
  Candidate* used_ = nullptr;
  Time since_{};
  bool begun_ = false;
  bool leaving_ = false;
  std::unique_ptr<net::Alarm> look_;
};

}  // namespace coracle::society
