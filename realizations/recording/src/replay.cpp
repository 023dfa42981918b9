#include "coracle/recording/replay.hpp"

#include "fork.hpp"
#include "sink.hpp"

#include "coracle/recording/recorder.hpp"

#include <algorithm>

namespace coracle::recording {

std::string Difference::to_string() const {
  return "the recording says\n  " + recorded + "\nand the replay\n  " + replayed;
}

namespace {

std::string at(Time when) {
  return " at " + std::to_string(when.time_since_epoch().count()) + " ns";
}

// Compares the lines of the replay with those of the recording, each kind in order.
class Comparison final : public Sink {
 public:
  Comparison(const Recording& recording, MessageId until) : recording_(recording), until_(until) {}

  MessageId say(Said said) noexcept override {
    said.id = ++messages_;
    if (said.id == until_) reached_ = true;
    const auto& all = recording_.messages();
    if (said.id > all.size()) {
      differ("nothing more is sent", to_string(said));
    } else if (said != all[said.id - 1]) {
      const Said& recorded = all[said.id - 1];
      differ(to_string(recorded) + at(recorded.at), to_string(said) + at(said.at));
    }
    return said.id;
  }

  void happen(Happened happened) noexcept override {
    const auto& all = recording_.events();
    const std::size_t index = events_++;
    if (index >= all.size()) {
      differ("nothing more happens", to_string(happened));
    } else if (happened != all[index]) {
      differ(to_string(all[index]) + at(all[index].at), to_string(happened) + at(happened.at));
    }
  }

  void choose(Choice what, std::size_t count, const Chosen* recorded) noexcept {
    ++choices_;
    if (recorded != nullptr && recorded->what == what && recorded->count == count) return;
    const auto shown = [](Choice kind, std::size_t of) {
      return std::string("a choice of ") + coracle::to_string(kind) + " among " +
             std::to_string(of);
    };
    differ(recorded == nullptr ? "no more choices" : shown(recorded->what, recorded->count),
           shown(what, count));
  }

  // No more lines will come: everything that is missing is a difference, too.
  void finish() {
    if (messages_ < recording_.messages().size()) {
      differ(to_string(recording_.messages()[messages_]), "nothing more is sent");
    } else if (events_ < recording_.events().size()) {
      differ(to_string(recording_.events()[events_]), "nothing more happens");
    }
  }

  // The effects of being stopped are not in the recording.
  void stop() noexcept { stopped_ = true; }
  bool reached() const noexcept { return reached_; }
  MessageId messages() const noexcept { return messages_; }
  const std::optional<Difference>& difference() const noexcept { return difference_; }

 private:
  void differ(std::string recorded, std::string replayed) {
    if (!difference_ && !stopped_)
      difference_ = Difference{std::move(recorded), std::move(replayed)};
  }

  const Recording& recording_;
  const MessageId until_;
  MessageId messages_ = 0;
  std::size_t events_ = 0;
  std::size_t choices_ = 0;
  bool reached_ = false;
  bool stopped_ = false;
  std::optional<Difference> difference_;
};

// Makes the recorded choices again.
class ReplayedChooser final : public sim::Chooser {
 public:
  ReplayedChooser(const Recording& recording, std::shared_ptr<Comparison> comparison)
      : recording_(recording), comparison_(std::move(comparison)) {}

  std::size_t choose(Choice what, std::size_t count) noexcept override {
    const auto& all = recording_.choices();
    const Chosen* const recorded = next_ < all.size() ? &all[next_++] : nullptr;
    comparison_->choose(what, count, recorded);
    return recorded == nullptr ? 0 : recorded->taken % count;
  }

 private:
  const Recording& recording_;
  const std::shared_ptr<Comparison> comparison_;
  std::size_t next_ = 0;
};

// The message's number at its sender, by which it is found again.
std::uint64_t sequence_of(const Recording& recording, MessageId id) {
  for (const Happened& happened : recording.events()) {
    if (happened.message == id && happened.what == Happening::accepted) return happened.detail;
  }
  throw Error(Errc::bad_options, "message " + std::to_string(id) +
                                     " was never accepted, so it cannot be changed; take another");
}

}  // namespace

Replay::Replay(const Recording& recording) : recording_(recording) {
  if (!recording.is_simulated()) {
    throw Error(Errc::unsupported, "the recording was made on '" + recording.realization() +
                                       "', and only a recording of the simulator can be replayed; "
                                       "replay_into() gives its inputs to agents");
  }
  if (!recording.complete()) {
    throw Error(Errc::unsupported,
                "the recording is incomplete: its recorder was not closed, or "
                "its disk failed; record it again");
  }
}

Replay& Replay::until(MessageId id, std::function<void(sim::World& world)> look) {
  recording_.message(id);
  until_ = id;
  look_ = std::move(look);
  return *this;
}

Replay& Replay::add(Change change) {
  recording_.message(change.id);
  change.sequence = sequence_of(recording_, change.id);
  changes_.push_back(std::move(change));
  return *this;
}

Replay& Replay::drop(MessageId id) { return add({Change::Kind::drop, id, 0, {}, {}}); }

Replay& Replay::delay(MessageId id, Duration longer) {
  if (longer < Duration::zero()) {
    throw Error(Errc::bad_options, "message " + std::to_string(id) +
                                       " cannot be delayed by a negative time; give 0 or more");
  }
  return add({Change::Kind::delay, id, 0, longer, {}});
}

Replay& Replay::change(MessageId id, Content content) {
  return add({Change::Kind::change, id, 0, {}, std::move(content)});
}

// One run of a Replay.
class Rerun {
 public:
  explicit Rerun(const Replay& replay)
      : replay_(replay),
        comparison_(std::make_shared<Comparison>(replay.recording_, replay.until_)),
        world_(options(), chooser()) {}
  Rerun(const Replay& replay, Recorder& recorder)
      : replay_(replay),
        comparison_(std::make_shared<Comparison>(replay.recording_, 0)),
        world_(recorder.world(options(), chooser())) {}

  Replayed run(const sim::World::Play& society) {
    try {
      society(world_);
    } catch (const std::exception& error) {
      if (!result_.stopped) result_.failure = error.what();
    }
    if (!result_.stopped) {
      comparison_->finish();
      note_where();
    }
    result_.difference = comparison_->difference();
    return std::move(result_);
  }

  sim::World& world() noexcept { return world_; }

 private:
  std::unique_ptr<sim::Chooser> chooser() const {
    return std::make_unique<ReplayedChooser>(replay_.recording_, comparison_);
  }

  sim::Options options() {
    sim::Options options = replay_.recording_.world();
    options.record = replay_.traced_;
    if (replay_.until_ != 0) options.halt = [this] { return stop_here(); };
    options.adapt = [this](Realization parts) {
      parts.observer = transcriber(comparison_, nodes_++);
      if (replay_.changes_.empty()) return parts;
      parts.transport = forked(std::move(parts.transport), message_changes(),
                               [this](Duration longer, std::function<void()> act) {
                                 world_.at(world_.now() + longer, std::move(act));
                               });
      return parts;
    };
    return options;
  }

  void note_where() {
    result_.at = world_.now();
    result_.trace = world_.trace();
    result_.trace_hash = world_.trace_hash();
    result_.messages = comparison_->messages();
  }

  bool stop_here() {
    if (result_.stopped || !comparison_->reached()) return false;
    result_.stopped = true;
    comparison_->stop();
    note_where();
    result_.waits = world_.waits();
    if (replay_.look_) replay_.look_(world_);
    return true;
  }

  std::vector<MessageChange> message_changes() const {
    std::vector<MessageChange> all;
    for (const Replay::Change& change : replay_.changes_) {
      const Said& said = replay_.recording_.message(change.id);
      MessageChange one;
      one.kind = static_cast<MessageChange::Kind>(change.kind);
      one.which = {said.source, change.sequence, said.target};
      one.longer = change.longer;
      one.content = change.content;
      all.push_back(std::move(one));
    }
    return all;
  }

  const Replay& replay_;
  const std::shared_ptr<Comparison> comparison_;
  Replayed result_;
  unsigned nodes_ = 0;
  sim::World world_;
};

namespace {

Recorder recorder_at_once(const std::string& file) {
  RecorderOptions options;
  options.at_once = true;
  return Recorder(file, std::move(options));
}

// A world that is replayed, with all that it needs.
struct Opened {
  explicit Opened(std::shared_ptr<const Recording> its) : recording(std::move(its)) {}

  const std::shared_ptr<const Recording> recording;
  Replay replay = Replay(*recording);
  std::unique_ptr<Rerun> rerun;
  std::shared_ptr<Observer> observer;
};

}  // namespace

Realization Replay::realization(std::shared_ptr<const Recording> recording,
                                const std::function<void(Replay& replay)>& choose,
                                const std::string& file) {
  const auto opened = std::make_shared<Opened>(std::move(recording));
  if (const unsigned nodes = opened->recording->world().nodes; nodes > 1) {
    throw Error(Errc::unsupported,
                "the recorded world had " + std::to_string(nodes) +
                    " hosts, and a program that opens its realization by name has one node; "
                    "run its society by play(), which replays several");
  }
  choose(opened->replay);
  if (file.empty()) {
    opened->rerun = std::make_unique<Rerun>(opened->replay);
  } else {
    Recorder recorder = recorder_at_once(file);
    opened->rerun = std::make_unique<Rerun>(opened->replay, recorder);
  }
  Realization made = opened->rerun->world().realization();
  // The node's observer keeps the world with its choices.
  opened->observer = std::exchange(made.observer, nullptr);
  Observer* const observer = opened->observer.get();
  made.observer = std::shared_ptr<Observer>(opened, observer);
  return made;
}

Replayed Replay::run(const sim::World::Play& society) const { return Rerun(*this).run(society); }

Replayed Replay::run(const sim::World::Play& society, const std::string& file) const {
  Recorder recorder = recorder_at_once(file);
  Replayed result = Rerun(*this, recorder).run(society);
  recorder.close();
  return result;
}

}  // namespace coracle::recording
