#include "server/desk.hpp"

#include <utility>

namespace coracle::a2a {

Desk::Desk(const ServerOptions& options, Surroundings surroundings, http::Client* client)
    : options_(options),
      surroundings_(std::move(surroundings)),
      callers_(options.callers),
      frame_{{},
             options.provider,
             callers_.takes_api_keys(),
             callers_.takes_tokens(),
             client != nullptr,
             options.limits,
             callers_.takes_certificates()},
      roster_(web::Exposure(options.exposed, "a2a")),
      store_(options.limits),
      streams_(std::make_shared<http::StreamBudget>(options.limits.stream_bytes)),
      outgoing_(options.push.value_or(web::OutgoingOptions())),
      client_(client),
      pushes_(options.limits) {}

}  // namespace coracle::a2a
