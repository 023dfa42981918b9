#include "custodian.hpp"

#include <future>
#include <utility>

namespace coracle::society {

namespace {

template <class What>
void aside(What what) {
  std::async(std::launch::async, std::move(what)).get();
}

}  // namespace

Custodian::Custodian(Realization realization, const KeptLimits& limits, std::string identity) {
  NodeOptions options;
  options.identity = std::move(identity);
  options.absent_limit = limits.for_name;
  options.content_limit = limits.content;
  options.spin = Duration::zero();
  aside([&] { node_ = std::make_unique<Node>(std::move(realization), std::move(options)); });
}

Custodian::~Custodian() {
  aside([this] { node_.reset(); });
}

}  // namespace coracle::society
