// The permissions of a society's policy, written from docs/manual/14-operating.md alone and from
// none of the code that enforces them: it has its own reader, its own matcher, and its own rule
// that the first line that fits decides.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::trust {

// `*` stands for any text within one part of a name, `**` for any text at all.
bool stands_for(const std::string& pattern, const std::string& name);

class Oracle {
 public:
  explicit Oracle(const std::string& policy);

  // A node of the society, by its certificate's name; the policy does not apply to the server's own
  // node.
  struct Member {
    std::string certificate;
    bool is_servers = false;
    std::set<std::string> registered{};  // names of its agents, past ones included
  };

  // The decision of the table of rules.
  bool lets(const std::string& word, const std::string& who, const std::string& what) const;

  bool may_register(const Member& member, const std::string& name) const {
    return lets("register", member.certificate, name);
  }
  // A node may send only in names that it has registered, or that it may register and that have no
  // holder.
  bool may_speak_as(const Member& member, const std::string& name) const;
  bool may_send(const Member& member, const std::string& source, const std::string& target) const;
  // `mailbox`, on that node, redirects a message from `source` to `target`.
  bool may_redirect(const Member& member, const std::string& mailbox, const std::string& source,
                    const std::string& target) const;
  // A copy of a message that `source`, on that node, has sent to `target`.
  bool may_copy(const Member& member, const std::string& eavesdropper, const std::string& source,
                const std::string& target) const;
  // Returns whether such an agent might overhear any agent at all.
  bool may_listen(const Member& member, const std::string& eavesdropper) const;
  bool may_join(const Member& member, const std::string& agent, const std::string& group) const;
  bool may_keep(const Member& member) const { return member.is_servers; }
  bool may_look_at(const Member& member, const std::string& name) const {
    return may_register(member, name) || lets("inspect", member.certificate, name);
  }

  // The name is now held, or given up.
  void registered(const std::string& name) { taken_.insert(name); }
  void given_up(const std::string& name) { taken_.erase(name); }

 private:
  struct Line {
    bool allows;
    std::string who, word, what;
  };
  std::vector<Line> lines_;
  std::set<std::string> taken_;
};

}  // namespace coracle::trust
