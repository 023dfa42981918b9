// What a message says, in JSON: valid JSON for every content; and typed content from JSON.
// Tests: tools/tests/content_json_test.cpp
#pragma once

#include "coracle/content.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coracle::command {

// Adds "text" for text; else "type", and "content" with what the bytes mean in the diagnostic
// notation of CBOR, or "hex" with the bytes if they mean nothing.
void add_content(boost::json::object& line, std::string_view type,
                 std::span<const std::byte> bytes);

// Content of that type: a value of JSON as CBOR. The fields of an aggregate are an array. Fails
// with Errc::bad_options, which says where it is no JSON.
Content content_from_json(std::string_view type, std::string_view text);

}  // namespace coracle::command
