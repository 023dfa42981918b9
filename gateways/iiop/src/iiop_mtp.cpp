#include "coracle/fipa/iiop_mtp.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/url.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/loopback.hpp"
#include "coracle/support/quote.hpp"
#include "errands.hpp"
#include "incoming.hpp"
#include "letter_stream.hpp"
#include "orb.hpp"
#include "outgoing.hpp"
#include "servant.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace coracle::fipa {

namespace {

// Where the transport listens, and what others are told.
struct Places {
  http::Authority own, told;
};

bool is_any(const std::string& host) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_unspecified();
}

http::Authority authority_in(const std::string& text) {
  const bool any_port = text.ends_with(":0");
  http::Authority found =
      http::parse_authority(any_port ? text.substr(0, text.size() - 2) : text).value();
  if (any_port) found.port = 0;
  return found;
}

Places places_of(const IiopMtpOptions& options) {
  Places places;
  places.own = authority_in(options.endpoint);
  places.told = options.advertised.empty() ? places.own : authority_in(options.advertised);
  const bool stays_here = detail::is_this_host(places.own.host);
  if (!stays_here && !options.insecure)
    throw Error(Errc::not_permitted,
                "a transport by IIOP at " + detail::quoted(options.endpoint) +
                    " can be reached from other hosts, where others can read and change what is "
                    "sent; listen at 127.0.0.1, or set insecure");
  if (is_any(places.told.host))
    throw Error(Errc::bad_options, "nobody can connect to " + detail::quoted(places.told.host) +
                                       "; state the host that others are told");
  if (options.key.empty() || options.key.size() > IiopAddress::max_key ||
      options.key.find('\0') != std::string::npos)
    throw Error(Errc::bad_options, "the key of the object is empty, too long, or has a zero");
  return places;
}

class IiopMtp final : public Mtp {
 public:
  explicit IiopMtp(IiopMtpOptions options)
      : options_(std::move(options)), places_(places_of(options_)), client_(made()) {}
  ~IiopMtp() override { end(); }

  std::string_view name() const override { return "fipa.mts.mtp.iiop.std"; }
  std::vector<std::string> addresses() const override {
    const std::lock_guard lock(mutex_);
    return address_.empty() ? std::vector<std::string>() : std::vector{address_};
  }
  bool serves(std::string_view address) const override { return is_iiop_address(address); }

  void begin(Port& port, Receiver receive) override {
    const std::lock_guard beginning(changing_);
    const std::lock_guard lock(mutex_);
    if (!client_) client_ = made();
    const auto shared = std::make_shared<const Receiver>(std::move(receive));
    client_->servant.reset(new Servant(
        options_, [this, &port, shared](Letter letter) { take(port, shared, std::move(letter)); }));
    IiopAddress address;
    try {
      address = client_->orb.serve(*client_->servant, options_.key);
    } catch (const Error&) {
      client_.reset();
      throw;
    }
    own_ = {place_of(places_.own.host, address.port), place_of(address.host, address.port)};
    address.host = places_.told.host;
    if (places_.told.port.value_or(0) != 0) address.port = *places_.told.port;
    own_.push_back(place_of(address.host, address.port));
    address_ = options_.form == IiopMtpOptions::Form::ior ? ior_of(address) : corbaloc_of(address);
  }

  void end() noexcept override {
    const std::lock_guard ending(changing_);
    std::unique_ptr<Client> client;
    {
      const std::lock_guard lock(mutex_);
      client = std::move(client_);
      address_.clear();
      own_.clear();
    }
    // Without the mutex: this waits for letters that are coming, and agents send meanwhile.
    if (client) client->errands.stop();
  }

  Task<> send(std::string address, std::shared_ptr<const Letter> letter) override {
    const IiopAddress to = parse_iiop_address(address).value();
    const std::string place = place_of(to.host, to.port);
    check_partner(place);
    check_letter(*letter, options_.letters);
    const std::shared_ptr<Outgoing> outgoing = post(to, place, std::move(letter));
    auto waiting = outgoing->arrival();
    co_await waiting;
    if (outgoing->failure()) throw Error(*outgoing->failure());
  }

 private:
  struct Uncounted {
    void operator()(Servant* servant) const { servant->_remove_ref(); }
  };
  // The broker, and what needs it.
  struct Client {
    Client(const IiopMtpOptions& options, const http::Authority& at)
        : orb(options, at.host, at.port.value_or(0)),
          errands(options.limits.senders, options.limits.waiting, &Orb::around) {}
    std::unique_ptr<Servant, Uncounted> servant;
    Orb orb;
    Errands errands;
  };

  std::unique_ptr<Client> made() const { return std::make_unique<Client>(options_, places_.own); }

  void check_partner(const std::string& place) const {
    const std::lock_guard lock(mutex_);
    if (std::find(own_.begin(), own_.end(), place) != own_.end())
      throw Error(Errc::not_permitted,
                  "the address is that of this gateway, which sends itself no letters");
    const auto& partners = options_.partners;
    const auto fits = [&](const std::string& each) { return detail::fits(each, place); };
    if (!partners.empty() && std::none_of(partners.begin(), partners.end(), fits))
      throw Error(Errc::not_permitted,
                  "letters by IIOP are not sent to " + place + ", which is none of the partners");
  }

  std::shared_ptr<Outgoing> post(const IiopAddress& to, const std::string& place,
                                 std::shared_ptr<const Letter> letter) {
    const std::lock_guard lock(mutex_);
    if (!client_) throw Error(Errc::stopped, "the transport has ended; plug it in again");
    auto outgoing =
        std::make_shared<Outgoing>(client_->orb, to, std::move(letter), options_.awaits_answer);
    client_->errands.add(place, outgoing);
    return outgoing;
  }

  void take(Port& port, const std::shared_ptr<const Receiver>& receive, Letter letter) const {
    const auto incoming = std::make_shared<Incoming>(receive, std::move(letter));
    detail::FromOutside::begin(port, incoming);
    if (!incoming->wait(options_.limits.answer_time))
      throw Error(Errc::expired, "the gateway has not taken it in time");
  }

  const IiopMtpOptions options_;
  const Places places_;
  std::mutex changing_;       // one thread at a time begins or ends
  mutable std::mutex mutex_;  // guards the members below
  std::unique_ptr<Client> client_;
  std::string address_;
  std::vector<std::string> own_;  // the places that mean this transport
};

}  // namespace

std::shared_ptr<Mtp> iiop_mtp(IiopMtpOptions options) {
  return std::make_shared<IiopMtp>(std::move(options));
}

}  // namespace coracle::fipa
