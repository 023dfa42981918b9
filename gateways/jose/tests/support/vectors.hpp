// The tokens and keys that vectors/make.py has made.
#pragma once

#include "coracle/jose/token.hpp"
#include "coracle/web/json_reader.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

namespace coracle::jose::test {

inline std::string path_of(const std::string& file) {
  return std::string(CORACLE_JOSE_VECTORS) + "/" + file;
}

inline std::string text_of(const std::string& file) {
  std::ifstream in(path_of(file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct Vectors {
  using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

  // One of the tokens, by the fault that it has ("good": none) and its name.
  const std::string& token(std::string_view fault, std::string_view name) const {
    return web::JsonReader(whole).at("tokens").at(fault).at(name).text();
  }
  const std::string& text(std::string_view name) const {
    return web::JsonReader(whole).at(name).text();
  }
  TokenRules rules() const {
    TokenRules rules;
    rules.issuer = text("issuer");
    rules.audience = text("audience");
    rules.algorithms.emplace_back("ES384");
    return rules;
  }
  Moment now() const {
    return Moment(std::chrono::seconds(*web::JsonReader(whole).at("now").value().if_whole()));
  }

  web::Json whole = web::parse_json(text_of("tokens.json")).value();
  KeySet keys = KeySet::parse(text_of("keys.json")).value();
};

}  // namespace coracle::jose::test
