#include "server/desk.hpp"

#include <utility>

namespace coracle::a2a {

Desk::Desk(const ServerOptions& options, Surroundings surroundings)
    : options_(options),
      surroundings_(std::move(surroundings)),
      callers_(options.callers),
      frame_{{}, options.provider, callers_.takes_api_keys(), callers_.takes_tokens()},
      roster_(web::Exposure(options.exposed, "a2a")),
      store_(options.limits) {}

}  // namespace coracle::a2a
