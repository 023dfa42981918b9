// A platform of FIPA that obeys commands: --platform NAME [--port PORT] [--mtp MTP]. It reads one
// JSON object per line and prints one per line, in the language that ../README.md describes. It
// ends with its input.
#include "contracting.hpp"
#include "crowd.hpp"
#include "output.hpp"
#include "player_agent.hpp"

#include "coracle/coracle.hpp"
#include "coracle/fipa/gateway.hpp"
#include "coracle/fipa/http_mtp.hpp"
#ifdef CORACLE_HAS_IIOP
#include "coracle/fipa/iiop_mtp.hpp"
#endif
#include "coracle/realizations/open.hpp"
#include "coracle/support/calendar.hpp"
#include "coracle/version.hpp"

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::player {

namespace {

struct Options {
  std::string platform;
  std::string port = "0";
  std::string mtp = "http";
  std::string form = "string";
};

acl::Representation form_named(const std::string& name) {
  if (name == "string") return acl::Representation::string;
  if (name == "bit-efficient") return acl::Representation::bit_efficient;
  if (name == "xml") return acl::Representation::xml;
  throw Error(Errc::bad_options, "there is no form " + name + " of messages");
}

fipa::GatewayOptions gateway_options(const Options& chosen) {
  fipa::GatewayOptions options;
  options.platform = chosen.platform;
  options.form = form_named(chosen.form);
  options.exposed = {"*"};
  options.facilitator.lease = std::chrono::years(100);  // a scene has an entry until 2099
  return options;
}

class Player {
 public:
  explicit Player(const Options& options)
      : platform_(options.platform),
        node_(open("local:")),
        gateway_(node_, gateway_options(options)),
        console_(node_, console_name) {
    loop_.start();
    plug(options.mtp, "127.0.0.1:" + options.port);
    calendar_.zero = detail::calendar_now() - std::chrono::duration_cast<std::chrono::milliseconds>(
                                                  steady_clock().now().time_since_epoch());
  }

  void announce() const {
    print({{"event", "ready"},
           {"player", "coracle"},
           {"platform", platform_},
           {"address", gateway_.addresses().at(0)},
           {"ams", to_json(gateway_.id_of("ams"))},
           {"df", to_json(gateway_.id_of("df"))},
           {"charset", "UTF-8"},
           {"offers", {"contracts"}}});
  }

  void obey(const std::string& line) {
    const json::value value = json::parse(line);
    const json::object& command = value.as_object();
    const std::int64_t id = command.at("id").as_int64();
    try {
      obey(id, text_in(command, "do"), command, line);
    } catch (const std::exception& problem) {
      print_refusal(id, problem.what());
    }
  }

 private:
  void plug(const std::string& name, const std::string& endpoint) {
    if (name == "http") {
      fipa::HttpMtpOptions mtp;
      mtp.server.endpoint = endpoint;
      return gateway_.plug(fipa::http_mtp(loop_, std::move(mtp)));
    }
#ifdef CORACLE_HAS_IIOP
    using Form = fipa::IiopMtpOptions::Form;
    fipa::IiopMtpOptions mtp;
    mtp.endpoint = endpoint;
    mtp.form = name == "corbaloc" ? Form::corbaloc : Form::ior;
    if (name == "iiop" || name == "corbaloc") return gateway_.plug(fipa::iiop_mtp(std::move(mtp)));
#endif
    throw Error(Errc::bad_options, "there is no transport " + name + " here");
  }

  void obey(std::int64_t id, std::string_view verb, const json::object& command,
            const std::string& line) {
    if (verb == "crowd") return begin_crowd(node_, command);
    if (verb == "df-federate" || verb == "df-leave") {
      const acl::AgentId df = agent_id_from(object_in(command, "df"));
      if (verb == "df-federate") gateway_.join(df);
      else gateway_.leave(df);
      return print_answer(id, {});
    }
    const std::string agent = text_in(command, "agent");
    if (verb == "agent") {
      const acl::AgentId self = gateway_.id_of(agent);
      if (make_contracting(node_, platform_, command)) {
        if (text_in(command, "plays") == "contractor") contractors_.insert(agent);
        return print_answer(id, {{"aid", to_json(self)}});
      }
      Place place{agent, self, gateway_.id_of("df"), gateway_.id_of("ams")};
      node_.adopt(AgentSpec(agent), std::make_unique<PlayerAgent>(command, place, calendar_));
      return print_answer(id, {{"aid", to_json(self)}});
    }
    // A contractor lives as long as the node.
    if (verb == "end" && contractors_.contains(agent)) return print_answer(id, {});
    console_.send(agent, Content(line));
  }

  const std::string platform_;
  http::Loop loop_;
  Node node_;
  fipa::Gateway gateway_;
  Port console_;
  acl::Calendar calendar_;
  std::set<std::string> contractors_;
};

Options options_in(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view word = words[i];
    if (word == "--platform") options.platform = words[i + 1];
    else if (word == "--port") options.port = words[i + 1];
    else if (word == "--mtp") options.mtp = words[i + 1];
    else if (word == "--form") options.form = words[i + 1];
    else throw Error(Errc::bad_options, "there is no option " + std::string(word));
  }
  return options;
}

}  // namespace

}  // namespace coracle::player

int main(int count, char** words) {
  try {
    coracle::player::Player player(coracle::player::options_in(count, words));
    player.announce();
    for (std::string line; std::getline(std::cin, line);) player.obey(line);
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    return 1;
  }
}
