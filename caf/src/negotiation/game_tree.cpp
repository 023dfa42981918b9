// The growth of the tree. The choice from it is in game_choice.cpp.
#include "coracle/caf/negotiation/game_tree.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

constexpr std::size_t move_limit = 4096;

constexpr std::uint64_t bit(std::uint32_t client) { return std::uint64_t{1} << client; }

}  // namespace

GameTree::GameTree(const Game& game, std::vector<Interest> clients, Selection rule,
                   GrowthLimits limits, std::string state, std::int64_t cost,
                   std::vector<Worth> before)
    : game_(game),
      clients_(std::move(clients)),
      rule_(std::move(rule)),
      limits_(limits),
      before_(std::move(before)),
      has_say_(clients_.size(), true),
      open_(Later{this}) {
  std::string fault;
  if (clients_.size() > max_clients) fault = "it has more than 64 clients; let fewer take part";
  if (limits_.nodes == 0 || limits_.batch == 0)
    fault = "its budget has no room; give at least one node and one of a batch";
  if (!fault.empty()) throw Error(Errc::bad_options, "a game tree cannot be grown: " + fault);
  before_.resize(clients_.size());
  limits_.merges = limits_.merges && !rule_.plays();
  (void)add(0, {}, Game::Step{std::move(state), cost, {}, true}, 0);
}

NodeId GameTree::add(NodeId parent, std::string move, Game::Step&& step, std::uint64_t sponsors) {
  const auto id = static_cast<NodeId>(nodes_.size());
  GameNode node;
  node.parent = parent;
  node.move = std::move(move);
  node.state = std::move(step.state);
  node.cost = step.cost;
  node.sponsors = sponsors;
  if (id != 0) {
    GameNode& above = nodes_[parent];
    node.depth = above.depth + 1;
    node.cost += above.cost;
    node.sibling = above.child;
    above.child = id;
  }
  nodes_.push_back(std::move(node));
  worths_.resize(worths_.size() + clients_.size());
  scores_.resize(worths_.size());
  bests_.resize(worths_.size());
  ends_.push_back(0);
  growing_.emplace(id, Growing());
  fresh_.push_back(id);
  return id;
}

std::optional<NodeId> GameTree::child(NodeId node, const std::string& move) const {
  for (NodeId each = nodes_[node].child; each != 0; each = nodes_[each].sibling) {
    if (nodes_[each].move == move) return each;
  }
  return std::nullopt;
}

bool GameTree::has_judged(std::uint32_t client, NodeId node) const noexcept {
  const auto found = growing_.find(node);
  return found == growing_.end() || (found->second.judged_by & bit(client)) != 0;
}

std::string GameTree::judge(std::uint32_t client, const Judgement& judgement,
                            std::vector<std::string>& refused) {
  const NodeId id = judgement.node;
  const std::string which = "node " + std::to_string(id);
  if (id >= nodes_.size()) return "there is no " + which;
  if (!has_say_[client]) return "you no longer take part in this negotiation";
  if (nodes_[id].status != NodeStatus::fresh || has_judged(client, id)) {
    return which + " is judged already";
  }
  if (std::string fault = fault_of(judgement.worth); !fault.empty()) return which + ": " + fault;
  Growing& growing = growing_[id];
  growing.judged_by |= bit(client);
  worths_[id * clients_.size() + client] = judgement.worth;
  std::size_t taken = 0;
  for (const std::string& each : judgement.moves) {
    const std::string what = "move '" + each.substr(0, 80) + "' at " + which + ": ";
    if (++taken > limits_.moves) {
      refused.push_back(what + "no more than " + std::to_string(limits_.moves) + " are taken");
      break;
    }
    const auto same = std::find_if(growing.wishes.begin(), growing.wishes.end(),
                                   [&](const Wish& wish) { return wish.move == each; });
    if (same != growing.wishes.end()) {
      same->sponsors |= bit(client);
      continue;
    }
    Game::Step step = each.size() > move_limit ? Game::Step::illegal("it is too long")
                                               : game_.apply(nodes_[id].state, each);
    if (step.fault.empty()) growing.wishes.push_back({each, std::move(step), bit(client)});
    else refused.push_back(what + step.fault);
  }
  return {};
}

// Evaluates a node that all clients have judged.
void GameTree::settle(NodeId id) {
  GameNode& node = nodes_[id];
  const std::size_t first = id * clients_.size();
  bool is_feasible = true;
  std::int64_t end = node.cost;
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    if (!has_say_[i]) worths_[first + i] = {0, 0, node.cost, 0, true};
    const Worth& worth = worths_[first + i];
    scores_[first + i] = worth.score;
    bests_[first + i] = worth.best;
    end = std::max(end, worth.ends);
    is_feasible = is_feasible && worth.feasible;
  }
  ends_[id] = end;
  if (!is_feasible) {
    node.status = NodeStatus::pruned;
    node.why = "a client finds it infeasible";
  } else {
    node.is_candidate = true;
    if (limits_.merges && is_merged(id)) {
      node.status = NodeStatus::pruned;
      node.why = "another way to the same state is as good";
    } else if (growing_[id].wishes.empty() || node.depth >= limits_.depth) {
      node.status = NodeStatus::terminal;
    } else {
      node.status = NodeStatus::open;
      open_.push(id);
    }
    consider(id);
  }
  if (node.status != NodeStatus::open) growing_.erase(id);
}

bool GameTree::is_merged(NodeId id) {
  const auto as_good = [this](NodeId one, NodeId other) {
    const Outlook most{{bests_.data() + one * clients_.size(), clients_.size()}, ends_[one]};
    const Outlook most_there{{bests_.data() + other * clients_.size(), clients_.size()},
                             ends_[other]};
    return is_as_good(outlook(one), outlook(other)) && is_as_good(most, most_there);
  };
  std::vector<NodeId>& same = by_state_[nodes_[id].state];
  for (const NodeId each : same) {
    if (as_good(each, id)) return true;
  }
  std::erase_if(same, [&](NodeId each) {
    if (!as_good(id, each)) return false;
    if (nodes_[each].status == NodeStatus::open) {
      nodes_[each].status = NodeStatus::pruned;
      nodes_[each].why = "another way to the same state is better";
      growing_.erase(each);
    }
    return true;
  });
  same.push_back(id);
  return false;
}

// Makes nodes of the wishes at a node. Returns false when the budget is spent.
bool GameTree::expand(NodeId id) {
  Growing& growing = growing_[id];
  // The order is that of the moves, so it does not matter which client replied first.
  std::sort(growing.wishes.begin(), growing.wishes.end(),
            [](const Wish& one, const Wish& other) { return one.move < other.move; });
  std::vector<Wish> wishes = std::move(growing.wishes);
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    Wish& wish = wishes[i];
    if (const auto known = child(id, wish.move)) {
      nodes_[*known].sponsors |= wish.sponsors;
      continue;
    }
    if (nodes_.size() >= limits_.nodes) {
      wishes.erase(wishes.begin(), wishes.begin() + static_cast<std::ptrdiff_t>(i));
      growing_[id].wishes = std::move(wishes);
      return false;
    }
    (void)add(id, std::move(wish.move), std::move(wish.step), wish.sponsors);
  }
  nodes_[id].status = NodeStatus::expanded;
  growing_.erase(id);
  return true;
}

std::string GameTree::propose(const std::vector<std::string>& moves) {
  std::string state = nodes_[0].state;
  if (moves.size() > limits_.depth) {
    return "it has more than " + std::to_string(limits_.depth) + " moves";
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    Game::Step step = moves[i].size() > move_limit ? Game::Step::illegal("it is too long")
                                                   : game_.apply(state, moves[i]);
    if (!step.fault.empty()) {
      return "move " + std::to_string(i + 1) + " ('" + moves[i].substr(0, 80) +
             "') is illegal: " + step.fault;
    }
    state = std::move(step.state);
  }
  proposed_.push_back({moves, 0, 0});
  return {};
}

// Adds the next move of each proposed sequence, once the node before it is judged.
void GameTree::follow_proposed() {
  for (Proposed& way : proposed_) {
    while (way.next < way.moves.size()) {
      const std::string& move = way.moves[way.next];
      auto next = child(way.at, move);
      const bool is_new = !next;
      if (is_new) {
        if (nodes_.size() >= limits_.nodes) break;
        next = add(way.at, move, game_.apply(nodes_[way.at].state, move), 0);
      }
      way.at = *next;
      ++way.next;
      if (nodes_[way.at].status == NodeStatus::fresh) break;
    }
  }
  std::erase_if(proposed_, [this](const Proposed& way) {
    return way.next == way.moves.size() || nodes_.size() >= limits_.nodes;
  });
}

bool GameTree::grow() {
  const std::vector<NodeId> judged = std::exchange(fresh_, {});
  for (const NodeId each : judged) settle(each);
  if (!proposed_.empty()) follow_proposed();
  is_exhausted_ = false;
  // Proposed sequences go first.
  while (proposed_.empty() && fresh_.size() < limits_.batch && !open_.empty()) {
    const NodeId id = open_.top();
    if (nodes_[id].status != NodeStatus::open) {
      open_.pop();
      continue;
    }
    if (!can_better(id)) {
      // Where plans are compared, this node is the most hopeful of all open nodes.
      if (rule_.kind() == Selection::Kind::order) break;
      open_.pop();  // the node stays open: it may be wanted if a plan is struck
      continue;
    }
    if (!expand(id)) break;
    open_.pop();
  }
  if (fresh_.empty()) is_exhausted_ = open_.empty() || !can_better(open_.top());
  return !fresh_.empty();
}

std::vector<PlanNode> GameTree::draft(std::uint32_t client) const {
  std::vector<PlanNode> draft;
  draft.reserve(fresh_.size());
  for (const NodeId id : fresh_) {
    const GameNode& node = nodes_[id];
    draft.push_back({id, node.parent, node.move, node.state, node.cost,
                     id == 0 ? before_[client] : worth(node.parent, client)});
  }
  return draft;
}

}  // namespace coracle::caf
