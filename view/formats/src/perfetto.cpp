// Perfetto's TrackEvent: https://perfetto.dev/docs/reference/synthetic-track-event. Every agent has
// a track with its lives and what it sends; below it are lanes for the messages that it has, and
// for its open requests.
#include "lanes.hpp"
#include "output.hpp"
#include "protobuf.hpp"
#include "replies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace coracle::formats {

namespace {

// The numbers of the fields in perfetto_trace.proto.
namespace trace {
constexpr unsigned packet = 1;
}
namespace packet {
constexpr unsigned timestamp = 8, sequence = 10, event = 11, sequence_flags = 13, descriptor = 60;
}
namespace track {
constexpr unsigned uuid = 1, name = 2, process = 3, parent = 5;
}
namespace process {
constexpr unsigned pid = 1, name = 6;
}
namespace track_event {
constexpr unsigned annotation = 4, type = 9, track = 11, categories = 22, name = 23, flows = 47,
                   last_flows = 48;
}
namespace annotation {
constexpr unsigned number = 3, text = 6, name = 10;
}

enum Type : std::uint8_t { begins = 1, ends = 2, instant = 3 };

// More lanes of one agent would not fit on a screen; further messages are instants.
constexpr std::size_t most_lanes = 32;
constexpr std::size_t content_bytes = 200, name_bytes = 40;

// A slice of an agent's lanes.
struct Slice {
  std::uint64_t track = 0;
  Time begin, end;
  const StoryMessage* message = nullptr;
  bool is_request = false;  // open request, or else a message that the agent has
};

class Tracing {
 public:
  Tracing(const Story& story, const Sink& sink) : story_(story), replies_(story), out_(sink) {}

  void write() {
    live();
    for (const StoryMessage& each : story_.messages) tell(each);
    for (const StoryGap& each : story_.gaps)
      put(each.at, named(instant, agent(0, each.hearer), "gap", gap_text(each)));
    draw_slices();
    out_.finish();
  }

 private:
  // --- packets ---
  void put(Protobuf contents) {
    contents.number(packet::sequence, 1);
    if (std::exchange(is_first_, false)) contents.number(packet::sequence_flags, 1);
    out_ << Protobuf().message(trace::packet, contents).str();
  }
  void put(Time at, const Protobuf& what) {
    put(Protobuf().number(packet::timestamp, nanoseconds(story_, at)).message(packet::event, what));
  }
  static Protobuf named(Type type, std::uint64_t track, std::string_view category,
                        std::string_view name) {
    Protobuf out;
    out.number(track_event::type, type).number(track_event::track, track);
    return out.text(track_event::categories, category).text(track_event::name, name);
  }
  static void annotate(Protobuf& out, std::string_view name, std::string_view text) {
    out.message(track_event::annotation,
                Protobuf().text(annotation::name, name).text(annotation::text, text));
  }
  static void annotate(Protobuf& out, std::string_view name, std::uint64_t number) {
    out.message(track_event::annotation,
                Protobuf().text(annotation::name, name).number(annotation::number, number));
  }

  // --- tracks ---
  std::uint64_t new_track(std::uint64_t parent, std::string_view name) {
    put(Protobuf().message(packet::descriptor, Protobuf()
                                                   .number(track::uuid, ++last_)
                                                   .number(track::parent, parent)
                                                   .text(track::name, name)));
    return last_;
  }
  std::uint64_t node(unsigned number) {
    const auto [at, is_new] = nodes_.try_emplace(number, 0);
    if (!is_new) return at->second;
    Protobuf its_process;
    its_process.number(process::pid, std::uint64_t{number} + 1);
    its_process.text(process::name, fmt::format("node {}", number));
    put(Protobuf().message(
        packet::descriptor,
        Protobuf().number(track::uuid, at->second = ++last_).message(track::process, its_process)));
    return at->second;
  }
  std::uint64_t agent(unsigned its_node, const Name& name) {
    const auto [at, is_new] = agents_.try_emplace({its_node, name}, 0);
    if (is_new) at->second = new_track(node(its_node), name.view());
    return at->second;
  }

  // --- events ---
  void live() {
    std::map<std::uint64_t, Time> next;  // the beginning of the following life on each track
    for (auto life = story_.lives.rbegin(); life != story_.lives.rend(); ++life) {
      const std::uint64_t on = agent(life->node, life->agent);
      const Time began = life->began == never ? story_.begin : life->began;
      Time ended = life->ended == never ? story_.end : life->ended;
      const auto following = next.find(on);
      if (following != next.end()) ended = std::min(ended, following->second);
      next[on] = began;
      Protobuf slice = named(begins, on, "life", fmt::format("incarnation {}", life->life.counter));
      if (life->reason) annotate(slice, "ended", to_string(*life->reason));
      if (!life->text.empty()) annotate(slice, "error", life->text);
      put(began, slice);
      put(std::max(began, ended),
          Protobuf().number(track_event::type, ends).number(track_event::track, on));
      for (const StoryLife::Stay& stay : life->groups) {
        put(stay.joined, named(instant, on, "group", "joins " + stay.group.str()));
        if (stay.left != never)
          put(stay.left, named(instant, on, "group", "leaves " + stay.group.str()));
      }
    }
  }

  void tell(const StoryMessage& message) {
    const std::uint64_t from = agent(message.source_node, message.source);
    const std::uint64_t to = agent(message.target_node, message.target);
    Protobuf send = named(instant, from, "send", "send to " + message.target.str());
    describe(send, message);
    if (message.taken != never) send.fixed64(track_event::flows, message.id);
    put(message.sent, send);
    const Time last = story_.end;
    if (message.taken != never)
      slices_.push_back({to, message.taken, std::max(message.taken, std::min(message.ended, last)),
                         &message, false});
    else if (message.outcome)
      put(message.ended,
          named(instant, to, "lost", outcome_text(message) + ": " + summary(message, name_bytes)));
    if (message.kind == Kind::request)
      slices_.push_back({from, message.sent,
                         std::max(message.sent, std::min(replies_.closed(message), last)), &message,
                         true});
  }

  static void describe(Protobuf& out, const StoryMessage& message) {
    annotate(out, "message", message.id);
    annotate(out, "kind", to_string(message.kind));
    annotate(out, "outcome", outcome_text(message));
    annotate(out, "content", summary(message, content_bytes));
    if (!message.group.empty()) annotate(out, "group", message.group.view());
    if (message.conversation != 0) annotate(out, "conversation", message.conversation);
    if (message.answers != 0) annotate(out, "answers", message.answers);
    if (message.handed_out > 1) annotate(out, "handed out", message.handed_out);
    for (const auto& [name, value] : message.headers)
      annotate(out, "header " + name, std::string_view(value).substr(0, content_bytes));
  }

  void draw_slices() {
    std::sort(slices_.begin(), slices_.end(), [](const Slice& a, const Slice& b) {
      return std::tie(a.track, a.is_request, a.begin, b.end, a.message->id) <
             std::tie(b.track, b.is_request, b.begin, a.end, b.message->id);
    });
    for (std::size_t i = 0; i < slices_.size();) {
      const Slice& first = slices_[i];
      std::vector<std::uint64_t> tracks;
      Lanes lanes(most_lanes, [&](std::size_t lane, Time at) {
        put(at,
            Protobuf().number(track_event::type, ends).number(track_event::track, tracks[lane]));
      });
      for (; i < slices_.size() && slices_[i].track == first.track &&
             slices_[i].is_request == first.is_request;
           ++i) {
        const auto lane = lanes.add(slices_[i].begin, slices_[i].end);
        if (lane && *lane == tracks.size())
          tracks.push_back(new_track(first.track, first.is_request ? "open requests" : "has"));
        put(slices_[i].begin,
            slice(slices_[i], lane ? begins : instant, lane ? tracks[*lane] : slices_[i].track));
      }
      lanes.finish();
    }
  }

  static Protobuf slice(const Slice& which, Type type, std::uint64_t on) {
    const StoryMessage& message = *which.message;
    if (which.is_request) {
      Protobuf out = named(type, on, "request", "asks " + message.target.str());
      annotate(out, "content", summary(message, content_bytes));
      annotate(out, "message", message.id);
      return out;
    }
    Protobuf out = named(type, on, "message", summary(message, name_bytes));
    annotate(out, "from", message.source.view());
    annotate(out, "message", message.id);
    out.fixed64(track_event::last_flows, message.id);
    return out;
  }

  const Story& story_;
  const Replies replies_;
  Output out_;
  bool is_first_ = true;
  std::uint64_t last_ = 0;  // the last track
  std::map<unsigned, std::uint64_t> nodes_;
  std::map<std::pair<unsigned, Name>, std::uint64_t> agents_;
  std::vector<Slice> slices_;
};

}  // namespace

Written write_perfetto(const Story& story, const Sink& sink) {
  Tracing(story, sink).write();
  return {story.messages.size(), 0};
}

}  // namespace coracle::formats
