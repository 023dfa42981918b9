// The agents of an honest platform, which talk with those of another one, and the judge of what
// they see.
#pragma once

#include "net.hpp"

#include "coracle/acl/initiator.hpp"
#include "coracle/acl/participant.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace coracle::fipa::test {

// Begins the content of each message between honest agents.
inline constexpr const char* private_mark = "honest ";
// An agent that no platform may learn of.
inline constexpr const char* hidden = "vault/k7";
// The foreign agents that have a name at a time.
inline constexpr std::size_t most_foreign = 60;

// Collects the first fault.
class Judge {
 public:
  void fault(std::string text) {
    if (wrong_.empty()) wrong_ = std::move(text);
  }
  const std::string& wrong() const noexcept { return wrong_; }
  // Looks at a message that an agent of that platform has received.
  void look(const Message& message, const std::string& platform);
  void on_conversation() noexcept { ++conversations_; }
  std::uint64_t conversations() const noexcept { return conversations_; }
  // A chief has had all its conversations.
  void on_end() noexcept { ++ended_; }
  unsigned ended() const noexcept { return ended_; }

 private:
  std::string wrong_;
  std::uint64_t conversations_ = 0;
  unsigned ended_ = 0;
};

// Answers each request with the same content.
class Echo final : public Agent {
 public:
  Echo(Judge& judge, std::string platform) : judge_(judge), platform_(std::move(platform)) {}
  Task<> run() override;

 private:
  Judge& judge_;
  const std::string platform_;
};

// Bids and works, by the protocols.
class Worker final : public acl::Participant {
 public:
  explicit Worker(acl::Settings settings) : Participant(std::move(settings), {50, 10}) {}

 protected:
  Task<> act() override;
  Task<> converse(acl::Talk& talk) override;
};

// Reads numbered messages.
class Reader final : public Agent {
 public:
  Reader(Judge& judge, std::string platform) : judge_(judge), platform_(std::move(platform)) {}
  Task<> run() override;

 private:
  Judge& judge_;
  const std::string platform_;
  std::map<std::string, int> next_;  // by the source
};

// Reads nothing.
class Full final : public Agent {
  Task<> run() override;
};

// Nobody outside knows it.
class Hidden final : public Agent {
 public:
  explicit Hidden(Judge& judge) : judge_(judge) {}
  Task<> run() override;

 private:
  Judge& judge_;
};

// Has conversations with the agents of the other platform.
class Chief final : public Agent {
 public:
  Chief(Judge& judge, Random& random, SocietyUnderTest& here, SocietyUnderTest& there);
  Task<> run() override;

 private:
  std::string fresh();
  Name named(const std::string& agent) const;
  acl::Message to(const std::string& agent) const;
  acl::Terms terms();
  Task<> converse_once();
  Task<> ask_echo();
  Task<> request_work();
  Task<> call_for_bids();
  Task<> number_messages();
  Task<> search_there(std::int64_t depth);
  Task<> ask_nobody();
  Task<> ask_liar();
  Task<> count_names();
  void look_at_the_rest();
  void want(bool is_met, const std::string& text);

  Judge& judge_;
  Random& random_;
  SocietyUnderTest& here_;
  SocietyUnderTest& there_;
  std::set<std::string> answered_;
  int last_ = 0;
  int numbered_ = 0;
};

}  // namespace coracle::fipa::test
