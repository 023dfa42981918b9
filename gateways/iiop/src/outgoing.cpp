#include "outgoing.hpp"

#include "letter_stream.hpp"
#include "refusals.hpp"

#include <omniORB4/callDescriptor.h>

#include <utility>

namespace coracle::fipa {

namespace {

// The call of FIPA::MTS::message. The interface has it as a one-way call; CORBA permits to ask for
// an answer nevertheless, and then sends one, or an exception.
class Call final : public omniCallDescriptor {
 public:
  Call(const Letter& letter, bool is_oneway)
      : omniCallDescriptor(&Call::locally, "message", 8, is_oneway, nullptr, 0, false),
        letter_(letter) {}

  void marshalArguments(cdrStream& out) override { write_letter(out, letter_); }

 private:
  // The object is in this process.
  static void locally(omniCallDescriptor*, omniServant*) {
    throw CORBA::NO_PERMISSION(minor_codes + static_cast<CORBA::ULong>(Errc::not_permitted),
                               CORBA::COMPLETED_NO);
  }

  const Letter& letter_;
};

}  // namespace

Outgoing::Outgoing(Orb& orb, const IiopAddress& address, std::shared_ptr<const Letter> letter,
                   bool awaits_answer)
    : orb_(orb),
      place_(place_of(address.host, address.port)),
      reference_(ior_of(in_utf_8(address))),
      letter_(std::move(letter)),
      awaits_answer_(awaits_answer) {}

void Outgoing::call() {
  const Orb::Only only(place_);
  bool is_known = false;
  const FIPA::MTS_var object = orb_.object(reference_, is_known);
  const auto once = [&] {
    Call call(*letter_, !awaits_answer_);
    object->_PR_getobj()->_invoke(call);
  };
  try {
    once();
  } catch (const CORBA::COMM_FAILURE&) {
    if (!is_known) throw;
    once();  // a connection that was kept may have been closed
  }
}

std::unique_ptr<Error> Outgoing::run() noexcept {
  try {
    call();
  } catch (const CORBA::SystemException& exception) {
    failure_ = error_of(exception, place_);
  } catch (const CORBA::Exception& exception) {
    failure_ = Error(Errc::refused, "the platform at " + place_ +
                                        " has answered with CORBA::" + exception._name());
  } catch (const omniORB::fatalException&) {
    failure_ = Error(Errc::refused, "omniORB does not understand the platform at " + place_);
  } catch (const Error& error) {
    failure_ = error;
  }
  auto gone = failure_ && is_gone(*failure_) ? std::make_unique<Error>(*failure_) : nullptr;
  arrival_.set();
  return gone;
}

void Outgoing::fail(const Error& error) noexcept {
  failure_ = error;
  arrival_.set();
}

}  // namespace coracle::fipa
