// The endpoints where a service may be, the best first, and a link to each that is tried. One of
// them is used, chosen by choose(). Everything is on the thread of the links.
#pragma once

#include "preference.hpp"
#include "realizations/net/src/link.hpp"

#include <memory>
#include <vector>

namespace coracle::society {

class NodeConnectivity;

class Candidates {
 public:
  class User : public net::SessionEvents {
   public:
    // Another link is used from now on, whose session is open; or, with nullptr, none. Other
    // session events always belong to the link that is used.
    virtual void on_use(net::Link* link) = 0;
    // A search begins.
    virtual void on_search() = 0;
  };

  // The references outlive this object.
  Candidates(NodeConnectivity& connectivity, User& user);
  ~Candidates();

  // Sets the places, the best first. A place that is used, and is not among them, becomes the last.
  void set(const std::vector<net::Endpoint>& places);
  // A directory at `place` can be reached now. It is dialled at once, however many attempts have
  // failed, but at most once a second, whatever the source of the report.
  void try_again(const net::Endpoint& place);
  // Dialling that link has failed; returns false when the link is none of these.
  bool on_fault(const net::Link* link);
  // Returns whether no place is left that may yet admit us.
  bool have_all_failed() const;
  // Sends a farewell to all.
  void leave();
  bool is_silent() const;

 private:
  class Candidate;

  void begin_search();
  void decide();
  void use(std::size_t place);
  void look_soon();
  void drop(Candidate& candidate);

  NodeConnectivity& connectivity_;
  User& user_;
  std::vector<std::unique_ptr<Candidate>> places_;
  std::vector<std::unique_ptr<Candidate>> over_;  // candidates to be dropped
  Candidate* used_ = nullptr;
  Time since_{};
  bool begun_ = false;
  bool leaving_ = false;
  std::unique_ptr<net::Alarm> look_;
};

}  // namespace coracle::society
