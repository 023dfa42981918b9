// What a society's policy allows, written from docs/manual/14-operating.md alone and from none of
// the code that enforces it: its own reader, its own matcher, its own rule that the first line that
// fits decides.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::trust {

// `*` stands for anything within one part of a name, `**` for anything at all.
bool stands_for(const std::string& pattern, const std::string& name);

class Oracle {
 public:
  explicit Oracle(const std::string& policy);

  // A node of the society, by its certificate's name; the server's own node is asked nothing.
  struct Member {
    std::string certificate;
    bool is_servers = false;
    std::set<std::string> registered{};  // names of its agents, past ones included
  };

  // What the table of rules says.
  bool lets(const std::string& word, const std::string& who, const std::string& what) const;

  bool may_register(const Member& member, const std::string& name) const {
    return lets("register", member.certificate, name);
  }
  // It speaks only for names that it has registered, or that it might have and nobody has.
  bool may_speak_as(const Member& member, const std::string& name) const;
  bool may_send(const Member& member, const std::string& source, const std::string& target) const;
  // What `mailbox`, on that node, got from `source`, and hands on to `target`.
  bool may_redirect(const Member& member, const std::string& mailbox, const std::string& source,
                    const std::string& target) const;
  // A copy of what `source`, on that node, has sent to `target`.
  bool may_copy(const Member& member, const std::string& hearer, const std::string& source,
                const std::string& target) const;
  // Whether such an agent might overhear anybody at all.
  bool may_listen(const Member& member, const std::string& hearer) const;
  bool may_join(const Member& member, const std::string& agent, const std::string& group) const;
  bool may_keep(const Member& member) const { return member.is_servers; }
  bool may_look_at(const Member& member, const std::string& name) const {
    return may_register(member, name);
  }

  // A name is that node's now; `nodes` are all that there are.
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
