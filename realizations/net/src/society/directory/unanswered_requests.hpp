// The requests of a node that the directory service has not answered. They are sent in the order
// in which they were made, and sent anew when another service is used.
#pragma once

#include "directory_call.hpp"
#include "service_channel.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace coracle::society {

class NodeConnectivity;

// `net` in a comment means: on the thread of the links.
class UnansweredRequests {
 public:
  using CallPtr = std::shared_ptr<DirectoryCall>;

  // The references outlive this object.
  UnansweredRequests(NodeConnectivity& connectivity, ServiceChannel& channel)
      : connectivity_(connectivity), channel_(channel) {}

  // Sends the request, and waits for its answer. Called by workers.
  Task<Answer> answer_to(CallPtr call);
  // net: an answer has come. Malformed input leaves `in` not ok().
  void receive_answer(FrameReader& in);
  // net: sends all requests to a service that has received none of them.
  void send_anew();
  // net: that is the reason why answers may not come.
  void note_fault(const std::string& fault);
  // net: answers all requests.
  void refuse_all(const Error& why);
  // net: returns the node's lease, 0 if it has none; once.
  LeaseId take_own_lease() noexcept { return std::exchange(own_lease_, 0); }

 private:
  void submit(CallPtr call);
  void submit_held();
  std::vector<CallPtr> take_all();
  void give_back(const DirectoryCall& call, const Answer& answer);

  NodeConnectivity& connectivity_;
  ServiceChannel& channel_;
  std::map<std::uint64_t, CallPtr> calls_;  // by number; nullptr: nobody waits for the answer
  std::deque<CallPtr> held_;       // calls that wait for answers to other changes of groups
  std::size_t group_changes_ = 0;  // the number of unanswered changes of groups
  std::uint64_t last_number_ = 0;
  LeaseId own_lease_ = 0;
};

}  // namespace coracle::society
