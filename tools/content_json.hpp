// Converts the content of a message to JSON, which is valid for every content; and JSON to typed
// content. Tests: tools/tests/content_json_test.cpp
#pragma once

#include "coracle/content.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coracle::command {

// Adds "text" for text; else "type", and "content" with the meaning of the bytes in the diagnostic
// notation of CBOR, or "hex" with the bytes if they have no meaning.
void add_content(boost::json::object& line, std::string_view type,
                 std::span<const std::byte> bytes);

// Makes content of that type: a value of JSON as CBOR. The fields of an aggregate are an array.
// Fails with Errc::bad_options, whose text gives the place where the JSON is invalid.
Content content_from_json(std::string_view type, std::string_view text);

}  // namespace coracle::command
