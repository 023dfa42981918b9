// The one place of a society's service that says yes or no: everything that a node asks for, and
// every message that goes by, comes here before it goes on. A node acts for the names that its
// session has registered, whatever its frames say.
// Everything is on the thread of the links, but for replace().
#pragma once

#include "coracle/directory.hpp"
#include "coracle/policy.hpp"
#include "refusals.hpp"
#include "secret_hash.hpp"
#include "way.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace coracle::society {

class Authority {
 public:
  Authority(std::shared_ptr<const Policy> policy, Log log);

  // From now on that one holds, for those who are there, too. Safe from every thread.
  void replace(std::shared_ptr<const Policy> policy);

  // Who has opened a lease.
  struct Opener {
    std::string node;
    std::string certified{};  // what its certificate says, or nothing
    bool is_inside = false;   // the service's own node, which passes on what others have said
  };
  void opened(LeaseId lease, Opener who);
  void ended(LeaseId lease);
  // A lease holds that name now.
  void claimed(LeaseId lease, const Name& name);

  // Why it may not, if it may not; that is noted in the log once.
  std::optional<Error> against_claim(LeaseId lease, const Name& name);
  std::optional<Error> against_join(LeaseId lease, const Name& member, const Name& group);
  // Likewise: whether it may, as that source, send to that target.
  bool lets_send(LeaseId lease, const Name& source, const Name& target);
  // Whether it may speak in that name.
  bool lets_speak(LeaseId lease, const Name& name);
  // Whether a mailbox of its own may hand what it got from that source on to another node's agent.
  bool lets_redirect(LeaseId lease, const Name& mailbox, const Name& source, const Name& target);
  // Whether it may pass a copy of such a message on to that hearer.
  bool lets_overhear(LeaseId lease, const Name& hearer, const Name& source, const Name& target);
  // Whether such a hearer of its own may ask to overhear anything.
  bool lets_listen(LeaseId lease, const Name& hearer);
  // Whether it may be the custodian, to which others hand over what waits: the service's own node.
  bool lets_keep(LeaseId lease);
  // Whether it may look at what waits for that name.
  bool lets_peek(LeaseId lease, const Name& name);
  // What was refused after the refusal of that serial, as far as such a node may see it; nothing
  // when it may see none.
  std::optional<std::vector<Refusal>> audit(const Opener& asker, std::uint64_t after);

 private:
  struct Member {
    Opener who;
    std::unordered_set<Name, detail::SecretHash> names;  // that it has held
  };
  struct Question {
    Action action;
    Name from, to;
    bool operator==(const Question&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Question& question) const;
  };

  // The policy's answers are kept, because most are asked for again and again.
  static constexpr std::size_t most_answers = 1 << 16, most_names = 1 << 20, most_lines = 4096;

  void look_at_policy();
  bool allows(Action action, const Name& from, const Name& to);
  bool may_register(const Member& member, const Name& name) const;
  bool speaks_for(LeaseId lease, const Name& name);
  const Member& member(LeaseId lease) const;
  struct Refused {
    const char* right;
    Name from, to;
  };
  std::string refuse(LeaseId lease, Refused refused, const std::string& what);

  const Log log_;
  std::mutex mutex_;  // guards `next_`
  std::shared_ptr<const Policy> next_;
  std::shared_ptr<const Policy> policy_;
  std::map<LeaseId, Member> members_;
  std::unordered_map<Name, LeaseId, detail::SecretHash> last_holders_;
  std::unordered_map<Question, bool, Hash> answers_;
  std::set<std::string> lines_;  // that were logged
  Refusals refusals_;
};

}  // namespace coracle::society
