#include "decisions/decisions.hpp"

#include <utility>

namespace coracle::view {

void Decisions::see(const Seen& message) {
  constexpr std::string_view caf = "coracle/caf/", stages = "coracle/dispel/stage/";
  const std::string_view type = message.type;
  if (!message.is_encoded || message.is_cut) return;
  if (type.starts_with(caf)) {
    const std::string_view word = type.substr(caf.size());
    council(message, word);
    contract(message, word);
    market(message, word);
    game(message, word);
  } else if (type.starts_with(stages)) {
    pipeline(message, type.substr(stages.size()));
  } else if (message.conversation >> 32 == 0xb400'5ab5) {  // a wire of dispel
    layer(message);
  }
}

void Decisions::connect(const Name& from, const Name& to, std::string effect) {
  constexpr std::size_t most_wires = 10'000;
  if (wires_.size() < most_wires || wires_.contains({from, to}))
    wires_[{from, to}] = std::move(effect);
}

void Decisions::clear() {
  first_ += records_.size();
  records_.clear(), ballots_.clear(), pipes_.clear();
}

// The wire's number has the rank of the output that suppresses or inhibits there; rank 0 signals.
void Decisions::layer(const Seen& message) {
  const auto wire = wires_.find({message.from, message.to});
  const std::string_view effect = wire == wires_.end() ? "signals" : wire->second.c_str();
  record(message, "layers", "layers", effect,
         {{"from", message.from.view()},
          {"to", message.to.view()},
          {"type", message.type},
          {"port", (message.conversation >> 16) & 0xffff},
          {"rank", message.conversation & 0xffff}});
}

void Decisions::record(const Seen& message, std::string_view kind, std::string id,
                       std::string_view what, boost::json::object more) {
  more["n"] = message.n;
  records_.push_back(
      {std::string(kind), std::move(id), message.at, std::string(what), std::move(more)});
  if (records_.size() > most_records_) records_.pop_front(), ++first_;
}

}  // namespace coracle::view
