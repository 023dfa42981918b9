// Servers and clients of DisPeL.
#include "role.hpp"

#include "coracle/dispel/client.hpp"
#include "coracle/dispel/server.hpp"

#include <string>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

std::string question_type(std::string_view own) {
  return std::string(dispel::detail::QuestionName<Cbor>::prefix).append(own);
}

// A request with its lane, of any type.
struct LanedRequest {
  static constexpr std::string_view content_type = "application/cbor";
  std::uint32_t lane = 0;
  Cbor what;
};

dispel::ServerOptions options_for(const coracle_server& given) {
  dispel::ServerOptions options;
  if (given.service != nullptr) options.service = given.service;
  if (given.at_once != 0) options.at_once = given.at_once;
  if (given.waiting != 0) options.waiting = given.waiting;
  if (given.each != 0) options.each = given.each;
  return options;
}

class ServerRole final : public dispel::Server<Cbor, Cbor>, public RoleActing {
 public:
  explicit ServerRole(const coracle_server& server)
      : Server(options_for(server)),
        takes_(text_of(server.takes, "coracle_server: `takes`")),
        laned_(question_type(takes_)),
        gives_(text_of(server.gives, "coracle_server: `gives`")),
        table_(server) {}

  Task<> run() override {
    table_.begin();
    return work_as_server();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { retire(); }

  bool understands(const Content& content, dispel::detail::QuestionHead& head) const override {
    if (content.type() == takes_) return true;
    if (content.type() != laned_) return false;
    try {
      head = {laned(content).lane};
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  static LanedRequest laned(const Content& content) {
    LanedRequest request;
    detail::decode_value(content.bytes(), request);
    return request;
  }
  // Makes all requests be considered.
  Content answer_now(const Content&) override {
    (void)answer(Cbor());
    return {};
  }
  Task<Content> answer_later(const Content& request) override {
    const Content kept = request;
    std::shared_ptr<const Cbor> about;
    try {
      about =
          std::make_shared<const Cbor>(kept.type() == laned_ ? laned(kept).what : cbor_in(kept));
    } catch (const Error& error) {
      throw dispel::Refusal(error.sentence());
    }
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->answer(me, question, about->bytes.data(), about->bytes.size(), table_->context);
    };
    Content said;
    std::string why;
    try {
      Task<Cbor> asking = ask_for<Cbor>("coracle_answer()", about, show);
      const Cbor answered = co_await asking;
      said = content_of(answered, gives_);
    } catch (const Refused& refused) {
      why = refused.what();
    }
    if (!why.empty()) throw dispel::Refusal(why);
    co_return said;
  }

  const std::string takes_, laned_, gives_;
  Functions<coracle_server> table_;
};

class ClientRole final : public dispel::Client {
 public:
  Task<> run() override { return jobs_.serve(*this); }
  const JobsPtr& jobs() const noexcept { return jobs_.shared(); }
  using Client::call_result;

 private:
  OwnJobs jobs_;
};

dispel::Whom server_of(const coracle_request& request) {
  if ((request.server == nullptr) == (request.service == nullptr))
    fail_argument("coracle_request: set `server` or `service`, and not both");
  if (request.server != nullptr) return Name(request.server);
  return dispel::Whom::service(request.service);
}

Content content_for(const coracle_request& request) {
  const std::string type = text_of(request.type, "coracle_request: `type`");
  Cbor value = cbor_of(request.value, request.value_size, "the request");
  if (request.lane == 0) return content_of(value, type);
  const Content laned = Content::of(LanedRequest{request.lane, std::move(value)});
  return Content::bytes(laned.bytes(), question_type(type));
}

dispel::CallOptions options_for(const coracle_request& request) {
  dispel::CallOptions options;
  options.lane = request.lane;
  if (request.within < 0 || request.each < 0)
    fail_argument("coracle_request: a span of time is negative");
  if (request.within != CORACLE_NEVER) options.within = Duration(request.within);
  if (request.each != CORACLE_NEVER) options.each = Duration(request.each);
  if (request.attempts != 0) options.attempts = request.attempts;
  return options;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_server_start(coracle_node* node, const coracle_agent_options* options,
                                    const coracle_server* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_server_start: the server is NULL");
    const coracle_server server = options_of(given, "coracle_server");
    if (server.answer == nullptr) fail_argument("coracle_server: `answer` is NULL");
    object_of<NodeObject>(node)->node->adopt(spec_of(options),
                                             std::make_unique<ServerRole>(server));
  });
}

coracle_error* coracle_client_start(coracle_node* node, const coracle_agent_options* options,
                                    coracle_role** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_client_start: `out` is NULL");
    *out = start_role(node, options, std::make_unique<ClientRole>());
  });
}

coracle_error* coracle_client_request(coracle_role* client, const coracle_request* given,
                                      coracle_result** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (given == nullptr) fail_argument("coracle_client_request: the request is NULL");
    const coracle_request request = options_of(given, "coracle_request");
    const auto ask =
        [whom = server_of(request), content = content_for(request),
         how = options_for(request)](ClientRole& me) -> Task<std::shared_ptr<ResultObject>> {
      Task<Result<Message>> asking = me.call_result(whom, content, how);
      Result<Message> reply = co_await asking;
      if (!reply) throw reply.error();
      const Content said = reply->consume();
      std::vector<Cbor> values;
      values.push_back(cbor_in(said));
      co_return std::make_shared<ResultObject>(std::move(values));
    };
    act<ClientRole>(client, out, begin, ask);
  });
}
