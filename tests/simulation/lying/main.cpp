// coracle-lies: plays societies with a liar. Each process plays many of them, so that the seed that
// ends a process is known. scripts/lies runs it.
#include "lying_society.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace coracle::test::lying {

namespace {

struct Settings {
  std::uint64_t seeds = 1000, begin = 1;
  std::optional<std::uint64_t> one;
  std::vector<std::string> realizations = {"central", "distributed"};
  unsigned jobs = 2;
  bool trace = false, harmless = false, shrink = false;
  std::vector<unsigned> only;
  unsigned spares = 0;
  unsigned shown = 10;
};

Linked kind_of(const std::string& realization) {
  return realization == "central" ? Linked::central : Linked::distributed;
}

// The memory that the children and their parent share.
struct Shared {
  std::atomic<std::uint64_t> next, failed, crashed, messages, lies, names, bytes;
  struct Job {
    std::atomic<std::uint64_t> seed;
  } jobs[64];
};

Shared& shared_memory() {
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("there is no memory to share");
  return *new (memory) Shared();
}

std::string command(const std::string& realization, std::uint64_t seed) {
  return fmt::format("scripts/lies --realization {} --seed {}", realization, seed);
}

void raise(std::atomic<std::uint64_t>& most, std::uint64_t to) {
  std::uint64_t now = most;
  while (now < to && !most.compare_exchange_weak(now, to)) {
  }
}

void work(const Settings& settings, const std::string& realization, Shared& shared, unsigned job) {
  PlayOptions options;
  options.kind = kind_of(realization);
  options.is_harmless = settings.harmless;
  options.spares = settings.spares;
  for (;;) {
    const std::uint64_t seed = shared.next.fetch_add(1);
    if (seed >= settings.begin + settings.seeds) return;
    shared.jobs[job].seed = seed;
    const Verdict verdict = play_with_liar(seed, options);
    shared.jobs[job].seed = 0;
    shared.messages += verdict.messages;
    shared.lies += verdict.lies;
    raise(shared.names, verdict.names);
    raise(shared.bytes, verdict.bytes);
    if (verdict.wrong.empty()) continue;
    if (shared.failed.fetch_add(1) < settings.shown)
      fmt::print("seed {} failed: {}\nrepeat it with: {}\n", seed, verdict.wrong,
                 command(realization, seed));
    std::fflush(stdout);
  }
}

// Returns whether all runs passed. A child that crashes is followed by another one.
bool campaign(const Settings& settings, const std::string& realization) {
  Shared& shared = shared_memory();
  shared.next = settings.begin;
  std::map<pid_t, unsigned> children;
  const auto begin = [&](unsigned job) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return void(children[child] = job);
    work(settings, realization, shared, job);
    std::fflush(nullptr);
    ::_exit(0);
  };
  for (unsigned job = 0; job < settings.jobs; ++job) begin(job);
  while (!children.empty()) {
    int status = 0;
    const pid_t child = ::wait(&status);
    const auto found = children.find(child);
    if (found == children.end()) continue;
    const unsigned job = found->second;
    children.erase(found);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    const std::uint64_t seed = shared.jobs[job].seed.exchange(0);
    if (shared.crashed.fetch_add(1) < settings.shown)
      fmt::print("seed {} ended the process ({})\nrepeat it with: {}\n", seed,
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit",
                 command(realization, seed));
    begin(job);
  }
  fmt::print(
      "{} {} seeds with a liar from {}: {} crashed, {} failed; {} messages, {} lies; at most {} "
      "names and "
      "{} KiB in the end\n",
      realization, settings.seeds, settings.begin, shared.crashed.load(), shared.failed.load(),
      shared.messages.load(), shared.lies.load(), shared.names.load(), shared.bytes.load() / 1024);
  const bool is_let_in = settings.harmless || shared.lies > settings.seeds;
  if (!is_let_in) fmt::print("the liar was not let in: this shows nothing\n");
  return is_let_in && shared.crashed == 0 && shared.failed == 0;
}

// The verdict of a run with only the actions in `kept`, in a process of its own.
std::string wrong_without(const PlayOptions& options, std::uint64_t seed,
                          const std::set<unsigned>& kept) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("there is no pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    PlayOptions with = options;
    with.leaves_out = [&kept](unsigned number) { return !kept.contains(number); };
    const std::string wrong = play_with_liar(seed, with).wrong;
    const ssize_t written =
        ::write(ends[1], wrong.data(), std::min<std::size_t>(wrong.size(), 4096));
    ::_exit(written < 0 ? 2 : 0);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  std::size_t size = 0;
  for (ssize_t got = 0; (got = ::read(ends[0], &text[size], text.size() - size)) > 0;)
    size += static_cast<std::size_t>(got);
  ::close(ends[0]);
  text.resize(size);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "it ended the process" : text;
}

// Leaves out all actions of the liar without which the run fails in the same way.
void shrink(const PlayOptions& options, std::uint64_t seed) {
  std::set<unsigned> kept;
  for (unsigned number = 0; number < 1000; ++number) kept.insert(number);
  const auto kind = [](const std::string& wrong) {
    std::string letters;
    for (const char each : wrong.substr(0, wrong.find('\n'))) {
      const bool is_letter = (each >= 'g' && each <= 'z') || each == ' ';
      if (is_letter) letters += each;
    }
    return letters;
  };
  const std::string wanted = kind(wrong_without(options, seed, kept));
  for (std::size_t chunk = 256; chunk > 0; chunk /= 2) {
    const std::vector<unsigned> all(kept.begin(), kept.end());
    for (std::size_t at = 0; at < all.size(); at += chunk) {
      std::set<unsigned> fewer = kept;
      for (std::size_t i = at; i < std::min(at + chunk, all.size()); ++i) fewer.erase(all[i]);
      if (kind(wrong_without(options, seed, fewer)) == wanted) kept = fewer;
    }
  }
  std::string numbers = kept.empty() ? "1000" : "";
  for (const unsigned number : kept)
    numbers += (numbers.empty() ? "" : ",") + std::to_string(number);
  fmt::print("{} things suffice: --only {}\n", kept.size(), numbers);
}

bool show(const Settings& settings) {
  bool well = true;
  for (const std::string& realization : settings.realizations) {
    PlayOptions options;
    options.kind = kind_of(realization);
    options.record = settings.trace;
    options.is_harmless = settings.harmless;
    options.spares = settings.spares;
    options.note = [](const std::string& line) {
      std::fputs((line + "\n").c_str(), stdout);
      std::fflush(stdout);
    };
    if (settings.shrink) {
      options.note = {};
      shrink(options, *settings.one);
      continue;
    }
    const std::set<unsigned> kept(settings.only.begin(), settings.only.end());
    if (!kept.empty())
      options.leaves_out = [&kept](unsigned number) { return !kept.contains(number); };
    const Verdict verdict = play_with_liar(*settings.one, options);
    fmt::print("{} seed {}, {} messages, {} lies, trace {:016x}: {}\n", realization, verdict.seed,
               verdict.messages, verdict.lies, verdict.hash,
               verdict.wrong.empty() ? "all is well" : verdict.wrong);
    well = well && verdict.wrong.empty();
  }
  return well;
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Plays societies with a member that lies. The exit code is 1 if any promise that "
      "concerns the others was broken.");
  app.add_option("--seeds", settings.seeds, "the number of seeds");
  app.add_option("--begin", settings.begin, "the first seed");
  app.add_option("--seed", settings.one, "play this one alone and show what the liar did");
  app.add_option("--realization", settings.realizations, "realizations, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"central", "distributed"}));
  app.add_option("--jobs", settings.jobs, "the number of runs at once")->check(CLI::Range(1, 64));
  app.add_option("--shown", settings.shown, "the number of failed runs that are shown");
  app.add_flag("--trace", settings.trace, "with --seed: the world's trace, too")->needs("--seed");
  app.add_flag("--shrink", settings.shrink,
               "with --seed: the fewest things of the liar that suffice")
      ->needs("--seed");
  app.add_option("--only", settings.only, "with --seed: the liar does only these things")
      ->delimiter(',')
      ->needs("--seed");
  app.add_option("--spare", settings.spares, "a bit for each kind of lie that is left out");
  app.add_flag("--harmless", settings.harmless, "the liar does not lie: the judge is judged");
  CLI11_PARSE(app, argc, argv);
  if (settings.one) return show(settings) ? 0 : 1;
  bool well = true;
  for (const std::string& realization : settings.realizations)
    well = campaign(settings, realization) && well;
  return well ? 0 : 1;
}

}  // namespace

}  // namespace coracle::test::lying

int main(int argc, char** argv) {
  try {
    return coracle::test::lying::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coracle-lies: %s\n", error.what());
    return 2;
  }
}
