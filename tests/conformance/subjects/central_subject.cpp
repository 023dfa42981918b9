#include "central_subject.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace coracle::conformance {

namespace {

class CentralSurroundings final : public Served {
 public:
  CentralSurroundings(Way way, bool durable, central::Options study = {})
      : way_(way), study_(std::move(study)) {
    options_.society = "conformance";
    options_.listen = {place(way)};
    options_.tls = certificate(way);
    if (durable) options_.data = folder / "society";
    server_.emplace(options_);
  }

  void serve(bool is_to_be) override {
    if (is_to_be) server_.emplace(options_);
    else server_.reset();
  }

  Realization node() override {
    central::Options options = study_;
    options.society = "conformance";
    options.server = server_->endpoints().front();
    options.tls = certificate(way_);
    options.takeover = true;
    options.shared_memory = way_ == Way::shared_memory;
    return central::realization(options);
  }

 private:
  const Way way_;
  central::ServerOptions options_;
  const central::Options study_;
  std::optional<central::Server> server_;
};

}  // namespace

Subject central_subject(Way way, unsigned nodes, unsigned workers) {
  return served_subject(way, nodes, workers,
                        [](Way by) { return std::make_unique<CentralSurroundings>(by, false); });
}

Subject durable_central_subject(Way way, unsigned nodes, unsigned workers) {
  Subject subject = served_subject(
      way, nodes, workers, [](Way by) { return std::make_unique<CentralSurroundings>(by, true); });
  subject.name = "durable_" + subject.name;
  subject.cannot.erase(Need::storage);
  return subject;
}

Subject studied_central_subject(const std::string& name, const central::Options& study, Way way,
                                unsigned nodes, unsigned workers) {
  Subject subject = served_subject(way, nodes, workers, [study](Way by) {
    return std::make_unique<CentralSurroundings>(by, false, study);
  });
  subject.name = name + "_" + subject.name;
  return subject;
}

}  // namespace coracle::conformance
