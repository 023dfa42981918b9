// coracle acl send, coracle acl listen: one message to or from a platform of FIPA, without a
// society.
#include "acl/acl_json.hpp"
#include "acl/files.hpp"
#include "commands.hpp"
#include "errand.hpp"
#include "gateways/transports.hpp"

#include "coracle/coracle.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/support/calendar.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace coracle::command {

namespace {

// Waits until `count` messages have come; zero is for ever.
class Letters {
 public:
  explicit Letters(int count) : left_(count), ends_(count != 0) {}
  Task<> take(Agent& me, fipa::Letter letter) {
    print_json(json_of(fipa::message_of(letter)));
    if (ends_ && --left_ == 0) co_await me.send("listener", "over");
  }

 private:
  int left_;
  const bool ends_;
};

}  // namespace

int run_acl_send(const AclSettings& settings) {
  const acl::Message message = message_from_json(read_file(settings.file));
  if (message.receivers.empty())
    throw Error(Errc::bad_options, "the message has no receivers; name one, with its address");
  const std::string& address = settings.address.empty() && !message.receivers[0].addresses.empty()
                                   ? message.receivers[0].addresses[0]
                                   : settings.address;
  if (address.empty())
    throw Error(Errc::bad_options, "the first receiver has no address; give it, or --address");
  http::Loop loop;
  loop.start();
  Node node(open("local:"));
  Port port(node, "sender");
  const auto mtp = transport_to(loop, address);
  const auto letter = std::make_shared<const fipa::Letter>(
      fipa::letter_of(message, message.receivers, form_of(settings.codec), detail::calendar_now()));
  return port.act<int>([&](Agent&) -> Task<int> {
    Task<> sending = mtp->send(address, letter);
    co_await sending;
    co_return done;
  });
}

int run_acl_listen(const AclSettings& settings) {
  http::Loop loop;
  loop.start();
  Node node(open("local:"));
  Port listener(node, "listener"), port(node, "transport");
  TransportSettings transport;
  transport.insecure = settings.insecure;
  const auto mtp = transport_at(loop, settings.listen, transport);
  const auto letters = std::make_shared<Letters>(settings.count);
  mtp->begin(port, [letters](Agent& me, fipa::Letter letter) {
    return letters->take(me, std::move(letter));
  });
  fmt::print(stderr, "listening at {}\n", mtp->addresses().at(0));
  (void)listener.receive();
  mtp->end();
  return done;
}

}  // namespace coracle::command
