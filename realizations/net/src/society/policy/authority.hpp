// The one place in a society's service that makes decisions of the policy: every request of a node,
// and every message that passes, comes here before it goes on. A node acts for the names that its
// session has registered, whatever its frames contain.
// Everything is on the thread of the links, except replace().
#pragma once

#include "coracle/directory.hpp"
#include "coracle/policy.hpp"
#include "coracle/support/secret_hash.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"
#include "refusals.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace coracle::society {

class Authority {
 public:
  Authority(std::shared_ptr<const Policy> policy, Log log);

  // From now on `policy` is in force, for present nodes, too. Safe from every thread.
  void replace(std::shared_ptr<const Policy> policy);

  // The node that has opened a lease.
  struct Opener {
    std::string node;
    std::string certified{};  // the name in its certificate, or nothing
    bool is_inside = false;   // the service's own node, which passes on messages of others
  };
  void opened(LeaseId lease, Opener who);
  void ended(LeaseId lease);
  // A lease holds that name now.
  void claimed(LeaseId lease, const Name& name);

  // Returns the reason when the policy forbids the action; that is noted in the log once.
  std::optional<Error> against_claim(LeaseId lease, const Name& name);
  std::optional<Error> against_join(LeaseId lease, const Name& member, const Name& group);
  // Likewise: returns whether the node may, as that source, send to that target.
  bool lets_send(LeaseId lease, const Name& source, const Name& target);
  // Returns whether the node may send in that name.
  bool lets_speak(LeaseId lease, const Name& name);
  // Returns whether a mailbox of the node may redirect messages of that source to an agent of
  // another node.
  bool lets_redirect(LeaseId lease, const Name& mailbox, const Name& source, const Name& target);
  // Returns whether the node may pass a copy of such a message to that eavesdropper.
  bool lets_overhear(LeaseId lease, const Name& eavesdropper, const Name& source,
                     const Name& target);
  // Returns whether that eavesdropper of the node may register to overhear anything.
  bool lets_listen(LeaseId lease, const Name& eavesdropper);
  // Returns whether the node may be the message store, to which others hand over waiting messages:
  // only the service's own node may.
  bool lets_keep(LeaseId lease);
  // Returns whether the node may inspect that name.
  bool lets_inspect(LeaseId lease, const Name& name);
  // Returns whether the node may end and restart the agent of that name. If so, the audit notes
  // that it does, reported by the agent's node.
  bool lets_operate(LeaseId lease, const Name& name, const Opener& at);
  // Returns the refusals after the one of that serial, as far as such a node may see them; nothing
  // when it may see none.
  std::optional<std::vector<Refusal>> audit(const Opener& asker, std::uint64_t after);
  // A node has refused that, and has reported it.
  void note_reported(Refusal refusal) { refusals_.note(std::move(refusal)); }
  // Returns whether something was refused that was not taken.
  bool has_refused() const noexcept { return refused_ != 0; }
  RefusalReport take_refusals();

 private:
  struct Member {
    Opener who;
    std::unordered_set<Name, detail::SecretHash> names;  // the names that the lease has held
  };
  struct Question {
    Action action;
    Name from, to;
    bool operator==(const Question&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Question& question) const;
  };

  // The policy's answers are cached, because most are needed again and again.
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
  void note(LeaseId lease, const Refused& refused);
  std::string refuse(LeaseId lease, const Refused& refused, const std::string& what);

  const Log log_;
  std::mutex mutex_;  // guards `next_`
  std::shared_ptr<const Policy> next_;
  std::shared_ptr<const Policy> policy_;
  std::map<LeaseId, Member> members_;
  std::unordered_map<Name, LeaseId, detail::SecretHash> last_holders_;
  std::unordered_map<Question, bool, Hash> answers_;
  std::set<std::string> lines_;  // the lines that were logged
  Refusals refusals_;
  std::uint64_t refused_ = 0;  // since the last report
};

}  // namespace coracle::society
