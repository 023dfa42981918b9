// The tree of moves that an arbiter grows from its clients' wishes (the paper's section 2.3.1). The
// tree requests judgements of its new nodes, and continues where the best plan may be. The order in
// which clients reply does not change the tree. Tests: caf/tests/negotiation/game_tree_test.cpp.
#pragma once

#include "coracle/caf/game.hpp"
#include "coracle/caf/negotiation/plan.hpp"
#include "coracle/caf/negotiation/selection.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::caf {

// The limits of a tree's growth.
struct GrowthLimits {
  // The budget: the greatest number of nodes. A tree with a greater budget begins like a tree with
  // a smaller one. So the plan is never worse by a rule that compares plans.
  std::uint32_t nodes = 1'000'000;
  // The approximate number of nodes that are judged at a time.
  std::uint32_t batch = 64;
  // The greatest length of a plan.
  std::uint32_t depth = 10'000;
  // The greatest number of moves that one client may wish for at one node.
  std::uint32_t moves = 64;
  // If true, the tree follows only the better of two ways to the same state. This does not apply
  // where clients move by turns.
  bool merges = true;

  friend bool operator==(const GrowthLimits&, const GrowthLimits&) = default;
};

// The status of a node.
enum class NodeStatus : std::uint8_t {
  fresh,     // the node is to be judged
  open,      // some client has wishes there
  expanded,  // the wishes are in the tree
  terminal,  // no client wants to continue
  pruned,    // the tree does not follow the node: see GameNode::why
};

// A node of the tree.
struct GameNode {
  NodeId parent = 0;
  std::uint32_t depth = 0;
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  NodeStatus status = NodeStatus::fresh;
  // True if a plan may end at this node.
  bool is_candidate = false;
  // The reason why the node is pruned: a static text.
  const char* why = "";
  // The node's first child, and the next child of its parent; zero: none.
  NodeId child = 0;
  NodeId sibling = 0;
  // The clients that wished for the node: client i when bit i is set.
  std::uint64_t sponsors = 0;
};

// The tree of one negotiation. Clients are numbers.
class GameTree {
 public:
  // The greatest number of clients.
  static constexpr std::size_t max_clients = 64;

  // Creates a tree whose root is to be judged. `before` is each client's worth of the state before
  // the root, if the negotiation continues a plan. `game` outlives the tree. Fails with
  // Errc::bad_options for too many clients, or limits of zero.
  GameTree(const Game& game, std::vector<Interest> clients, Selection rule, GrowthLimits limits,
           std::string state, std::int64_t cost, std::vector<Worth> before);
  GameTree(const GameTree&) = delete;
  GameTree& operator=(const GameTree&) = delete;

  // The nodes to be judged now, in the order of their numbers.
  const std::vector<NodeId>& fresh() const noexcept { return fresh_; }
  // Takes the judgement of a client about a node. Returns the reason if the judgement is refused,
  // and puts the faults of single moves into `refused`.
  std::string judge(std::uint32_t client, const Judgement& judgement,
                    std::vector<std::string>& refused);
  // Returns whether a client has judged that node, which must be fresh.
  bool has_judged(std::uint32_t client, NodeId node) const noexcept;
  // Requires that all fresh nodes are judged. Evaluates the judgements, and adds the next fresh
  // nodes. Returns false when no node is left to be judged.
  bool grow();
  // Adds a sequence of moves that a client wants the tree to examine. Returns the reason if a move
  // is illegal.
  std::string propose(const std::vector<std::string>& moves);
  // Removes a client: its judgements count no more.
  void drop(std::uint32_t client);
  // Excludes the plan that ends at `node`; other plans through the node remain.
  void strike(NodeId node);

  // The last node of the plan that the rule chooses among the present plans. Of equal plans, it is
  // the one that came first. Empty: all plans are excluded.
  std::optional<NodeId> choice() const;
  // For pareto(): the plans that no other plan equals or betters, in the order of their cost.
  std::vector<NodeId> front() const;
  // Returns true if a greater budget would give the same choice.
  bool is_exhausted() const noexcept { return is_exhausted_; }

  // The number of nodes, and their contents.
  std::size_t size() const noexcept { return nodes_.size(); }
  const GameNode& node(NodeId node) const { return nodes_.at(node); }
  const Worth& worth(NodeId node, std::uint32_t client) const {
    return worths_.at(node * clients_.size() + client);
  }
  // The clients, and the value of a plan that ends at `node` for each client.
  const std::vector<Interest>& clients() const noexcept { return clients_; }
  Outlook outlook(NodeId node) const noexcept;
  // Returns the plan that leads to a node.
  Plan plan(NodeId node) const;
  // Returns the content about the fresh nodes that is sent to a client.
  std::vector<PlanNode> draft(std::uint32_t client) const;

 private:
  struct Wish {
    std::string move;
    Game::Step step;
    std::uint64_t sponsors = 0;
  };
  // The data that a node has while it is fresh or open.
  struct Growing {
    std::vector<Wish> wishes;
    std::uint64_t judged_by = 0;
  };
  struct Later {
    GameTree* tree;
    bool operator()(NodeId one, NodeId other) const { return tree->goes_later(one, other); }
  };
  // A sequence of moves that is to be examined.
  struct Proposed {
    std::vector<std::string> moves;
    std::size_t next = 0;
    NodeId at = 0;
  };

  NodeId add(NodeId parent, std::string move, Game::Step&& step, std::uint64_t sponsors);
  std::optional<NodeId> child(NodeId node, const std::string& move) const;
  void settle(NodeId node);
  bool is_merged(NodeId node);
  void consider(NodeId node);
  bool expand(NodeId node);
  void follow_proposed();
  bool goes_later(NodeId one, NodeId other) const;
  Outlook hope(NodeId node) const noexcept;
  bool can_better(NodeId node) const;
  std::optional<std::uint32_t> turn(NodeId node) const;
  std::optional<NodeId> played() const;
  void rank_again();

  const Game& game_;
  std::vector<Interest> clients_;
  Selection rule_;
  GrowthLimits limits_;
  std::vector<Worth> before_;
  std::vector<bool> has_say_;
  std::deque<GameNode> nodes_;  // the address of a node never changes
  // For each node and client; scores and best scores are in arrays of their own, for Outlook.
  std::vector<Worth> worths_;
  std::vector<std::int64_t> scores_;
  std::vector<std::int64_t> bests_;
  std::vector<std::int64_t> ends_;  // for each node
  std::unordered_map<NodeId, Growing> growing_;
  std::vector<NodeId> fresh_;
  std::priority_queue<NodeId, std::vector<NodeId>, Later> open_;
  std::unordered_map<std::string_view, std::vector<NodeId>> by_state_;
  std::vector<Proposed> proposed_;
  std::optional<NodeId> choice_;
  std::vector<NodeId> front_;
  bool is_exhausted_ = false;
};

}  // namespace coracle::caf
