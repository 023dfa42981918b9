// The choice of a plan from a game tree.
#include "coracle/caf/negotiation/game_tree.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

constexpr NodeId no_node = ~NodeId{0};

}  // namespace

Outlook GameTree::outlook(NodeId id) const noexcept {
  return {{scores_.data() + id * clients_.size(), clients_.size()}, nodes_[id].cost};
}

// Returns the best possible outlook of a node.
Outlook GameTree::hope(NodeId id) const noexcept {
  return {{bests_.data() + id * clients_.size(), clients_.size()}, ends_[id]};
}

bool GameTree::goes_later(NodeId one, NodeId other) const {
  if (rule_.plays()) {
    const auto key = [this](NodeId id) { return std::pair(nodes_[id].depth, id); };
    return key(one) > key(other);
  }
  const auto by = rule_.compare(hope(one), hope(other), clients_);
  if (by != 0) return by < 0;
  // Of nodes with the same hope, the one with the greater cost so far goes first.
  if (nodes_[one].cost != nodes_[other].cost) return nodes_[one].cost < nodes_[other].cost;
  return one > other;
}

bool GameTree::can_better(NodeId id) const {
  if (rule_.plays()) return true;
  if (rule_.kind() == Selection::Kind::front) {
    return std::none_of(front_.begin(), front_.end(),
                        [this, id](NodeId each) { return is_as_good(outlook(each), hope(id)); });
  }
  return !choice_ || rule_.compare(hope(id), outlook(*choice_), clients_) > 0;
}

// Makes a plan that may be chosen the choice, if it is better than the present choice.
void GameTree::consider(NodeId id) {
  if (rule_.kind() == Selection::Kind::front) {
    for (const NodeId each : front_) {
      if (is_as_good(outlook(each), outlook(id))) return;
    }
    std::erase_if(front_,
                  [this, id](NodeId each) { return is_as_good(outlook(id), outlook(each)); });
    front_.push_back(id);
  } else if (!choice_ || rule_.compare(outlook(id), outlook(*choice_), clients_) > 0) {
    choice_ = id;
  }
}

void GameTree::rank_again() {
  choice_.reset();
  front_.clear();
  std::vector<NodeId> open;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].is_candidate) consider(id);
    if (nodes_[id].status == NodeStatus::open) open.push_back(id);
  }
  open_ = std::priority_queue<NodeId, std::vector<NodeId>, Later>(Later{this}, std::move(open));
}

void GameTree::strike(NodeId node) {
  nodes_[node].is_candidate = false;
  rank_again();
}

void GameTree::drop(std::uint32_t client) {
  if (!has_say_[client]) return;
  has_say_[client] = false;
  Interest& interest = clients_[client];
  interest = {std::move(interest.client), 0, 0, 0, 0};
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const std::size_t place = id * clients_.size() + client;
    worths_[place] = {0, 0, nodes_[id].cost, 0, true};
    scores_[place] = 0;
    bests_[place] = 0;
  }
  rank_again();
}

std::optional<std::uint32_t> GameTree::turn(NodeId node) const {
  const std::string name = game_.turn(nodes_[node].state);
  for (std::uint32_t i = 0; i < clients_.size(); ++i) {
    if (clients_[i].client == name) return i;
  }
  return std::nullopt;
}

std::optional<NodeId> GameTree::choice() const {
  if (rule_.plays()) return played();
  if (rule_.kind() == Selection::Kind::order) return choice_;
  std::optional<NodeId> best;
  for (const NodeId each : front_) {
    if (!best || rule_.compare(outlook(each), outlook(*best), clients_) > 0) best = each;
  }
  return best;
}

// Children have greater numbers than their parents. So a loop from the last node to the first has
// all results that it needs.
std::optional<NodeId> GameTree::played() const {
  const bool is_paranoid = rule_.kind() == Selection::Kind::paranoid;
  std::uint32_t hunted = turn(0).value_or(0);
  const auto score = [this](NodeId end, std::uint32_t client) {
    return outlook(end).scores[client];
  };
  const auto is_better = [&](NodeId one, NodeId other, std::optional<std::uint32_t> mover) {
    if (is_paranoid && !clients_.empty()) {
      const auto of = score(one, hunted) <=> score(other, hunted);
      if (of != 0) return !mover || *mover == hunted ? of > 0 : of < 0;
    } else if (mover && score(one, *mover) != score(other, *mover)) {
      return score(one, *mover) > score(other, *mover);
    }
    const auto for_all = rule_.compare(outlook(one), outlook(other), clients_);
    return for_all != 0 ? for_all > 0 : one < other;
  };
  std::vector<NodeId> ends(nodes_.size(), no_node);
  for (NodeId id = static_cast<NodeId>(nodes_.size()); id-- > 0;) {
    const auto mover = turn(id);
    for (NodeId each = nodes_[id].child; each != 0; each = nodes_[each].sibling) {
      const NodeId end = ends[each];
      if (end != no_node && (ends[id] == no_node || is_better(end, ends[id], mover)))
        ends[id] = end;
    }
    if (ends[id] == no_node && nodes_[id].is_candidate) ends[id] = id;
  }
  if (ends[0] == no_node) return std::nullopt;
  return ends[0];
}

std::vector<NodeId> GameTree::front() const {
  std::vector<NodeId> front = front_;
  std::sort(front.begin(), front.end(), [this](NodeId one, NodeId other) {
    return std::pair(nodes_[one].cost, one) < std::pair(nodes_[other].cost, other);
  });
  return front;
}

Plan GameTree::plan(NodeId id) const {
  Plan plan;
  plan.start = nodes_[0].state;
  plan.cost = nodes_[id].cost;
  const Outlook outcome = outlook(id);
  plan.scores.assign(outcome.scores.begin(), outcome.scores.end());
  plan.is_mutual = true;
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    plan.clients.push_back(clients_[i].client);
    plan.is_mutual = plan.is_mutual && outcome.scores[i] >= clients_[i].threshold;
  }
  for (NodeId each = id; each != 0; each = nodes_[each].parent) {
    plan.moves.push_back(nodes_[each].move);
  }
  std::reverse(plan.moves.begin(), plan.moves.end());
  return plan;
}

}  // namespace coracle::caf
