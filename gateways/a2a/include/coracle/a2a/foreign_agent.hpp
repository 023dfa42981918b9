// An agent of another system in the society, which is reached by A2A. Agents ask it as any other
// one, and find it by the properties that its card becomes.
// Tests: gateways/a2a/tests/client/foreign_agent_test.cpp, and a2a-sdk in tests/interop/a2a
#pragma once

#include "coracle/agent.hpp"
#include "coracle/clock.hpp"
#include "coracle/http/client.hpp"
#include "coracle/web/signature.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace coracle::a2a {

// The options of a foreign agent.
struct ForeignOptions {
  // The address of the agent, or that of its card, which ends with ".json".
  std::string address = {};
  // The proofs for its server: Authorization: Bearer TOKEN, and X-API-Key. Empty: there is none.
  // With one of them, the address and the origins have https, or are on this host.
  std::string token = {};
  std::string api_key = {};
  // Further origins that its card may name as places of the agent, as in
  // "https://agents.example.org". Without them, the agent is where its card is, so that no card
  // leads requests and proofs to another place.
  std::vector<std::string> origins = {};
  // If it is there, the card needs a signature that this check accepts, as jose::KeySet does. The
  // card is read without proofs then. When it cannot be read, or its signature is gone, the server
  // gets no further requests.
  web::SignatureCheck trusted = nullptr;
  // The society's own types of content that it may reply with, as in "plan/*". All types of media
  // are permitted.
  std::vector<std::string> types = {};
  // The longest time for one task.
  Duration task_time = std::chrono::hours(1);
  // The requests that are under way at a time, and those of one agent. Further ones are refused.
  std::size_t requests = 200;
  std::size_t requests_per_asker = 50;
  // The bytes of one task with its results, and the changes of one task.
  std::size_t bytes_per_task = std::size_t{16} << 20;
  std::size_t changes_per_task = 100'000;
  // The interval at which the card is read again, and at which a task without a stream is looked
  // at.
  Duration card_time = std::chrono::minutes(10);
  Duration poll_time = std::chrono::seconds(1);
};

// The options of a client for such an agent alone: it has a connection for each request, and some
// for the card and for what takes a short time, so that no task holds up another one.
http::ClientOptions foreign_client_options(const ForeignOptions& options);

// Create it with a name such as "a2a/painter", and with std::ref(client). A request becomes a task.
// Its result is the reply: one part as it is, and several parts as a whole message,
// application/a2a+json. A task that is rejected, canceled, or has failed refuses the request, with
// the reason. The headers a2a-context and a2a-metadata of the request go with it
// (<coracle/a2a/talk.hpp>).
//
// An agent whose request has the header a2a-talks, with any value, gets a Progress and each piece
// of the result in the conversation of the request as they come, and a Question as a request of its
// own, to which its reply is the answer. For any other agent, a question is a refusal.
//
// Properties: "title", "description", "version", "provider", "service" (the first skill), one
// "skill/ID" with the name of each skill, and one "extension/URI" with the parameters of each
// extension as JSON.
class ForeignAgent final : public Agent {
 public:
  // `client` and `random` outlive the agent. Fails with Errc::bad_options.
  ForeignAgent(http::Client& client, ForeignOptions options, Random& random = machine_random());
  ~ForeignAgent() override;

  // Takes requests until its node stops.
  coracle::Task<> run() override;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::a2a
