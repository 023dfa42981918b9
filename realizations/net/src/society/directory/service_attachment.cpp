#include "service_attachment.hpp"

#include "realizations/net/src/society/home/advice.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"
#include "shared_replica.hpp"
#include "unanswered_requests.hpp"

namespace coracle::society {

void ServiceAttachment::on_search() { connectivity_.before_look(); }

void ServiceAttachment::on_fault(const net::Closing& why, const net::Link* link) {
  // Faults of unknown clients here are no sign of trouble with the directory.
  if (!candidates_.on_fault(link) || channel_.is_attached) return;
  requests_.note_fault(why.sentence);
  if (!is_final(why.reason) || replica_.was_complete() || !candidates_.have_all_failed()) return;
  requests_.refuse_all(Error(
      Errc::not_permitted,
      "the " + connectivity_.service() + " of the society refuses this node: " + with_advice(why)));
}

void ServiceAttachment::on_arrived(const net::Arrived& message) {
  if (!read(message)) {
    channel_.link()->session().close(net::Reason::malformed,
                                     "the directory sent a frame that cannot be understood");
    return;
  }
  channel_.release(message.bytes());
}

bool ServiceAttachment::read(const net::Arrived& message) {
  if (is_besides(message)) return events_.on_besides(message);
  const FrameChannel::Got got = channel_.take(message);
  if (got != FrameChannel::Got::frame) return got == FrameChannel::Got::part;
  FrameReader in(channel_.head());
  return read(in) && in.ok() && in.at_end();
}

bool ServiceAttachment::read(FrameReader& in) {
  const auto kind = static_cast<Announcement>(in.byte());
  if (kind == Announcement::answer) {
    requests_.receive_answer(in);
    return true;
  }
  if (kind != Announcement::older) return replica_.receive(kind, in);
  const DirectoryReport older = read_directory_report(in);
  if (!in.ok()) return false;
  connectivity_.on_older(older);
  return true;
}

void ServiceAttachment::on_credit() {
  if (channel_.on_credit()) events_.on_room();
}

void ServiceAttachment::on_open(net::Opening how) {
  if (how != net::Opening::resumed || !channel_.is_attached) attach();
}

void ServiceAttachment::on_use(net::Link* link) {
  if (link != nullptr && channel_.is_attached) {
    channel_.send_request(Request::moved, 0);  // to the service that is no longer used
    channel_.link()->flush();
  }
  channel_.is_attached = false;
  channel_.bind(link);
  if (link != nullptr) return attach();
  events_.on_service();
}

// Starts anew: unanswered requests are sent to this service. The service refuses those that need a
// lease that it does not know.
void ServiceAttachment::attach() {
  channel_.is_attached = true;
  channel_.bind(channel_.link());
  events_.on_service();
  replica_.begin_again();
  Bytes fields;
  FrameWriter(fields).number(replica_.latest_generation());
  channel_.send_request(Request::attach, 0, fields);
  replica_.follow_again();
  requests_.send_anew();
  if (const LeaseId own = requests_.take_own_lease(); own != 0) replica_.end_own(own);
}

}  // namespace coracle::society
