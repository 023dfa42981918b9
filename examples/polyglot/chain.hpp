// The pipeline of the kitchen, as each process in C++ builds it.
#pragma once

#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/source.hpp>

#include <memory>
#include <string>
#include <utility>

inline const char* const cooks[] = {"cpp", "c", "python", "guile", "sbcl"};

// Orders that another process gives.
class Elsewhere : public coracle::dispel::Source<std::string> {
 protected:
  coracle::Task<> produce(std::uint64_t) override { co_return; }
};

// `own` are the kinds of this process; stages of the other kinds are made by other processes.
inline coracle::dispel::Pipeline chain(coracle::dispel::Pipeline::Kinds own) {
  using namespace coracle::dispel;
  own.try_emplace("orders", [] { return std::make_unique<Elsewhere>(); });
  for (const char* cook : cooks)
    own.try_emplace(cook, [] { return std::make_unique<Filter<std::string, std::string>>(); });
  own.try_emplace("plates", [] { return std::make_unique<Sink<std::string>>(); });
  return Pipeline::from_text(
      "chain",
      "orders: orders; cpp: cpp; c: c; python: python; guile: guile; sbcl: sbcl; plates: plates\n"
      "orders -> cpp -> c -> python -> guile -> sbcl -> plates",
      own);
}
