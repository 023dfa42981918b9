#include "coracle/realizations/local.hpp"

namespace coracle::local {

Realization realization(Options options) {
  Realization made;
  made.name = "local:";
  made.transport = std::make_shared<LocalTransport>();
  made.clock = options.clock;
  Clock& clock = made.clock ? *made.clock : steady_clock();
  made.directory = local_directory(clock, 1, options.directory);
  made.queue = mail_queues();
  return made;
}

}  // namespace coracle::local
