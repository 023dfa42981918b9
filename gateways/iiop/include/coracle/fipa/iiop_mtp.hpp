// Letters by IIOP (FIPA00075), on omniORB. A platform is an object of the type FIPA::MTS; its
// address is an object reference, "IOR:...", or "corbaloc::host:port/key".
// Tests: gateways/iiop/tests/transport_test.cpp, and the scenes of tests/interop.
#pragma once

#include "coracle/fipa/mtp.hpp"

#include "coracle/acl/limits.hpp"
#include "coracle/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coracle::fipa {

// The limits of the transport. A letter or connection beyond one is refused; others go on.
struct IiopLimits {
  // Connections in all, and from one host; each has a thread.
  std::size_t connections = 256;
  std::size_t connections_per_host = 64;
  // The bytes of all letters that are coming.
  std::size_t buffered_bytes = std::size_t{256} << 20;
  // The threads that send letters, each to one platform at a time; and the letters that wait for
  // them.
  std::size_t senders = 16;
  std::size_t waiting = 10'000;
  // The platforms whose connections are kept.
  std::size_t platforms = 1'000;
  // The time for connecting; for a platform's answer to a letter; for all bytes of a letter that
  // comes; and the time for which a connection is kept without a letter.
  Duration connect_time = std::chrono::seconds(5);
  Duration answer_time = std::chrono::seconds(30);
  Duration receive_time = std::chrono::seconds(30);
  Duration idle_time = std::chrono::seconds(60);
};

// The options of the transport.
struct IiopMtpOptions {
  // The form of the own address: an object reference, or a corbaloc as JADE writes it.
  enum class Form : std::uint8_t { ior, corbaloc };

  // Host and port; port 0 is any free one.
  std::string endpoint = "127.0.0.1:0";
  // True permits an endpoint beyond this host. IIOP has no encryption: others can read and change
  // what is sent.
  bool insecure = false;
  Form form = Form::ior;
  // The host, or host and port, that others are told; empty: those of the endpoint.
  std::string advertised = {};
  // The name of the object within this process: the key in its address.
  std::string key = "acc";
  // The places to which letters may be sent, "10.0.0.*:2809"; `*` stands for anything without a
  // slash. Empty: all. Nothing is ever sent to the own endpoint.
  std::vector<std::string> partners = {};
  // A letter is a call without an answer in the interface. Nevertheless, an object request broker
  // answers if the call asks for it, and only so a sender learns that its letter has arrived. False
  // is for partners that do not answer.
  bool awaits_answer = true;
  // The limits of letters that come and go.
  acl::Limits letters = {};
  IiopLimits limits = {};
};

// Makes the transport. It calls omniORB on threads of its own only. A process has one object
// request broker: this fails with Errc::limit_reached as long as another transport by IIOP in this
// process has not ended, with Errc::bad_endpoint, with Errc::bad_options, and with
// Errc::not_permitted if other hosts could connect. begin() fails with Errc::cannot_listen. send()
// fails with Errc::bad_endpoint (an address that is not understood, or needs a naming service),
// Errc::not_permitted (not a partner), Errc::unreachable, Errc::expired, Errc::disconnected,
// Errc::refused (by the other platform), Errc::bad_encoding, Errc::too_large, Errc::limit_reached
// and Errc::stopped.
std::shared_ptr<Mtp> iiop_mtp(IiopMtpOptions options = {});

}  // namespace coracle::fipa
