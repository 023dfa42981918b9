#include "server/reply.hpp"

#include "coracle/web/json_rpc.hpp"

namespace coracle::a2a {

namespace {

constexpr std::string_view rpc_type = "application/json", rest_type = "application/a2a+json";

}  // namespace

http::Response ReplyForm::result(std::string_view result) const {
  if (id_) return http::Response::with(web::write_rpc_result(*id_, result), rpc_type);
  return http::Response::with(std::string(result), rest_type);
}

http::Response ReplyForm::error(const Fault& fault) const {
  const int status = http_status_of(fault.kind());
  if (!id_) return http::Response::with(web::to_text(http_error_of(fault)), rest_type, status);
  const bool is_proof = fault.kind() == FaultKind::unauthenticated;
  return http::Response::with(web::write_rpc_error(*id_, rpc_error_of(fault)), rpc_type,
                              is_proof ? status : 200);
}

std::string ReplyForm::item(std::string_view item) const {
  return id_ ? web::write_rpc_result(*id_, item) : std::string(item);
}

}  // namespace coracle::a2a
