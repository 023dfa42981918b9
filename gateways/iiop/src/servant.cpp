#include "servant.hpp"

#include "coracle/fipa/detail/host.hpp"
#include "coracle/support/quote.hpp"
#include "guests.hpp"
#include "letter_stream.hpp"

#include <omniORB4/callDescriptor.h>
#include <omniORB4/callHandle.h>

#include <cstring>
#include <string>
#include <utility>

namespace coracle::fipa {

// One call of the operation. It is no one-way call here, so that an answer is sent if one is
// wanted.
class Servant::Call final : public omniCallDescriptor {
 public:
  Call(Servant& servant, std::string who)
      : omniCallDescriptor(&Call::done, "message", 8, false, nullptr, 0, true),
        servant_(servant),
        share_(servant.budget_),
        who_(std::move(who)) {}

  void unmarshalArguments(cdrStream& in) override {
    refuse_if_wrong([&] { letter_ = read_letter(in, servant_.limits_, share_); });
    letter_.host = detail::host_of_peer(peer_in(who_));
  }

 private:
  static void done(omniCallDescriptor* call, omniServant*) {
    auto& self = static_cast<Call&>(*call);
    self.refuse_if_wrong([&] { self.servant_.take_(std::move(self.letter_)); });
  }

  template <class What>
  void refuse_if_wrong(const What& what) {
    try {
      what();
    } catch (const Error& error) {
      servant_.lines_.note(who_, error.sentence());
      raise(error);
    } catch (const CORBA::SystemException& exception) {
      servant_.lines_.note(who_, std::string("it is no letter (CORBA::") + exception._name() + ")");
      throw;
    }
  }

  Servant& servant_;
  Share share_;
  const std::string who_;
  Letter letter_;
};

_CORBA_Boolean Servant::_dispatch(omniCallHandle& handle) {
  if (std::strcmp(handle.operation_name(), "message") != 0) return false;
  const char* const who = handle.peeraddress();
  Call call(*this, who == nullptr ? "this process" : who);
  handle.upcall(this, call);
  return true;
}

void Servant::message(const FIPA::FipaMessage&) {
  throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO);
}

}  // namespace coracle::fipa
