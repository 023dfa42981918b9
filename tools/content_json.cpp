#include "content_json.hpp"

#include "coracle/support/content_text.hpp"
#include "coracle/support/encode_json.hpp"
#include "coracle/support/quote.hpp"

#include "coracle/codec.hpp"
#include "coracle/errors.hpp"

#include <boost/json.hpp>

#include <vector>

namespace coracle::command {

namespace json = boost::json;

void add_content(json::object& line, std::string_view type, std::span<const std::byte> bytes) {
  using Form = detail::DecodedContent::Form;
  const auto [form, value] = detail::decoded_content(type, bytes);
  if (form != Form::text) line["type"] = detail::shown(type);
  line[form == Form::text ? "text" : form == Form::meaning ? "content" : "hex"] = value;
}

Content content_from_json(std::string_view type, std::string_view text) {
  json::stream_parser parser;
  json::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && !parser.done()) parser.finish(error);
  const bool is_more = !error && text.find_first_not_of(" \t\r\n", read) != text.npos;
  if (error || is_more)
    throw Error(Errc::bad_options, "the value of --json is not valid JSON from character " +
                                       std::to_string(read + 1) + " on; write a value, as in " +
                                       "'[\"north\", 3]'");
  std::vector<std::byte> bytes;
  detail::encode_json(*cbor_encoder(bytes), parser.release());
  return Content::bytes(bytes, type);
}

}  // namespace coracle::command
