// Messages, names of agents and entries of directories, as the JSON of ../README.md. Reading throws
// for what is no such JSON; the exception is the answer to the command.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/ontology/management.hpp"

#include <boost/json.hpp>

#include <string>
#include <string_view>

namespace coracle::player {

namespace json = boost::json;
namespace fm = acl::management;

// A field of an object; the default if there is none.
std::string text_in(const json::object& object, std::string_view key);
bool bool_in(const json::object& object, std::string_view key, bool otherwise);
const json::object& object_in(const json::object& object, std::string_view key);
const json::array& list_in(const json::object& object, std::string_view key);

acl::AgentId agent_id_from(const json::object& object);
// The identifier in a field; `otherwise` if there is none.
acl::AgentId agent_id_in(const json::object& object, std::string_view key, acl::AgentId otherwise);
json::object to_json(const acl::AgentId& id);

// The text in "content", or the bytes in "bytes".
acl::Body body_in(const json::object& object);
acl::Message message_from(const json::object& object);
json::object to_json(const acl::Message& message);

fm::DfAgentDescription entry_from(const json::object& object);
fm::SearchConstraints constraints_from(const json::object& object);
json::object to_json(const fm::DfAgentDescription& entry);
json::object to_json(const fm::AmsAgentDescription& entry);

}  // namespace coracle::player
