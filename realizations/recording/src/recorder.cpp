#include "coracle/recording/recorder.hpp"

#include "tape.hpp"
#include "world_notes.hpp"

namespace coracle::recording {

namespace {

class RecordedChooser final : public sim::Chooser {
 public:
  RecordedChooser(std::unique_ptr<sim::Chooser> next, std::shared_ptr<Tape> tape)
      : next_(std::move(next)), tape_(std::move(tape)) {}

  std::size_t choose(Choice what, std::size_t count) noexcept override {
    const std::size_t taken = next_->choose(what, count);
    tape_->choose({what, static_cast<std::uint32_t>(taken), static_cast<std::uint32_t>(count)});
    return taken;
  }

 private:
  const std::unique_ptr<sim::Chooser> next_;
  const std::shared_ptr<Tape> tape_;
};

Realization observed(Realization parts, const std::shared_ptr<Tape>& tape, bool only_marked) {
  parts.observer = transcriber(tape, tape->next_node(), only_marked);
  return parts;
}

}  // namespace

Recorder::Recorder(const std::string& file, RecorderOptions options)
    : only_marked_(options.only_marked), tape_(std::make_shared<Tape>(file, std::move(options))) {}

Recorder::~Recorder() = default;

Realization Recorder::record(Realization parts) {
  tape_->note({{"realization", parts.name}});
  return observed(std::move(parts), tape_, only_marked_);
}

sim::World Recorder::world(sim::Options options) {
  auto chooser = sim::seeded(options.seed);
  return world(std::move(options), std::move(chooser));
}

sim::World Recorder::world(sim::Options options, std::unique_ptr<sim::Chooser> chooser) {
  tape_->note(notes_of(options));
  options.adapt = [tape = tape_, only_marked = only_marked_,
                   adapt = std::move(options.adapt)](Realization parts) {
    if (adapt) parts = adapt(std::move(parts));
    return observed(std::move(parts), tape, only_marked);
  };
  return sim::World(std::move(options),
                    std::make_unique<RecordedChooser>(std::move(chooser), tape_));
}

void Recorder::close() {
  if (const auto error = tape_->close()) throw *error;
}

std::string Recorder::failure() const { return tape_->failure(); }

}  // namespace coracle::recording
