// Tuple spaces.
#include "convert.hpp"
#include "operation.hpp"

#include "coracle/detail/space_access.hpp"

#include <iterator>
#include <string>
#include <variant>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace {

using detail::TupleAct;

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

TupleFields fields_of(const coracle_field* fields, std::size_t count, std::size_t least = 1) {
  require_array(fields, count, "the fields are NULL, but their count is not 0");
  if (count < least || count > max_tuple_fields) fail_argument("a tuple has 1 to 16 fields");
  TupleFields all;
  for (std::size_t number = 0; number < count; ++number) all.push_back(field_of(fields[number]));
  return all;
}

// The same for a tuple, in which no field is left open.
TupleFields values_of(const coracle_field* fields, std::size_t count, std::size_t least = 1) {
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

void put(coracle_port* port, const char* space, TupleAct act, const TupleFields& fields,
         Lease lease, const coracle_begin* begin) {
  const Operation::Work work = [name = std::string(text_of(space, "the name of the space")), act,
                                fields, lease](Agent* me, Operation&) -> Task<> {
    Space at(*me, name);
    Task<> putting = detail::SpaceAccess::put(at, act, lease, fields);
    co_await putting;
  };
  (void)operate(object_of<PortObject>(port), begin, nullptr, work);
}

coracle_error* find(coracle_port* port, const char* space, TupleAct act,
                    const coracle_field* pattern, std::size_t count, coracle_span longest,
                    coracle_tuple** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const Operation::Work work = [name = std::string(text_of(space, "the name of the space")), act,
                                  fields = fields_of(pattern, count),
                                  until = limit_of(longest)](Agent* me, Operation& self) -> Task<> {
      Space at(*me, name);
      Task<std::optional<TupleFields>> finding = detail::SpaceAccess::find(at, act, fields, until);
      self.tuple = co_await finding;
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, work);
    if (done) *out = done->take_tuple();
  });
}

}  // namespace

coracle_error* coracle_space_start(coracle_node* node, const coracle_agent_options* options) {
  return guarded([&] {
    object_of<NodeObject>(node)->node->adopt(spec_of(options), std::make_unique<TupleSpace>());
  });
}

coracle_error* coracle_tuple_out(coracle_port* port, const char* space, const coracle_field* fields,
                                 size_t count, coracle_span lease, const coracle_begin* begin) {
  return guarded([&] {
    if (lease < 0) fail_argument("coracle_tuple_out: the lease is negative");
    const bool is_for_ever = lease == 0 || lease == CORACLE_NEVER;
    put(port, space, TupleAct::out, values_of(fields, count),
        is_for_ever ? Lease() : Lease{Duration(lease)}, begin);
  });
}

coracle_error* coracle_tuple_in(coracle_port* port, const char* space, const coracle_field* pattern,
                                size_t count, coracle_span longest, coracle_tuple** out,
                                const coracle_begin* begin) {
  return find(port, space, TupleAct::in, pattern, count, longest, out, begin);
}

coracle_error* coracle_tuple_rd(coracle_port* port, const char* space, const coracle_field* pattern,
                                size_t count, coracle_span longest, coracle_tuple** out,
                                const coracle_begin* begin) {
  return find(port, space, TupleAct::rd, pattern, count, longest, out, begin);
}

coracle_error* coracle_tuple_inp(coracle_port* port, const char* space,
                                 const coracle_field* pattern, size_t count, coracle_tuple** out,
                                 const coracle_begin* begin) {
  return find(port, space, TupleAct::inp, pattern, count, 0, out, begin);
}

coracle_error* coracle_tuple_rdp(coracle_port* port, const char* space,
                                 const coracle_field* pattern, size_t count, coracle_tuple** out,
                                 const coracle_begin* begin) {
  return find(port, space, TupleAct::rdp, pattern, count, 0, out, begin);
}

coracle_error* coracle_tuple_eval(coracle_port* port, const char* space, const char* function,
                                  const coracle_field* arguments, size_t count,
                                  const coracle_begin* begin) {
  return guarded([&] {
    TupleFields fields = values_of(arguments, count, 0);
    fields.insert(fields.begin(), std::string(text_of(function, "the name of the function")));
    put(port, space, TupleAct::eval, fields, Lease(), begin);
  });
}

coracle_error* coracle_tuple_count(const coracle_tuple* tuple, size_t* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_tuple_count: `out` is NULL");
    *out = object_of<TupleObject>(tuple)->fields.size();
  });
}

coracle_error* coracle_tuple_field(const coracle_tuple* tuple, size_t number, coracle_field* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_tuple_field: `out` is NULL");
    const auto object = object_of<TupleObject>(tuple);
    if (number >= object->fields.size())
      fail_argument("coracle_tuple_field: there are not so many fields");
    *out = shown(object->fields[number]);
  });
}

void coracle_tuple_free(coracle_tuple* tuple) {
  coracle_error_free(guarded([&] { (void)remove_handle<TupleObject>(tuple); }));
}
