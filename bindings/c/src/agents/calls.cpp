// Remote calls: the port as a caller, and an agent whose functions are the program's.
#include "acting.hpp"
#include "ports/operation.hpp"

#include "coracle/detail/calling.hpp"
#include "coracle/detail/serving.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

using detail::answer_prefix;
using detail::call_prefix;

constexpr std::size_t longest_name = 100, most_functions = 1000;

// A call and its answer are arrays of one field.
struct Field {
  static constexpr std::string_view content_type = "application/cbor";
  Cbor value;
};

std::string call_type(const char* function) {
  const std::string name = text_of(function, "the name of the function");
  if (name.empty() || name.size() > longest_name)
    fail_argument("the name of a function has 1 to 100 bytes");
  return std::string(call_prefix) + name;
}

Content call_of(const std::string& type, const void* arguments, std::size_t size) {
  static constexpr unsigned char none[] = {0x80};  // an array of no items
  Field call{size == 0 ? cbor_of(none, 1, "the arguments")
                       : cbor_of(arguments, size, "the arguments")};
  if (cbor_decoder(call.value.bytes)->peek() != Shape::array)
    throw Error(Errc::bad_encoding, "the arguments of a call are an array of CBOR");
  return Content::bytes(Content::of(std::move(call)).bytes(), type);
}

// The one field of a message of calls.
Cbor field_in(const Content& content) {
  Field field;
  detail::decode_value(content.bytes(), field);
  return std::move(field.value);
}

class ServingAgent final : public Agent, public RoleActing {
 public:
  ServingAgent(const coracle_service& service, std::map<std::string, coracle_function> functions)
      : table_(service),
        functions_(std::move(functions)),
        core_(*this, this, {.at_once = std::max<std::uint32_t>(service.at_once, 1)}) {
    for (const auto& [type, function] : functions_) {
      detail::Offered offered;
      offered.content_type = type;
      offered.read = &read;
      offered.serve = &serve;
      offered.offer = &function;
      core_.offer(offered);
    }
  }

  Task<> run() override {
    table_.begin();
    return core_.run();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { core_.retire(); }

  static const void* read(detail::ContentBlock* block) {
    detail::retain(block);
    const Cbor arguments = field_in(Content::adopt(block));
    if (cbor_decoder(arguments.bytes)->peek() != Shape::array)
      throw Error(Errc::bad_encoding, "the arguments are no array");
    return block;
  }
  static detail::Handled serve(const void* offer, void* object, const rpc::Incoming&,
                               const Message& what, const void*) {
    auto& self = *static_cast<ServingAgent*>(object);
    const auto& function = *static_cast<const coracle_function*>(offer);
    return {{}, self.answer(function, field_in(what.content())), {}};
  }
  Task<Content> answer(const coracle_function& function, Cbor arguments) {
    const auto about = std::make_shared<const Cbor>(std::move(arguments));
    const auto show = [this, &function, about](coracle_agent* me, coracle_question* question) {
      function.call(me, question, about->bytes.data(), about->bytes.size(),
                    function.context == nullptr ? table_->context : function.context);
    };
    Task<Cbor> asking = ask_for<Cbor>("coracle_answer() or coracle_answer_done()", about, show);
    Field said;
    said.value = co_await asking;
    const std::string_view name = std::string_view(type_of(function)).substr(call_prefix.size());
    const Content encoded = Content::of(std::move(said));
    co_return Content::bytes(encoded.bytes(), std::string(answer_prefix).append(name));
  }
  const std::string& type_of(const coracle_function& function) const {
    const auto found = std::find_if(functions_.begin(), functions_.end(),
                                    [&](const auto& each) { return &each.second == &function; });
    return found->first;
  }

  Functions<coracle_service> table_;
  const std::map<std::string, coracle_function> functions_;
  detail::ServiceCore core_;
};

std::map<std::string, coracle_function> functions_of(const coracle_service& service) {
  require_array(service.functions, service.function_count, "coracle_service: `functions` is NULL");
  if (service.function_count == 0 || service.function_count > most_functions)
    fail_argument("coracle_service: give 1 to 1,000 functions");
  std::map<std::string, coracle_function> all;
  for (std::size_t number = 0; number < service.function_count; ++number) {
    coracle_function function = service.functions[number];
    if (function.call == nullptr) fail_argument("coracle_function: `call` is NULL");
    const std::string type = call_type(function.name);
    function.name = nullptr;  // the program's own text
    if (!all.emplace(type, function).second)
      fail_argument("coracle_service: two functions have the same name");
  }
  return all;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_call(coracle_port* port, const char* agent, const char* function,
                            const void* arguments, size_t size, coracle_span longest,
                            coracle_result** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    const std::string type = call_type(function);
    const Operation::Work call = [to = Name(text_of(agent, "coracle_call: `agent`")),
                                  name = std::string(function),
                                  content = call_of(type, arguments, size),
                                  until = limit_of(longest)](Agent* me, Operation& self) -> Task<> {
      detail::CallBase calling(*me, me->find(to), until, content, name);
      const detail::MayBeCalledOff may(self, [&calling] { calling.call_off(); });
      Message reply = co_await calling;
      const Content said = reply.consume();
      if (said.type() != std::string(answer_prefix) + name) {
        throw Error(Errc::wrong_type, "'" + to.str() + "' has answered a call of '" + name +
                                          "' with content of type '" + std::string(said.type()) +
                                          "'; it is no service");
      }
      std::vector<Cbor> values;
      values.push_back(field_in(said));
      self.result = std::make_shared<ResultObject>(std::move(values));
    };
    const auto done = operate(object_of<PortObject>(port), begin, out, call);
    if (done) *out = done->take_result();
  });
}

coracle_error* coracle_call_blindly(coracle_port* port, const char* agent, const char* function,
                                    const void* arguments, size_t size,
                                    const coracle_begin* begin) {
  return guarded([&] {
    const Operation::Work call = [to = Name(text_of(agent, "coracle_call_blindly: `agent`")),
                                  content = call_of(call_type(function), arguments, size)](
                                     Agent* me, Operation&) -> Task<> {
      detail::Sending sending = me->send(to, content);
      co_await sending;
    };
    (void)operate(object_of<PortObject>(port), begin, nullptr, call);
  });
}

coracle_error* coracle_service_start(coracle_node* node, const coracle_agent_options* options,
                                     const coracle_service* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_service_start: the service is NULL");
    const coracle_service service = options_of(given, "coracle_service");
    auto functions = functions_of(service);
    object_of<NodeObject>(node)->node->adopt(
        spec_of(options), std::make_unique<ServingAgent>(service, std::move(functions)));
  });
}
