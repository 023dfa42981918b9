// The liar's requests to the directory.
#pragma once

#include "draws.hpp"

namespace coracle::test::lying {

class Requests {
 public:
  Requests(Draws& draws, Knowledge& known, const Temper& temper, std::vector<std::string> endpoints)
      : draw_(draws), known_(known), temper_(temper), endpoints_(std::move(endpoints)) {}

  // Any request, and a line for people.
  Bytes any(std::string& what);

  // Requests of an honest member, except for a generation that is absurd.
  Bytes attach();
  // The node hears of everything; behind `attach`, both.
  Bytes follow_all();
  Bytes all_followed();
  Bytes open_lease();
  Bytes renew();
  Bytes claim(const std::string& name);
  Bytes seen();

  // The request that has that number; attach when there is none.
  society::Request asked(std::uint64_t number) const;

 private:
  using Writer = society::FrameWriter;

  Writer begin(society::Request request, Bytes& frame);
  std::string write(Writer& out, society::Request request);
  std::string write_claim(Writer& out);
  std::string write_open_lease(Writer& out);
  std::string write_report(Writer& out);
  std::string write_prefix(Writer& out);

  Draws& draw_;
  Knowledge& known_;
  const Temper& temper_;
  const std::vector<std::string> endpoints_;
  std::vector<society::Request> asked_;
};

}  // namespace coracle::test::lying
