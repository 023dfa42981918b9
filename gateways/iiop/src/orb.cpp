#include "orb.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "guests.hpp"
#include "refusals.hpp"

#include <omniORB4/omniInterceptors.h>
#include <omnithread.h>

#include <array>
#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace coracle::fipa {

namespace {

// omniORB knows one broker in a process, and calls functions without an object. So these are the
// only variables of the library that are not in one.
std::atomic<bool> is_there{false};
std::atomic<Guests*> guests{nullptr};
thread_local const std::string* only_address = nullptr;
thread_local std::optional<std::string> guest;  // the host of the connection that a thread serves

constexpr std::size_t beside_message = std::size_t{1} << 20;  // the rest of a letter

std::string milliseconds(Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}
std::string seconds(Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

// An endpoint of omniORB has no host for all addresses of this host, and no port for a free one.
std::string endpoint_of(const std::string& host, std::uint16_t port) {
  std::string place = place_of(host == "0.0.0.0" ? "" : host, port);
  if (port == 0) place.pop_back();
  return "giop:tcp:" + place;
}

void log(const char* line) {
  std::string_view text = line;
  while (text.ends_with('\n')) text.remove_suffix(1);
  detail::log_debug(detail::LogPart::gateway, [&] { return std::string(text); });
}

// --- called by omniORB ---

CORBA::Boolean on_connection(omni::omniInterceptors::serverAcceptConnection_T::info_T& info) {
  Guests* const all = guests.load();
  if (all == nullptr || guest) return true;
  std::string host = host_in(info.peeraddress());
  if (const char* const why = all->enter(host)) {
    info.reject = true;
    info.why = why;
    detail::log_debug(detail::LogPart::gateway,
                      [&] { return "a connection by IIOP from " + host + " was refused: " + why; });
  } else {
    guest = std::move(host);
  }
  return true;
}

// Runs for as long as the connection of the thread.
void around_connection(omni::omniInterceptors::assignUpcallThread_T::info_T& info) {
  info.run();
  Guests* const all = guests.load();
  if (guest && all != nullptr) all->leave(*guest);
  guest.reset();
}

CORBA::Boolean on_rope(omni::omniInterceptors::createRope_T::info_T& info) {
  if (only_address == nullptr) return true;
  for (const omni::giopAddress* const each : info.addrlist) {
    if (*only_address != each->address())
      throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO);  // it was forwarded
  }
  return true;
}

bool has_own_broker() noexcept try {
  return omniORB::getInterceptors() != nullptr;
} catch (const CORBA::SystemException&) {
  return false;
}

class Place {
 public:
  Place() {
    if (is_there.exchange(true))
      throw Error(Errc::limit_reached,
                  "this process has a transport by IIOP already, and omniORB permits one; unplug "
                  "that one first");
    if (!has_own_broker()) return;
    is_there = false;
    throw Error(Errc::limit_reached,
                "this program uses omniORB itself, which permits one object request broker in a "
                "process; run the gateway in a process of its own");
  }
  ~Place() {
    if (!is_kept_) is_there = false;
  }
  void keep() { is_kept_ = true; }

 private:
  bool is_kept_ = false;
};

}  // namespace

Orb::Orb(const IiopMtpOptions& options, const std::string& host, std::uint16_t port)
    : most_objects_(options.limits.platforms) {
  Place place;
  const IiopLimits& limits = options.limits;
  const std::string message = std::to_string(options.letters.bytes + beside_message);
  const std::string endpoint = endpoint_of(host, port);
  const std::string connect_time = milliseconds(limits.connect_time);
  const std::string answer_time = milliseconds(limits.answer_time);
  const std::string receive_time = milliseconds(limits.receive_time);
  const std::string idle_time = seconds(limits.idle_time);
  const std::string scan = seconds(std::min<Duration>(limits.idle_time, std::chrono::seconds(5)));
  const char* settings[][2] = {
      {"endPoint", endpoint.c_str()},
      {"endPointPublish", "addr"},
      {"giopMaxMsgSize", message.c_str()},
      {"nativeCharCodeSet", "UTF-8"},
      // A thread for each connection, which does its requests in their order.
      {"threadPerConnectionPolicy", "1"},
      {"threadPerConnectionUpperLimit", "1000000"},
      {"maxServerThreadPerConnection", "1"},
      {"maxGIOPConnectionPerServer", "1"},
      {"clientTransportRule", "* tcp"},
      {"serverTransportRule", "* tcp"},
      {"acceptBiDirectionalGIOP", "0"},
      {"offerBiDirectionalGIOP", "0"},
      {"supportBootstrapAgent", "0"},
      {"verifyObjectExistsAndType", "0"},
      {"abortOnInternalError", "0"},
      {"clientConnectTimeOutPeriod", connect_time.c_str()},
      {"clientCallTimeOutPeriod", answer_time.c_str()},
      {"serverCallTimeOutPeriod", receive_time.c_str()},
      {"inConScanPeriod", idle_time.c_str()},
      {"outConScanPeriod", idle_time.c_str()},
      {"scanGranularity", scan.c_str()},
      {nullptr, nullptr}};
  omniORB::setLogFunction(log);
  // No file of settings for other programs: it could have further endpoints.
  char program[] = "coracle", option[] = "-ORBconfigFile", file[] = "/dev/null";
  char* words[] = {program, option, file, nullptr};
  int count = 3;
  try {
    orb_ = CORBA::ORB_init(count, words, "omniORB4", settings);
  } catch (const CORBA::SystemException& exception) {
    throw Error(Errc::bad_options, std::string("omniORB does not accept the options (CORBA::") +
                                       exception._name() + "); look at the limits");
  }
  guests = new Guests(limits.connections, limits.connections_per_host);
  omni::omniInterceptors& interceptors = *omniORB::getInterceptors();
  interceptors.serverAcceptConnection.add(on_connection);
  interceptors.assignUpcallThread.add(around_connection);
  interceptors.createRope.add(on_rope);
  place.keep();
}

Orb::~Orb() {
  try {
    objects_.clear();
    orb_->destroy();
  } catch (const CORBA::Exception& exception) {
    log((std::string("the end of omniORB has failed: CORBA::") + exception._name()).c_str());
  }
  delete guests.exchange(nullptr);
  is_there = false;
}

IiopAddress Orb::serve(PortableServer::ServantBase& servant, const std::string& key) {
  try {
    // The keys of this adapter are the names of its objects, so an address stays the same when the
    // process starts again.
    const CORBA::Object_var found = orb_->resolve_initial_references("omniINSPOA");
    const PortableServer::POA_var adapter = PortableServer::POA::_narrow(found);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(key.c_str());
    adapter->activate_object_with_id(id, &servant);
    const PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    const CORBA::Object_var object = adapter->id_to_reference(id);
    const CORBA::String_var text = orb_->object_to_string(object);
    return parse_iiop_address(text.in()).value();
  } catch (const CORBA::SystemException& exception) {
    throw Error(Errc::cannot_listen, std::string("cannot listen for IIOP (CORBA::") +
                                         exception._name() +
                                         "); choose another endpoint, or end the process that has "
                                         "it");
  }
}

FIPA::MTS_ptr Orb::object(const std::string& reference, bool& is_known) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(reference);
    is_known = found != objects_.end();
    if (is_known) return FIPA::MTS::_duplicate(found->second);
  }
  const CORBA::Object_var object = orb_->string_to_object(reference.c_str());
  const FIPA::MTS_var made = FIPA::MTS::_unchecked_narrow(object);
  const std::lock_guard lock(mutex_);
  if (objects_.size() >= most_objects_) objects_.clear();
  objects_[reference] = FIPA::MTS::_duplicate(made);
  return FIPA::MTS::_duplicate(made);
}

void Orb::around(const std::function<void()>& work) {
  const omni_thread::ensure_self self;  // else omniORB would make a record of it for each call
  work();
}

Orb::Only::Only(const std::string& place) : address_("giop:tcp:" + place) {
  only_address = &address_;
}
Orb::Only::~Only() { only_address = nullptr; }

}  // namespace coracle::fipa
