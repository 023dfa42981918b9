#include "message_store_node.hpp"

#include <future>
#include <utility>

namespace coracle::society {

namespace {

template <class What>
void aside(What what) {
  std::async(std::launch::async, std::move(what)).get();
}

}  // namespace

void check(const KeptLimits& limits, const std::string& options) {
  if (limits.for_name == 0)
    throw Error(Errc::bad_options, options + "::kept_for_name is 0; give at least 1");
  if (limits.content == 0 || limits.content > max_content_bytes)
    throw Error(Errc::bad_options, options + "::content_limit is " +
                                       std::to_string(limits.content) + "; give 1 to " +
                                       std::to_string(max_content_bytes));
}

MessageStoreNode::MessageStoreNode(Realization realization, const KeptLimits& limits,
                                   std::string identity) {
  NodeOptions options;
  options.identity = std::move(identity);
  options.absent_limit = limits.for_name;
  options.content_limit = limits.content;
  options.spin = Duration::zero();
  aside([&] { node_ = std::make_unique<Node>(std::move(realization), std::move(options)); });
}

MessageStoreNode::~MessageStoreNode() {
  aside([this] { node_.reset(); });
}

}  // namespace coracle::society
