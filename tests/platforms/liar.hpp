// A platform that lies: it writes any sender, any receiver, any envelope and any content, answers
// in the names of others, sends again what it has received, and answers letters as it likes.
#pragma once

#include "net.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::fipa::test {

// Begins the content of each of its messages.
inline constexpr const char* lie_mark = "lie";

// The acts of the liar, and the letters that it has received.
struct Deeds {
  std::uint64_t lies = 0;
  std::vector<std::string> learnt;
  std::string problem;  // the reason why it does not lie any more; empty: it does
};

class Liar final : public Agent {
 public:
  // It lies to these platforms, about these agents.
  Liar(Net& net, Deeds& deeds, std::vector<std::string> victims, std::vector<std::string> agents);

  Task<> run() override;

 private:
  std::uint64_t below(std::uint64_t count);
  template <class T>
  const T& any_of(const std::vector<T>& all) {
    return all.at(below(all.size()));
  }
  std::string some_name();
  std::vector<std::string> some_addresses();
  acl::AgentId some_agent();
  std::string some_identifier(const std::vector<std::string>& known);
  std::string some_content(const acl::Message& message);
  std::string some_act();
  acl::Message some_message();
  HttpBody some_bytes();
  void lie();
  Task<> take(Agent& me, HttpBody body);

  Net& net_;
  Deeds& deeds_;
  Random& random_;
  const std::vector<std::string> victims_, agents_;
  std::vector<std::string> conversations_{""}, identifiers_{""};
  std::vector<HttpBody> received_;
  std::uint64_t last_ = 0;
};

}  // namespace coracle::fipa::test
