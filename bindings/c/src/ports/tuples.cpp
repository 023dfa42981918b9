// Tuple spaces.
#include "base/convert.hpp"
#include "base/fields.hpp"
#include "operation.hpp"

#include "coracle/detail/space_access.hpp"

#include <string>

using namespace coracle;
using namespace coracle::c;

namespace {

using detail::TupleAct;

void put(coracle_port* port, const char* space, TupleAct act, const TupleFields& fields,
         Lease lease, const coracle_begin* begin) {
  const Operation::Work work = [name = std::string(text_of(space, "the name of the space")), act,
                                fields, lease](Agent* me, Operation& self) -> Task<> {
    Space at(*me, name);
    detail::SpaceRequest request;
    const detail::MayBeCalledOff may(self, [&request] { request.call_off(); });
    Task<> putting = detail::SpaceAccess::put(at, act, lease, fields, &request);
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
      detail::SpaceRequest request;
      const detail::MayBeCalledOff may(self, [&request] { request.call_off(); });
      Task<std::optional<TupleFields>> finding =
          detail::SpaceAccess::find(at, act, fields, until, &request);
      std::optional<TupleFields> found = co_await finding;
      if (found) self.result = std::move(*found);
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
