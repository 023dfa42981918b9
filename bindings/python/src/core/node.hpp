// A node, whose agents are run by an asyncio loop or by threads.
#pragma once

#include "hub.hpp"

#include <unordered_set>

namespace coracle::py {

// The options of an agent, from a name and a dict or None, which must live as long.
struct AgentOptions {
  AgentOptions(nb::handle name, nb::handle dict);
  coracle_agent_options given{};

 private:
  std::vector<coracle_property> properties_;
};

struct Link;
class Role;

class Node {
 public:
  // May wait for other nodes.
  Node(nb::handle realization, nb::handle identity, unsigned workers, std::size_t content_limit,
       nb::handle connect_time, nb::handle patience, nb::object hub);
  ~Node();
  Node(const Node&) = delete;

  static Node& of(nb::handle self) { return *nb::inst_ptr<Node>(self); }
  coracle_node* handle() const;
  // The same for a role, whose functions the thread of the asyncio loop calls.
  coracle_node* handle_of_loop() const;
  // Keeps the role of the link alive until its agent has ended, or this node is closed.
  void keep(Link& link, Role& role);
  void forget(Link& link);
  nb::object open_port(nb::handle self, nb::handle port);
  void start_space(nb::handle name);
  // (clean, still_alive, undelivered, kept, text)
  nb::tuple stop(nb::handle within);
  void close();
  static void close_all();

 private:
  coracle_node* handle_ = nullptr;
  nb::object hub_;
  bool is_run_by_loop_ = false;
  std::unordered_set<Link*> links_;
  Node *before_ = nullptr, *after_ = nullptr;  // among those that are open
  static Node* first_;
};

void define_node(nb::module_& module);

}  // namespace coracle::py
