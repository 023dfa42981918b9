#include "coracle/http/message.hpp"

#include "coracle/support/quote.hpp"

#include <algorithm>
#include <array>

namespace coracle::http {

std::string_view Request::parameter(std::string_view name) const noexcept {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == parameters.end() ? std::string_view() : found->second;
}

Response Response::with(std::string body, std::string_view type, int status) {
  Response made;
  made.status = status;
  made.headers.add("Content-Type", type);
  made.body = std::move(body);
  return made;
}

Response Response::plain(int status, std::string_view why) {
  std::string text = std::to_string(status) + ' ' + std::string(reason_of(status));
  if (!why.empty()) text.append(": ").append(detail::shown(why));
  // JADE's client takes the rest of its connection for garbage if a body has no end of line.
  return with(text + "\r\n", "text/plain; charset=utf-8", status);
}

std::string_view reason_of(int status) noexcept {
  using Entry = std::pair<int, std::string_view>;
  static constexpr Entry all[] = {{100, "Continue"},
                                  {101, "Switching Protocols"},
                                  {200, "OK"},
                                  {201, "Created"},
                                  {202, "Accepted"},
                                  {204, "No Content"},
                                  {206, "Partial Content"},
                                  {301, "Moved Permanently"},
                                  {302, "Found"},
                                  {303, "See Other"},
                                  {304, "Not Modified"},
                                  {307, "Temporary Redirect"},
                                  {308, "Permanent Redirect"},
                                  {400, "Bad Request"},
                                  {401, "Unauthorized"},
                                  {403, "Forbidden"},
                                  {404, "Not Found"},
                                  {405, "Method Not Allowed"},
                                  {406, "Not Acceptable"},
                                  {408, "Request Timeout"},
                                  {409, "Conflict"},
                                  {410, "Gone"},
                                  {411, "Length Required"},
                                  {412, "Precondition Failed"},
                                  {413, "Content Too Large"},
                                  {414, "URI Too Long"},
                                  {415, "Unsupported Media Type"},
                                  {417, "Expectation Failed"},
                                  {421, "Misdirected Request"},
                                  {422, "Unprocessable Content"},
                                  {426, "Upgrade Required"},
                                  {429, "Too Many Requests"},
                                  {431, "Request Header Fields Too Large"},
                                  {500, "Internal Server Error"},
                                  {501, "Not Implemented"},
                                  {502, "Bad Gateway"},
                                  {503, "Service Unavailable"},
                                  {504, "Gateway Timeout"},
                                  {505, "HTTP Version Not Supported"}};
  for (const auto& [code, words] : all) {
    if (code == status) return words;
  }
  return {};
}

bool is_idempotent(std::string_view method) noexcept {
  constexpr std::array<std::string_view, 6> all = {"GET",   "HEAD", "OPTIONS",
                                                   "TRACE", "PUT",  "DELETE"};
  return std::find(all.begin(), all.end(), method) != all.end();
}

}  // namespace coracle::http
