#include "directory_frames.hpp"

#include <utility>

namespace coracle::society {

Answer answer_of(const Result<void>& result) {
  Answer answer;
  if (!result) answer.error = result.error();
  return answer;
}

Answer answer_of(const Result<Incarnation>& result) {
  Answer answer;
  if (result) answer.value = number_of_life(*result);
  else answer.error = result.error();
  return answer;
}

Answer refusal(Error error) { return {0, std::move(error)}; }

namespace {

using Kind = DirectoryEvent::Kind;

constexpr auto last_errc = static_cast<std::uint64_t>(Errc::unanswered);

template <class Enum>
Enum read_enum(FrameReader& in, Enum last) {
  const std::uint8_t value = in.byte();
  if (value > static_cast<std::uint8_t>(last)) in.fail();
  return static_cast<Enum>(value);
}

bool has_entry(Kind kind) { return kind == Kind::arrived || kind == Kind::changed; }

}  // namespace

void write(FrameWriter& out, const NodeInfo& info) {
  out.number(info.lease);
  out.text(info.node);
  out.number(info.endpoints.size());
  for (const std::string& endpoint : info.endpoints) out.text(endpoint);
  out.text(info.certified);
  out.byte(info.is_message_store ? 1 : 0);
}

void write(FrameWriter& out, const DirectoryEvent& event, const Entry* entry) {
  out.byte(static_cast<std::uint8_t>(event.kind));
  out.text(event.name.view());
  write(out, event.incarnation);
  out.number(entry != nullptr ? entry->lease : event.lease);
  switch (event.kind) {
    case Kind::arrived:
    case Kind::changed: {
      static const Entry nothing;
      const Entry& known = entry != nullptr ? *entry : nothing;
      out.text(known.identity);
      write(out, known.properties);
      return write(out, known.mailbox);
    }
    case Kind::ended:
      return write(out, event.ending);
    case Kind::joined:
    case Kind::left:
      return out.text(event.group.view());
    case Kind::lease_ended:
      return out.byte(static_cast<std::uint8_t>(event.ending.reason));
  }
}

void write(FrameWriter& out, const Answer& answer) {
  if (!answer.error) {
    out.byte(1);
    return out.number(answer.value);
  }
  out.byte(0);
  out.number(static_cast<std::uint64_t>(answer.error->errc()));
  out.text(answer.error->sentence());
}

Bytes frame_of_answer(std::uint64_t number, const Answer& answer) {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Announcement::answer));
  out.number(number);
  write(out, answer);
  return frame;
}

void write(FrameWriter& out, const DirectoryReport& report) {
  out.number(report.directory.started);
  out.number(report.directory.salt);
  out.text(report.from);
  out.number(report.directory.endpoints.size());
  for (const std::string& endpoint : report.directory.endpoints) out.text(endpoint);
}

NodeInfo read_node_info(FrameReader& in) {
  NodeInfo info;
  info.lease = in.number();
  info.node = in.text();
  for (std::uint64_t left = in.number_up_to(max_endpoints); left > 0 && in.ok(); --left) {
    info.endpoints.emplace_back(in.text());
  }
  info.certified = in.text();
  info.is_message_store = in.byte() != 0;
  return info;
}

DirectoryEvent read_event(FrameReader& in, std::optional<Entry>& entry) {
  DirectoryEvent event;
  event.kind = read_enum(in, Kind::lease_ended);
  event.name = read_name(in);
  event.incarnation = read_life(in);
  event.lease = in.number();
  if (has_entry(event.kind)) {
    entry.emplace();
    entry->name = event.name;
    entry->incarnation = event.incarnation;
    entry->lease = event.lease;
    entry->identity = in.text();
    entry->properties = read_properties(in);
    event.mailbox = entry->mailbox = detail::read_mailbox_options(in);
  } else if (event.kind == Kind::ended) {
    event.ending = read_ending(in);
  } else if (event.kind == Kind::lease_ended) {
    event.ending.reason = in.at_end() ? EndReason::unreachable : read_enum(in, EndReason::fenced);
  } else {
    event.group = read_name(in);
  }
  return event;
}

DirectoryReport read_directory_report(FrameReader& in) {
  DirectoryReport report;
  report.directory.started = in.number();
  report.directory.salt = in.number();
  report.from = in.text();
  for (std::uint64_t left = in.number_up_to(max_endpoints); left > 0 && in.ok(); --left)
    report.directory.endpoints.emplace_back(in.text());
  return report;
}

Answer read_answer(FrameReader& in) {
  Answer answer;
  if (in.byte() != 0) {
    answer.value = in.number();
    return answer;
  }
  const auto errc = static_cast<Errc>(in.number_up_to(last_errc));
  answer.error.emplace(errc, std::string(in.text()));
  return answer;
}

}  // namespace coracle::society
