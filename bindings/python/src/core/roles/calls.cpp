// Remote calls: by ports, and of services.
#include "calls.hpp"

#include "port.hpp"
#include "results.hpp"
#include "role.hpp"

namespace coracle::py {

nb::object value_of(const coracle_result* result, std::size_t number, nb::handle type) {
  const void* value = nullptr;
  std::size_t size = 0;
  check(coracle_result_value(result, number, &value, &size));
  return fit(type, from_cbor(value, size), "the answer");
}

nb::object values_of(const coracle_result* result, nb::handle type) {
  std::size_t count = 0;
  check(coracle_result_count(result, &count));
  nb::list all;
  for (std::size_t each = 0; each < count; ++each) all.append(value_of(result, each, type));
  return all;
}

namespace {

nb::object call(nb::handle self, nb::handle agent, nb::handle function, nb::handle arguments,
                nb::handle within, nb::handle gives) {
  const Encoded encoded(arguments);
  const coracle_span longest = span_of(within);
  const auto begin = [&](coracle_port* port, const coracle_begin* at) {
    return coracle_call(port, text_of(agent, "agent"), text_of(function, "function"), encoded.data,
                        encoded.size, longest, nullptr, at);
  };
  return Port::of(self).begin(self, Gives::value, begin, gives);
}

nb::object call_blindly(nb::handle self, nb::handle agent, nb::handle function,
                        nb::handle arguments) {
  const Encoded encoded(arguments);
  return Port::of(self).begin(
      self, Gives::nothing, [&](coracle_port* port, const coracle_begin* at) {
        return coracle_call_blindly(port, text_of(agent, "agent"), text_of(function, "function"),
                                    encoded.data, encoded.size, at);
      });
}

void serve(coracle_agent* self, coracle_question* question, const void* arguments, size_t size,
           void* context) {
  const Link::Part& part = *static_cast<Link::Part*>(context);
  Called called(part.link, self);
  called.ask(question, &give_value, "_serve",
             [&] { return nb::make_tuple(part.name, from_cbor(arguments, size)); });
}

void start_service(Node& node, nb::handle self) {
  Record role(self);
  auto link = std::make_unique<Link>();
  std::vector<coracle_function> functions;
  for (const nb::handle name : role.items("_functions")) {
    Link::Part& part = link->parts.emplace_back(link.get(), nb::borrow(name));
    functions.push_back({text_of(name, "the name of a function"), &serve, &part});
  }
  coracle_service service{};
  service.functions = functions.data();
  service.function_count = functions.size();
  service.at_once = role.number<std::uint32_t>("at_once");
  start_with(node, self, service, &coracle_service_start, std::move(link));
}

}  // namespace

void define_calls(nb::class_<Port>& port) {
  port.def("_call", &call, nb::arg("agent"), nb::arg("function"), nb::arg("arguments"),
           nb::arg("within").none(), nb::arg("gives").none())
      .def("_call_blindly", &call_blindly);
}

void define_services(nb::module_& module) { module.def("start_service", &start_service); }

}  // namespace coracle::py
