// The frames of a hostile member, made of choices: frames of the core, requests to the directory,
// and the heads by which a clearinghouse relays frames. Except for a few, all have the right
// format.
#pragma once

#include "choices.hpp"
#include "knowledge.hpp"

#include <string>

namespace coracle::fuzzed {

// The kinds of frames of the core, each as often as it is to be sent.
std::span<const std::uint8_t> frame_kinds();

class Sayings {
 public:
  // `self` is the prefix below which it may register names.
  Sayings(Knowledge& known, std::string self) : known_(known), self_(std::move(self)) {}

  // A frame of that kind, for `to`; 0 is a message in its shortest form.
  Frame frame(std::uint8_t kind, LeaseId to, Choices& choose);
  // The same, mostly with all names spelled out without a number.
  Frame frame_by_itself(std::uint8_t kind, LeaseId to, Choices& choose);
  // A frame that was received or sent before, perhaps with a change.
  Frame repeated(Choices& choose);
  // A request, with its number.
  Bytes request(society::Request kind, std::uint64_t number, Choices& choose);
  // Another member, mostly one that is present.
  LeaseId other(Choices& choose);
  // Any lease: its own, another's, one that has ended, or none.
  LeaseId lease(Choices& choose);
  std::string name(Choices& choose);
  std::uint64_t seen(const Numbers& numbers, Choices& choose);

 private:
  using Writer = society::FrameWriter;

  void write_name(Writer& out, const std::string& name, Choices& choose);
  void write_life(Writer& out, const std::string& name, Choices& choose);
  std::uint64_t life_of(const std::string& name, Choices& choose);
  void write_mailbox(Writer& out, Choices& choose);
  void write_extras(Writer& out, Choices& choose);
  void write_rest(Writer& out, Bytes& content, Choices& choose);
  void write_message(Writer& out, std::uint8_t kind, Bytes& content, Choices& choose);
  void write_short(Writer& out, Bytes& content, Choices& choose);
  void write_hand_over(Writer& out, Bytes& content, Choices& choose);
  void write_reports(Writer& out, Choices& choose);
  void write_tap(Writer& out, Choices& choose);
  void write_of_name(Writer& out, std::uint8_t kind, Choices& choose);
  void write_of_token(Writer& out, std::uint8_t kind, Choices& choose);
  void write_inspection(Writer& out, Choices& choose);
  void write_inspected(Writer& out, Choices& choose);
  void write_step(Writer& out, std::uint8_t kind, Choices& choose);
  void write_claim(Writer& out, Choices& choose);
  void write_report(Writer& out, Choices& choose);
  void write_arguments(Writer& out, society::Request kind, Choices& choose);

  Knowledge& known_;
  const std::string self_;
  Knowledge::Said* said_ = nullptr;  // of the frame that is being written
  bool spells_ = false;              // spells all of its names
};

}  // namespace coracle::fuzzed
