#include "server/groups.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/web/json_reader.hpp"

#include <algorithm>

namespace coracle::a2a {

namespace {

const std::string place_of_group = "message.metadata[" + std::string(groups_extension) + "]";

void read_answers(const web::JsonReader& in, GroupWish& wish) {
  const std::string* const word = in.value().if_text();
  if (word == nullptr) {
    wish.rule = GroupWish::Rule::number;
    wish.number = static_cast<std::size_t>(in.whole(1, 1'000'000));
  } else if (*word == "majority") {
    wish.rule = GroupWish::Rule::majority;
  } else if (*word == "first") {
    wish.rule = GroupWish::Rule::number;
    wish.number = 1;
  } else if (*word != "all") {
    in.fail("has to be all, majority, first, or a number");
  }
}

}  // namespace

std::size_t GroupWish::needed(std::size_t members) const {
  if (members == 0) throw Fault::at(place_of_group, "names nobody whom clients may know");
  if (rule == Rule::all) return members;
  if (rule == Rule::majority) return members / 2 + 1;
  if (number > members) throw Fault::at(place_of_group + ".answers", "is more than the members");
  return number;
}

std::optional<GroupWish> group_wish_in(const Message& message, std::size_t most_members) {
  const Json* const value = message.metadata.find(groups_extension);
  if (value == nullptr) return std::nullopt;
  try {
    const web::JsonReader in(*value, place_of_group);
    in.object();
    GroupWish wish;
    wish.agents = in.texts_or_none("agents", most_members);
    wish.group = in.text_or_empty("group");
    if (wish.agents.empty() == wish.group.empty()) in.fail("has to name agents, or a group");
    std::sort(wish.agents.begin(), wish.agents.end());
    if (std::adjacent_find(wish.agents.begin(), wish.agents.end()) != wish.agents.end())
      in.fail("names an agent twice");
    if (const auto answers = in.find("answers")) read_answers(*answers, wish);
    return wish;
  } catch (const web::JsonError& error) {
    throw Fault::at(error.place(), error.problem());
  }
}

GroupTally::Verdict GroupTally::note(bool has_answered) noexcept {
  --left_;
  if (has_answered) ++answers_;
  if (answers_ >= needed_) return Verdict::reached;
  return answers_ + left_ < needed_ ? Verdict::missed : Verdict::open;
}

}  // namespace coracle::a2a
