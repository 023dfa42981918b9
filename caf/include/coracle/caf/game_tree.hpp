// The tree of moves that an arbiter grows out of its clients' wishes (the paper's section 2.3.1):
// it asks for judgements of what is new, and goes on where it may be best. It is the same whoever
// answers first. Contract: caf/tests/game_tree_test.cpp.
#pragma once

#include "coracle/caf/game.hpp"
#include "coracle/caf/plan.hpp"
#include "coracle/caf/selection.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::caf {

// How far a tree may grow.
struct GrowthLimits {
  // How many nodes there may be: the budget. A tree with a greater one begins as that with the
  // smaller one, so that the plan is never worse by a rule that compares plans.
  std::uint32_t nodes = 1'000'000;
  // How many of them are judged at a time, about.
  std::uint32_t batch = 64;
  // How long a plan may be.
  std::uint32_t depth = 10'000;
  // How many moves one client may wish for at one node.
  std::uint32_t moves = 64;
  // Whether of two ways to the same state only the better one is followed. Not where clients move
  // by turns.
  bool merges = true;

  friend bool operator==(const GrowthLimits&, const GrowthLimits&) = default;
};

// How far a node has come.
enum class NodeStatus : std::uint8_t {
  fresh,     // it is to be judged
  open,      // somebody has wishes there
  expanded,  // they are in the tree
  terminal,  // nobody wants to go on
  pruned,    // it is not followed: see GameNode::why
};

// One node.
struct GameNode {
  NodeId parent = 0;
  std::uint32_t depth = 0;
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  NodeStatus status = NodeStatus::fresh;
  // Whether a plan may end there.
  bool is_candidate = false;
  // A static text, where it is pruned.
  const char* why = "";
  // The first of its children, and the next of its parent's; zero: none.
  NodeId child = 0;
  NodeId sibling = 0;
  // Whose wish it was: client i when bit i is set.
  std::uint64_t sponsors = 0;
};

// The tree of one negotiation. Clients are numbers, at most 64 of them.
class GameTree {
 public:
  // A root to be judged. `before` is what each client has thought of what was before it, if it goes
  // on with something; `game` outlives the tree. Fails with Errc::bad_options for too many clients,
  // or limits of zero.
  GameTree(const Game& game, std::vector<Interest> clients, Selection rule, GrowthLimits limits,
           std::string state, std::int64_t cost, std::vector<Worth> before);
  GameTree(const GameTree&) = delete;
  GameTree& operator=(const GameTree&) = delete;

  // What is to be judged now, in the order of their numbers.
  const std::vector<NodeId>& fresh() const noexcept { return fresh_; }
  // A client judges a node. Gives why not, and puts what is wrong with single moves into `refused`.
  std::string judge(std::uint32_t client, const Judgement& judgement,
                    std::vector<std::string>& refused);
  // Whether a client has judged that node, which must be fresh.
  bool has_judged(std::uint32_t client, NodeId node) const noexcept;
  // All fresh nodes are judged: takes account of that, and makes the next ones. False: there is
  // nothing to be judged any more.
  bool grow();
  // A way that somebody wants to have looked at. Gives why not: a move is illegal.
  std::string propose(const std::vector<std::string>& moves);
  // A client has no say any more.
  void drop(std::uint32_t client);
  // The plan that ends there is out of the question; others through it are not.
  void strike(NodeId node);

  // The plan to be chosen by the rule among those that are there, by its last node. Of equal plans
  // the one that was there first. Nothing: all are out of the question.
  std::optional<NodeId> choice() const;
  // For pareto(): the plans that no other one is as good as, in the order of their cost.
  std::vector<NodeId> front() const;
  // Whether more budget would not give another choice.
  bool is_exhausted() const noexcept { return is_exhausted_; }

  // What is in it.
  std::size_t size() const noexcept { return nodes_.size(); }
  const GameNode& node(NodeId node) const { return nodes_.at(node); }
  const Worth& worth(NodeId node, std::uint32_t client) const {
    return worths_.at(node * clients_.size() + client);
  }
  // Who takes part, and what a plan that ends there is worth to them.
  const std::vector<Interest>& clients() const noexcept { return clients_; }
  Outlook outlook(NodeId node) const noexcept;
  // The way to a node.
  Plan plan(NodeId node) const;
  // What is sent to a client about the fresh nodes.
  std::vector<PlanNode> draft(std::uint32_t client) const;

 private:
  struct Wish {
    std::string move;
    Game::Step step;
    std::uint64_t sponsors = 0;
  };
  // What a node has while it is fresh or open.
  struct Growing {
    std::vector<Wish> wishes;
    std::uint64_t judged_by = 0;
  };
  struct Later {
    GameTree* tree;
    bool operator()(NodeId one, NodeId other) const { return tree->goes_later(one, other); }
  };
  // A way that is to be looked at.
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
  std::deque<GameNode> nodes_;  // where it is, a node stays
  // Of each node and client; scores and hopes side by side, for Outlook.
  std::vector<Worth> worths_;
  std::vector<std::int64_t> scores_;
  std::vector<std::int64_t> bests_;
  std::vector<std::int64_t> ends_;  // of each node
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
