// Runs the conformance suite on the Central realization when its nodes request their messages (poll
// and notify), and when patterns are tried one by one (decision 0032).
#include "subjects/central_subject.hpp"

#include <chrono>

namespace coracle::conformance {

namespace {

// The nodes poll often, so that the conformance suite does not take long.
Subject delivered(const char* name, central::Delivery::How how, std::uint32_t most) {
  central::Options study;
  study.delivery = {how, std::chrono::milliseconds(1), most};
  return studied_central_subject(name, study, Way::unix_socket, 2, 1);
}

Subject matched_one_by_one() {
  central::Options study;
  study.matching = Matching::linear;
  return studied_central_subject("linear", study, Way::unix_socket, 2, 1);
}

using How = central::Delivery::How;

const bool registered = run_conformance(
    "central_variants", {delivered("polled", How::poll, 1), delivered("notified", How::notify, 3),
                         matched_one_by_one()});

}  // namespace

}  // namespace coracle::conformance
