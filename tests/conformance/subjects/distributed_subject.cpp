#include "distributed_subject.hpp"

#include "coracle/realizations/distributed.hpp"

#include <memory>
#include <optional>

namespace coracle::conformance {

namespace {

class DistributedSurroundings final : public Served {
 public:
  explicit DistributedSurroundings(Way way) : way_(way) {
    distributed::DirectoryOptions options;
    options.society = "conformance";
    options.listen = {place(way)};
    options.tls = certificate(way);
    directory_.emplace(options);
  }

  Realization node() override {
    distributed::Options options;
    options.society = "conformance";
    options.folder = folder.path();
    options.directories = directory_->endpoints();
    options.tls = certificate(way_);
    options.takeover = true;
    options.shared_memory = way_ == Way::shared_memory;
    if (!is_by_unix(way_)) options.listen = {"127.0.0.1:0"};
    return distributed::realization(options);
  }

 private:
  const Way way_;
  std::optional<distributed::DirectoryServer> directory_;
};

}  // namespace

Subject distributed_subject(Way way, unsigned nodes, unsigned workers) {
  Subject subject = served_subject(
      way, nodes, workers, [](Way by) { return std::make_unique<DistributedSurroundings>(by); });
  subject.cannot.erase(Need::second_directory);
  return subject;
}

}  // namespace coracle::conformance
