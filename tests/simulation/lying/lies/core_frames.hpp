// Frames of the core, as a liar forges them. Only core_frames.cpp and requests.cpp contain their
// format.
#pragma once

#include "coracle/node.hpp"
#include "draws.hpp"

namespace coracle::test::lying {

class CoreFrames {
 public:
  CoreFrames(Draws& draws, Knowledge& known, const Temper& temper)
      : draw_(draws), known_(known), temper_(temper) {}

  // A frame for `to`, under the liar's present lease; `what` gets a line for people.
  Frame any(LeaseId to, std::string& what);
  // A frame that was sent or received before, with a change.
  Frame repeated(std::string& what);

  // Frames of an honest member.
  Frame message(LeaseId to, const std::string& target, const std::string& source,
                const std::string& text, std::uint16_t flags, std::uint64_t conversation);
  Frame report(LeaseId to, const std::string& target, std::uint8_t report, std::uint64_t serial);
  // A kind and a token. The frame also announces whether the sender is a message store, unless
  // `keeps` is 255.
  static Frame token(std::uint8_t kind, std::uint64_t token, std::uint8_t keeps = 0);
  Frame slot_answer(LeaseId to, const std::string& target, std::uint64_t number,
                    std::uint8_t answer);
  static Frame taken_over(std::uint64_t serial, std::uint8_t keeps);
  Frame inspected(std::uint64_t token);

 private:
  using Writer = society::FrameWriter;

  void write_name(Writer& out, const std::string& name);
  void write_known(Writer& out, const std::string& name);
  void write_life(Writer& out, const std::string& name);
  void write_fields(Writer& out);
  void write_pattern(Writer& out);
  void write_step(Writer& out);
  void write_mailbox(Writer& out);
  void write_inspected(Writer& out);
  std::string write_message(Writer& out, std::uint8_t kind, Bytes& content);
  void write_rest(Writer& out, Bytes& content, const std::string& source, std::string& what);
  std::string write_tap(Writer& out);
  std::string write_reports(Writer& out);
  std::string write_other(Writer& out, std::uint8_t kind);
  std::string write_about_name(Writer& out, std::uint8_t kind);
  std::uint16_t flags();
  // The percentage of its messages that are for a name of another agent.
  unsigned held_targets() const { return temper_.invents || temper_.complains ? 20 : 70; }
  // A name that the frame mentions, and that is not its source.
  std::string mentioned() {
    if (temper_.invents && draw_.chance(70)) return draw_.unused_name();
    return complains() ? Node::dead_letters().str() : draw_.name();
  }
  // Draws whether the message is a dead letter, or for the dead letters.
  bool complains() { return temper_.complains && draw_.chance(70); }

  Draws& draw_;
  Knowledge& known_;
  const Temper& temper_;
  Pair* pair_ = nullptr;  // the receiver of the present frames
  bool spells_ = false;   // as in hand-over frames
};

}  // namespace coracle::test::lying
