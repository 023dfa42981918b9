// Contracts and engagements, as C gives and reads them.
#pragma once

#include "shown_texts.hpp"

#include "coracle.h"
#include "coracle/caf/contracts/engagement.hpp"

#include <string>

namespace coracle::c {

// The contract that C gives; fails for negative spans.
caf::Contract contract_of(const coracle_contract& given);

struct ShownContract {
  ShownContract(std::string whose, const caf::Contract& of);
  ShownContract(const ShownContract&) = delete;

  const std::string client, kind, subject;
  const ShownTexts items;
  coracle_contract view;
};

struct ShownEngagement {
  explicit ShownEngagement(const caf::Engagement& of);
  ShownEngagement(const ShownEngagement&) = delete;

  const ShownContract contract;
  coracle_engagement view;
};

}  // namespace coracle::c
