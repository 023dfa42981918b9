// The names of all attributes in traces of OpenTelemetry. Those of messaging follow its semantic
// conventions; these do not cover agents, so the others are ours.
#pragma once

#include <string_view>

namespace coracle::formats::otlp {

inline constexpr std::string_view service_name = "service.name";
inline constexpr std::string_view service_instance = "service.instance.id";
inline constexpr std::string_view error_type = "error.type";
inline constexpr std::string_view exception = "exception.message";
inline constexpr std::string_view system = "messaging.system";
inline constexpr std::string_view operation = "messaging.operation.type";
inline constexpr std::string_view operation_name = "messaging.operation.name";
inline constexpr std::string_view destination = "messaging.destination.name";
inline constexpr std::string_view message_id = "messaging.message.id";
inline constexpr std::string_view conversation = "messaging.message.conversation_id";
inline constexpr std::string_view body_size = "messaging.message.body.size";
inline constexpr std::string_view source = "coracle.source";
inline constexpr std::string_view group = "coracle.group";
inline constexpr std::string_view content_type = "coracle.content_type";
inline constexpr std::string_view kind = "coracle.kind";
inline constexpr std::string_view agent = "coracle.agent";
inline constexpr std::string_view incarnation = "coracle.incarnation";
inline constexpr std::string_view end_reason = "coracle.end_reason";
inline constexpr std::string_view missed = "coracle.missed";
inline constexpr std::string_view outcome = "coracle.outcome";
inline constexpr std::string_view handed_out = "coracle.handed_out";
inline constexpr std::string_view from_elsewhere = "coracle.from_elsewhere";

}  // namespace coracle::formats::otlp
