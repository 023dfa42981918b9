// Runs the conformance suite on the realization of page 28 of the manual, which is a user's own.
#include "coracle/tests/support/run_now.hpp"
#include "spool/spool.hpp"
#include "subjects/local_subject.hpp"
#include "support/societies/expect.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace coracle::conformance {

namespace {

using namespace std::chrono_literals;

Subject spool_subject(unsigned nodes, unsigned workers) {
  const auto folder = std::make_shared<std::unique_ptr<test::TemporaryFolder>>();
  Subject subject = local_subject(workers);
  subject.name = std::to_string(nodes) + "_nodes_" + std::to_string(workers) + "_workers";
  subject.open = [folder] {
    *folder = std::make_unique<test::TemporaryFolder>();
    return spool::realization((*folder)->path());
  };
  subject.join = [folder, nodes] {
    std::vector<Realization> others;
    for (unsigned number = 1; number < nodes; ++number)
      others.push_back(spool::realization((*folder)->path()));
    return others;
  };
  subject.cannot.erase(Need::second_node);
  subject.cannot[Need::storage] = "it has no message store";
  return subject;
}

// Notes the frames that come to it, as text.
struct Noting final : FrameReceiver {
  std::vector<std::string> frames;

  void on_frame(LeaseId, std::span<const std::byte> frame, Content) override {
    frames.emplace_back(reinterpret_cast<const char*>(frame.data()), frame.size());
  }
  void on_too_large(LeaseId, std::span<const std::byte>) override {}
  std::size_t content_limit() const noexcept override { return 1 << 20; }
  void on_room(LeaseId) override {}
  void on_gone(LeaseId) override {}
  void on_back(LeaseId) override {}
};

// While files come, a list of a folder may show the second without the first. Here the first is
// taken out of the folder, and put back after a look.
void a_frame_waits_for_the_frame_before_it() {
  const test::TemporaryFolder folder;
  const Realization here = spool::realization(folder.path()),
                    there = spool::realization(folder.path());
  const LeaseId me = test::run_now(here.directory->open_lease("here", 1h)).value(),
                peer = test::run_now(there.directory->open_lease("there", 1h)).value();
  Noting mine, its;
  here.transport->attach(mine, me);
  there.transport->attach(its, peer);
  for (const std::string frame : {"first", "second"})
    there.transport->send(peer, me, std::as_bytes(std::span(frame)), Content(), nullptr);
  const std::filesystem::path root(folder.path());
  const auto first = root / std::to_string(me) / ("1." + std::to_string(peer)),
             aside = root / "aside";
  std::filesystem::rename(first, aside);
  here.reactor->poll();
  expect(mine.frames.empty(), "nothing is received before the first");
  std::filesystem::rename(aside, first);
  here.reactor->poll();
  expect_equal(mine.frames.size(), 2u, "frames that came");
  expect_equal(mine.frames.at(0) + ", " + mine.frames.at(1), "first, second", "what came");
  here.transport->detach();
  there.transport->detach();
}

const bool registered_spool = run_conformance("spool", {spool_subject(2, 1), spool_subject(3, 2)});
const bool registered_folder = register_suite(
    "spool", "folder",
    {{"a_frame_waits_for_the_frame_before_it", a_frame_waits_for_the_frame_before_it}});

}  // namespace

}  // namespace coracle::conformance
