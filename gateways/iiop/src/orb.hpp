// The object request broker of this process, which omniORB permits once. It is made when it is
// needed, and gone with the transport.
// Tests: gateways/iiop/tests/transport_test.cpp
#pragma once

#include "address.hpp"
#include "coracle/fipa/iiop_mtp.hpp"
#include "fipa.hpp"

#include <omniORB4/CORBA.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace coracle::fipa {

class Orb {
 public:
  // Fails with Errc::limit_reached if there is one in this process. It listens, once serve() is
  // called, at that host and port.
  Orb(const IiopMtpOptions& options, const std::string& host, std::uint16_t port);
  // Waits for all calls from outside to end.
  ~Orb();
  Orb(const Orb&) = delete;
  Orb& operator=(const Orb&) = delete;

  // Begins to receive calls of the object with that key; returns its address. Fails with
  // Errc::cannot_listen.
  IiopAddress serve(PortableServer::ServantBase& servant, const std::string& key);
  // The object at an address, whose connection is kept for later calls; `is_known` says whether
  // there was one. Nothing is sent yet.
  FIPA::MTS_ptr object(const std::string& reference, bool& is_known);

  // Surrounds the work of a thread that calls objects.
  static void around(const std::function<void()>& work);

  // While it lives, this thread connects to that place only, even if an object says that it has
  // moved.
  class Only {
   public:
    explicit Only(const std::string& place);
    ~Only();
    Only(const Only&) = delete;
    Only& operator=(const Only&) = delete;

   private:
    const std::string address_;
  };

 private:
  CORBA::ORB_var orb_;
  const std::size_t most_objects_;
  std::mutex mutex_;  // guards objects_
  std::map<std::string, FIPA::MTS_var> objects_;
};

}  // namespace coracle::fipa
