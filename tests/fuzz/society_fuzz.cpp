// Two hostile members of a society with a policy send, one after the other, whatever an input makes
// of all frames of the core, requests to the directory and heads for the clearinghouse. No node may
// end by that, no secret may be read and no message forged, and afterwards the honest agents must
// still be able to exchange messages.
//
// An input is a head of 4 bytes and actions of 12 bytes; society/seeds.py makes the first ones.
// Each input is a sequence of at least 100 frames, or as many more as its head specifies: when its
// actions are used up, others are drawn from it.
#include "tests/fuzz/society/fuzzed_society.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace {

using namespace coracle;
using Input = std::span<const std::uint8_t>;

constexpr std::size_t head_size = 4, action_size = 12;
constexpr std::uint64_t least_frames = 100, most_frames = 600, most_actions = 900;

// The number of frames that were sent, and the number of sequences; printed at the end.
struct Tally {
  ~Tally() {
    const auto count = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
    std::fprintf(stderr,
                 "frames said: %llu in %llu sequences; of at least 50 frames: %llu frames in %llu"
                 " sequences; of at least 100: %llu in %llu; the longest has %llu\n",
                 count(all.frames), count(all.sequences), count(of_50.frames),
                 count(of_50.sequences), count(of_100.frames), count(of_100.sequences),
                 count(longest));
    if (all.sequences < 10 || all.frames != 0) return;
    std::fputs("nothing was said, so this shows nothing: nobody was let in\n", stderr);
    std::abort();
  }
  void note(std::uint64_t frames) {
    all.add(frames);
    if (frames >= 50) of_50.add(frames);
    if (frames >= 100) of_100.add(frames);
    longest = std::max(longest, frames);
  }

  struct Sum {
    void add(std::uint64_t more) { frames += more, ++sequences; }
    std::uint64_t frames = 0, sequences = 0;
  };
  Sum all, of_50, of_100;
  std::uint64_t longest = 0;
};

Tally& tally() {
  static Tally only;
  return only;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input left(data, size);
  if (left.size() < head_size) return 0;
  const Input head = left.first(head_size);
  left = left.subspan(head_size);
  fuzzed::Society::Settings settings;
  settings.kind = (head[0] & 1) != 0 ? test::Linked::distributed : test::Linked::central;
  settings.answers = (head[0] & 2) == 0;
  settings.seed = 1u + head[1];
  settings.hurries = (head[3] & 1) != 0;
  fuzzed::Society society(settings);
  const Input all(data, size);
  const std::uint64_t least = least_frames + head[2];
  std::uint64_t said = 0;
  for (std::uint64_t action = 0; action < most_actions && said < most_frames; ++action) {
    if (left.empty() && said >= least) break;
    const Input bytes = left.first(std::min(left.size(), action_size));
    left = left.subspan(bytes.size());
    // A drawn action has no bytes of its own; it is drawn from all bytes of the input.
    fuzzed::Choices choose = bytes.empty() ? fuzzed::Choices(all, action) : fuzzed::Choices(bytes);
    if (bytes.empty()) choose.skip_bytes();
    said += society.step(choose);
  }
  society.check();
  tally().note(said);
  return 0;
}
