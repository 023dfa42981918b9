// The object that other platforms call: it reads letters, gives them to the transport, and answers
// with an exception of CORBA if that fails.
// Tests: gateways/iiop/tests/transport_test.cpp
#pragma once

#include "budget.hpp"
#include "coracle/fipa/iiop_mtp.hpp"
#include "fipa.hpp"
#include "refusals.hpp"

#include <functional>

namespace coracle::fipa {

class Servant final : public POA_FIPA::MTS {
 public:
  // Takes a letter, and returns when it has been taken. Its errors are answers.
  using Taker = std::function<void(Letter)>;

  Servant(const IiopMtpOptions& options, Taker take)
      : limits_(options.letters), budget_(options.limits.buffered_bytes), take_(std::move(take)) {}

  // Takes the place of the function that omniidl makes, since the types of omniidl have no limits.
  _CORBA_Boolean _dispatch(omniCallHandle& handle) override;
  void message(const FIPA::FipaMessage& letter) override;  // is never called

 private:
  class Call;

  const acl::Limits limits_;
  Budget budget_;
  const Taker take_;
  RefusalLines lines_;
};

}  // namespace coracle::fipa
