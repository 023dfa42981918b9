// A node, whose agents are run by an asyncio loop or by threads.
#pragma once

#include "hub.hpp"

namespace coracle::py {

class Node {
 public:
  // May wait for other nodes.
  Node(nb::handle realization, nb::handle identity, unsigned workers, std::size_t content_limit,
       nb::handle connect_time, nb::handle patience, nb::object hub);
  ~Node();
  Node(const Node&) = delete;

  coracle_node* handle() const;
  nb::object open_port(nb::handle self, nb::handle port);
  void start_space(nb::handle name);
  // (clean, still_alive, undelivered, kept, text)
  nb::tuple stop(nb::handle within);
  void close();
  static void close_all();

 private:
  coracle_node* handle_ = nullptr;
  nb::object hub_;
  Node *before_ = nullptr, *after_ = nullptr;  // among those that are open
  static Node* first_;
};

void define_node(nb::module_& module);

}  // namespace coracle::py
