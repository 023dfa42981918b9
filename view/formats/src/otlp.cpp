#include "coracle/formats/otlp.hpp"

#include "otlp_names.hpp"
#include "output.hpp"
#include "protobuf.hpp"
#include "replies.hpp"

#include "coracle/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace coracle::formats {

namespace {

// The numbers of the fields in opentelemetry/proto/{collector/trace,trace,resource,common}/v1.
namespace request {
constexpr unsigned resource_spans = 1;
}
namespace resource_spans {
constexpr unsigned resource = 1, scope_spans = 2;
}
namespace resource {
constexpr unsigned attributes = 1;
}
namespace scope_spans {
constexpr unsigned scope = 1, spans = 2;
}
namespace scope {
constexpr unsigned name = 1, version = 2;
}
namespace span {
constexpr unsigned trace = 1, id = 2, parent = 4, name = 5, kind = 6, start = 7, end = 8,
                   attributes = 9, events = 11, links = 13, status = 15, flags = 16;
}
namespace event {
constexpr unsigned at = 1, name = 2, attributes = 3;
}
namespace link {
constexpr unsigned trace = 1, span = 2;
}
namespace status {
constexpr unsigned message = 2, code = 3, error = 2;
}
namespace attribute {
constexpr unsigned key = 1, value = 2;
}
namespace value {
constexpr unsigned text = 1, truth = 2, number = 3;
}

enum SpanKind : std::uint8_t { internal = 1, server = 2, client = 3, producer = 4, consumer = 5 };
constexpr std::uint32_t sampled = 1;

// The finalizer of SplitMix64: it changes about half of the bits for each bit that changes.
std::uint64_t mixed(std::uint64_t number) noexcept {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

std::string big_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

std::string trace_bytes(const TraceContext& trace) {
  return big_endian(trace.trace_high) + big_endian(trace.trace_low);
}

void attribute_text(Protobuf& out, unsigned field, std::string_view key, std::string_view text) {
  out.message(field, Protobuf()
                         .text(attribute::key, key)
                         .message(attribute::value, Protobuf().text(value::text, text)));
}

// Something that happened within a span.
Protobuf event_of(std::uint64_t at, std::string_view name, std::string_view key,
                  std::string_view text) {
  Protobuf out;
  out.fixed64(event::at, at).text(event::name, name);
  attribute_text(out, event::attributes, key, text);
  return out;
}

void attribute_number(Protobuf& out, std::string_view key, std::uint64_t number) {
  out.message(span::attributes,
              Protobuf()
                  .text(attribute::key, key)
                  .message(attribute::value, Protobuf().number(value::number, number)));
}

class Spans {
 public:
  Spans(const Story& story, const OtlpOptions& options)
      : story_(story), options_(options), replies_(story) {}

  // Adds the spans of a message to those of its nodes.
  void add(const StoryMessage& message) {
    const StoryMessage* const asked = message.answers != 0 ? story_.find(message.answers) : nullptr;
    const TraceContext trace = trace_of(message, asked);
    add_send(message, asked, trace);
    if (message.taken == never) return;
    const bool is_request = message.kind == Kind::request;
    Protobuf out = begin(trace, id_of(message, processing), send_id(message),
                         "process " + message.target.str(), is_request ? server : consumer);
    const Time end = message.ended == never ? story_.end : message.ended;
    times(out, message.taken, end);
    describe(out, message, "process");
    if (message.handed_out > 1) attribute_number(out, otlp::handed_out, message.handed_out);
    put(message.target_node, out);
  }

  // Adds the span of a life.
  void add(const StoryLife& life) {
    const Time start = life.began == never ? story_.begin : life.began;
    const Time end = life.ended == never ? story_.end : life.ended;
    Protobuf out = begin_own("life " + life.agent.str(), start, end);
    attribute_text(out, span::attributes, otlp::agent, life.agent.view());
    attribute_number(out, otlp::incarnation, life.life.counter);
    if (life.reason)
      attribute_text(out, span::attributes, otlp::end_reason, to_string(*life.reason));
    for (const StoryLife::Stay& stay : life.groups) {
      happens(out, stay.joined, "joins", otlp::group, stay.group.view());
      happens(out, stay.left, "leaves", otlp::group, stay.group.view());
    }
    const bool has_crashed = life.reason && *life.reason == EndReason::crashed;
    if (!life.text.empty()) happens(out, end, "exception", otlp::exception, life.text);
    if (has_crashed) {
      attribute_text(out, span::attributes, otlp::error_type, "crashed");
      fail(out, life.text.empty() ? "crashed" : life.text);
    }
    put(life.node, out);
  }

  // Adds the span of a gap, which takes no time. The node of its hearer is not known.
  void add(const StoryGap& gap) {
    Protobuf out = begin_own("gap of " + gap.hearer.str(), gap.at, gap.at);
    attribute_text(out, span::attributes, otlp::agent, gap.hearer.view());
    if (gap.missed != MessageView::unknown_gap) attribute_number(out, otlp::missed, gap.missed);
    attribute_text(out, span::attributes, otlp::error_type, "gap");
    fail(out, gap_text(gap));
    put(0, out);
  }

  // The spans so far as one request, which begins anew.
  std::string take() {
    Protobuf all;
    for (const auto& [node, spans] : nodes_) {
      Protobuf its;
      attribute_text(its, resource::attributes, otlp::service_name, options_.service);
      attribute_text(its, resource::attributes, otlp::service_instance,
                     fmt::format("node {}", node));
      Protobuf scope_of_spans;
      scope_of_spans.message(scope_spans::scope,
                             Protobuf().text(scope::name, "coracle").text(scope::version, version));
      all.message(request::resource_spans,
                  Protobuf()
                      .message(resource_spans::resource, its)
                      .bytes(resource_spans::scope_spans, scope_of_spans.str() + spans));
    }
    nodes_.clear();
    return all.str();
  }

 private:
  enum Role : std::uint8_t { sending = 0, processing = 1 };

  void put(unsigned node, const Protobuf& its_span) {
    nodes_[node] += Protobuf().message(scope_spans::spans, its_span).str();
  }

  // Begins a span that is a trace of its own.
  Protobuf begin_own(std::string_view name, Time start, Time end) {
    const std::uint64_t seed = mixed(~mixed(options_.began) ^ ++own_);
    Protobuf out =
        begin({mixed(seed), mixed(seed + 1) | 1, 0}, mixed(seed + 2) | 1, 0, name, internal);
    times(out, start, end);
    return out;
  }

  void happens(Protobuf& out, Time at, std::string_view name, std::string_view key,
               std::string_view text) const {
    if (at == never) return;
    out.message(span::events, event_of(options_.began + nanoseconds(story_, at), name, key, text));
  }

  static void fail(Protobuf& out, std::string_view why) {
    out.message(span::status,
                Protobuf().text(status::message, why).number(status::code, status::error));
  }

  TraceContext trace_of(const StoryMessage& message, const StoryMessage* asked) const {
    if (has_trace(message)) return message.trace;
    if (asked != nullptr && has_trace(*asked)) return asked->trace;
    // Nodes that record themselves give one conversation the same trace.
    const std::uint64_t seed = message.conversation != 0
                                   ? mixed(message.conversation)
                                   : mixed(mixed(options_.began) + message.id) ^ ~std::uint64_t{0};
    return {mixed(seed), mixed(seed + 1) | 1, 0};
  }
  std::uint64_t id_of(const StoryMessage& message, Role role) const noexcept {
    return mixed(mixed(options_.began) ^ (message.id << 1 | role)) | 1;
  }
  std::uint64_t send_id(const StoryMessage& message) const noexcept {
    return id_of(message, sending);
  }

  static Protobuf begin(const TraceContext& trace, std::uint64_t id, std::uint64_t parent,
                        std::string_view name, SpanKind kind) {
    Protobuf out;
    out.bytes(span::trace, trace_bytes(trace)).bytes(span::id, big_endian(id));
    if (parent != 0) out.bytes(span::parent, big_endian(parent));
    return out.text(span::name, name).number(span::kind, kind).fixed32(span::flags, sampled);
  }

  void add_send(const StoryMessage& message, const StoryMessage* asked, const TraceContext& trace) {
    const bool is_request = message.kind == Kind::request;
    std::uint64_t parent = has_trace(message) ? message.trace.span : 0;
    if (parent == 0 && asked != nullptr)
      parent = id_of(*asked, asked->taken != never ? processing : sending);
    Protobuf out = begin(trace, send_id(message), parent, "send " + message.target.str(),
                         is_request ? client : producer);
    const Time arrived = message.kept != never ? message.kept : message.ended;
    const Time closed = is_request ? replies_.closed(message) : never;
    times(out, message.sent, closed != never ? closed : arrived != never ? arrived : message.sent);
    describe(out, message, "send");
    if (message.from_elsewhere)
      out.message(span::attributes,
                  Protobuf()
                      .text(attribute::key, otlp::from_elsewhere)
                      .message(attribute::value, Protobuf().number(value::truth, 1)));
    if (asked != nullptr)
      out.message(span::links, Protobuf()
                                   .bytes(link::trace, trace_bytes(trace_of(*asked, nullptr)))
                                   .bytes(link::span, big_endian(send_id(*asked))));
    put(message.source_node, out);
  }

  void times(Protobuf& out, Time start, Time end) const {
    out.fixed64(span::start, options_.began + nanoseconds(story_, start));
    out.fixed64(span::end, options_.began + nanoseconds(story_, std::max(start, end)));
  }

  // The attributes that both spans of a message have, and their status.
  void describe(Protobuf& out, const StoryMessage& message, std::string_view operation) const {
    const auto text = [&](std::string_view key, std::string_view content) {
      attribute_text(out, span::attributes, key, content);
    };
    text(otlp::system, "coracle");
    text(otlp::operation, operation);
    text(otlp::operation_name, operation);
    text(otlp::destination, message.target.view());
    text(otlp::message_id, std::to_string(message.id));
    text(otlp::source, message.source.view());
    text(otlp::kind, to_string(message.kind));
    if (message.conversation != 0) text(otlp::conversation, std::to_string(message.conversation));
    if (!message.group.empty()) text(otlp::group, message.group.view());
    if (!message.type.empty()) text(otlp::content_type, message.type);
    attribute_number(out, otlp::body_size, message.content.size());
    if (message.outcome) text(otlp::outcome, to_string(*message.outcome));
    std::string error;
    if (message.outcome && *message.outcome != Outcome::consumed) error = outcome_text(message);
    const StoryMessage* const reply =
        message.kind == Kind::request ? replies_.to(message) : nullptr;
    if (reply != nullptr && reply->kind == Kind::failure) error = "failure";
    if (error.empty()) return;
    text(otlp::error_type, error);
    fail(out, error);
  }

  const Story& story_;
  const OtlpOptions& options_;
  const Replies replies_;
  std::map<unsigned, std::string> nodes_;  // the spans of each node
  std::uint64_t own_ = 0;                  // the spans of lives and gaps so far
};

}  // namespace

Written write_otlp(const Story& story, const Sink& sink, const OtlpOptions& options) {
  Spans spans(story, options);
  const std::size_t most = std::max<std::size_t>(options.messages_per_request, 1);
  std::size_t waiting = 0;
  const auto add_all = [&](const auto& all) {
    for (const auto& each : all) {
      spans.add(each);
      if (++waiting == most) sink(spans.take()), waiting = 0;
    }
  };
  add_all(story.messages);
  add_all(story.lives);
  add_all(story.gaps);
  if (waiting != 0) sink(spans.take());
  return {story.messages.size(), 0};
}

}  // namespace coracle::formats
