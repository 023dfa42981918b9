#include "gateways/foreign_agents.hpp"

#include "coracle/a2a/foreign_agent.hpp"
#include "coracle/errors.hpp"
#ifdef CORACLE_HAS_JOSE
#include "coracle/jose/key_set.hpp"
#endif
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"
#include "coracle/web/secret_file.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

struct ForeignProof {
  std::string token, api_key;
};
using ProofsByName = std::map<std::string, ForeignProof>;

ProofsByName proofs_in(const std::string& path) {
  ProofsByName proofs;
  if (path.empty()) return proofs;
  const std::string text = web::read_secret_file(path, "file of proofs");
  try {
    const web::Json whole = web::parse_json(text).value();
    const web::JsonReader reader(whole);
    for (const web::Json::Member& each : *reader.object().if_object()) {
      const web::JsonReader agent = reader.at(each.name);
      ForeignProof proof{agent.text_or_empty("token"), agent.text_or_empty("apiKey")};
      if (proof.token.empty() && proof.api_key.empty()) agent.fail("has neither apiKey nor token");
      proofs.emplace(each.name, std::move(proof));
    }
  } catch (const Error& problem) {
    throw Error(Errc::bad_options, "the file of proofs " + detail::quoted(path, 200) +
                                       " cannot be used: " + problem.sentence());
  }
  return proofs;
}

// The check of the signatures of foreign agents' cards; nothing: they need none.
web::SignatureCheck card_check([[maybe_unused]] const A2aSettings& settings) {
#ifdef CORACLE_HAS_JOSE
  if (!settings.trusted_cards.empty())
    return [keys = jose::KeySet::from_file(settings.trusted_cards)](const web::Signature& signature,
                                                                    std::string_view text) {
      return keys.check(signature, text);
    };
#endif
  return nullptr;
}

}  // namespace

void create_foreign_agents(Node& node, http::Loop& loop, std::deque<http::Client>& clients,
                           const A2aSettings& settings) {
  ProofsByName proofs = proofs_in(settings.proofs);
  const web::SignatureCheck trusted = card_check(settings);
  for (const std::string& text : settings.agents) {
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == text.npos)
      throw Error(Errc::bad_options, detail::quoted(text, 200) +
                                         " names no agent of another system; write for example "
                                         "painter=https://agents.example.org/painter");
    const std::string name = text.substr(0, sign);
    a2a::ForeignOptions options;
    options.address = text.substr(sign + 1);
    options.trusted = trusted;
    if (const auto own = proofs.extract(name)) {
      options.token = own.mapped().token;
      options.api_key = own.mapped().api_key;
    }
    http::Client& client = clients.emplace_back(loop, a2a::foreign_client_options(options));
    node.create<a2a::ForeignAgent>("a2a/" + name, std::ref(client), options);
  }
  if (!proofs.empty())
    throw Error(Errc::bad_options, "the file of proofs names " +
                                       detail::quoted(proofs.begin()->first, 200) +
                                       ", which no --agent has; correct one of them");
}

}  // namespace coracle::command
