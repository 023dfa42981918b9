#include "fields.hpp"

#include "convert.hpp"

#include <iterator>
#include <string>
#include <variant>

namespace coracle::c {

namespace {

FieldKind kind_of(const coracle_field& field) {
  constexpr FieldKind kinds[] = {FieldKind::boolean, FieldKind::integer, FieldKind::floating,
                                 FieldKind::text, FieldKind::bytes};
  const auto number = static_cast<std::size_t>(number_of(field.kind));
  if (number >= std::size(kinds)) fail_argument("a field: its kind is none of coracle_kind");
  return kinds[number];
}

TupleField field_of(const coracle_field& field) {
  const FieldKind kind = kind_of(field);
  if (field.any) return OpenField{.kind = kind, .width = 8, .is_signed = true};
  if (kind == FieldKind::boolean) return field.integer != 0;
  if (kind == FieldKind::integer) return field.integer;
  if (kind == FieldKind::floating) return field.number;
  if (field.data == nullptr && field.size != 0)
    fail_argument("a field: `data` is NULL, but `size` is not 0");
  const auto* const data = static_cast<const char*>(field.data);
  if (kind == FieldKind::text) return std::string(data, data + field.size);
  const auto* const bytes = static_cast<const std::byte*>(field.data);
  return std::vector<std::byte>(bytes, bytes + field.size);
}

}  // namespace

TupleFields fields_of(const coracle_field* fields, std::size_t count, std::size_t least) {
  require_array(fields, count, "the fields are NULL, but their count is not 0");
  if (count < least || count > max_tuple_fields) fail_argument("a tuple has 1 to 16 fields");
  TupleFields all;
  for (std::size_t number = 0; number < count; ++number) all.push_back(field_of(fields[number]));
  return all;
}

TupleFields values_of(const coracle_field* fields, std::size_t count, std::size_t least) {
  TupleFields all = fields_of(fields, count, least);
  for (const TupleField& each : all) {
    if (std::holds_alternative<OpenField>(each))
      fail_argument("a field of a tuple has `any`, which belongs into patterns");
  }
  return all;
}

coracle_field shown(const TupleField& field) {
  coracle_field out{};
  out.kind = static_cast<coracle_kind>(field.index());
  if (const auto* truth = std::get_if<bool>(&field)) out.integer = *truth ? 1 : 0;
  if (const auto* number = std::get_if<std::int64_t>(&field)) out.integer = *number;
  if (const auto* number = std::get_if<double>(&field)) out.number = *number;
  const auto show = [&out](const auto& data) { out.data = data.data(), out.size = data.size(); };
  if (const auto* text = std::get_if<std::string>(&field)) show(*text);
  if (const auto* bytes = std::get_if<std::vector<std::byte>>(&field)) show(*bytes);
  return out;
}

}  // namespace coracle::c
