#include "rare_faults.hpp"

#include "coracle/detail/access.hpp"
#include "seams/replacements.hpp"

namespace coracle::conformance {

namespace {

// Returns true in every n-th call.
class Sometimes {
 public:
  explicit Sometimes(unsigned every = 9) noexcept : every_(every) {}
  bool now() noexcept { return ++count_ % every_ == 0; }

 private:
  const unsigned every_;
  unsigned count_ = 0;
};

constexpr unsigned often = 2;  // for rare operations

// --- mailboxes ---

// Keeps a message, or a copy for an eavesdropper, and never returns it.
template <bool overheard>
class LosingQueue final : public QueueFilter {
 public:
  using QueueFilter::QueueFilter;
  void put(Envelope envelope) override {
    if (envelope.overheard() == overheard && sometimes_.now()) lost_.push_back(std::move(envelope));
    else next_->put(std::move(envelope));
  }

 private:
  Sometimes sometimes_;
  std::vector<Envelope> lost_;
};

class NewestFirstQueue final : public QueueFilter {
 public:
  using QueueFilter::QueueFilter;
  void put(Envelope envelope) override {
    if (sometimes_.now()) next_->put_back(std::move(envelope));
    else next_->put(std::move(envelope));
  }

 private:
  Sometimes sometimes_;
};

class IgnoringQueue final : public QueueFilter {
 public:
  using QueueFilter::QueueFilter;
  Envelope take(const Match& match) override {
    return next_->take(sometimes_.now() ? Match() : match);
  }

 private:
  Sometimes sometimes_;
};

// Returns a message, or a copy for an eavesdropper, twice.
template <bool overheard>
class RepeatingQueue final : public QueueFilter {
 public:
  using QueueFilter::QueueFilter;
  Envelope take(const Match& match) override {
    Envelope taken = next_->take(match);
    if (taken && taken.overheard() == overheard && taken.gap() == 0 && sometimes_.now()) {
      next_->put_back(copy_of(taken));
    }
    return taken;
  }

 private:
  Sometimes sometimes_;
};

// --- transports ---

class ReorderingTransport final : public OvertakingTransport {
 public:
  using OvertakingTransport::OvertakingTransport;

 private:
  bool comes_late(const Envelope& envelope) override {
    return !envelope.is_request() && sometimes_.now();
  }

  Sometimes sometimes_;
};

class MisdeliveringTransport final : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override {
    if (!envelope.is_request() && envelope.destination().name() != Name("driver")) {
      if (sometimes_.now() && last_)
        detail::Access::record(envelope)->target = detail::Access::mailbox(last_);
      last_ = envelope.destination();
    }
    return next_->try_carry(envelope);
  }

 private:
  Sometimes sometimes_;
  Address last_;
};

class DuplicatingTransport final : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override {
    if (!sometimes_.now()) return next_->try_carry(envelope);
    Envelope copy = copy_of(envelope);
    const Verdict verdict = next_->try_carry(envelope);
    if (verdict == Verdict::carried) next_->try_carry(copy);
    return verdict;
  }

 private:
  Sometimes sometimes_;
};

// --- directories ---

class ForgettingJoins final : public OwnDirectory {
 public:
  using OwnDirectory::OwnDirectory;
  Task<Result<void>> join(Name group, Name member) override {
    if (sometimes_.now()) return nothing_done();
    return next().join(std::move(group), std::move(member));
  }

 private:
  static Task<Result<void>> nothing_done() { co_return Result<void>(); }
  Sometimes sometimes_{often};
};

class ForgettingMembers final : public OwnDirectory {
 public:
  using OwnDirectory::OwnDirectory;
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override {
    const auto all = co_await next().members(std::move(group));
    if (all->empty() || !sometimes_.now()) co_return all;
    co_return std::make_shared<const std::vector<Name>>(all->begin(), all->end() - 1);
  }

 private:
  Sometimes sometimes_{often};
};

template <class Part>
Plant queue() {
  return [](Realization& parts) {
    parts.queue = [make = parts.queue](const Name& owner) {
      return std::make_unique<Part>(make(owner));
    };
  };
}

template <class Part>
Plant transport() {
  return [](Realization& parts) { parts.transport = std::make_shared<Part>(parts.transport); };
}

template <class Part>
Plant directory() {
  return [](Realization& parts) { parts.directory = std::make_shared<Part>(parts.directory); };
}

}  // namespace

std::vector<RareFault> rare_faults() {
  return {
      {"a_mailbox_that_loses", 3, queue<LosingQueue<false>>()},
      {"a_mailbox_that_gives_the_newest", 2, queue<NewestFirstQueue>()},
      {"a_mailbox_that_ignores_what_is_asked_for", 5, queue<IgnoringQueue>()},
      {"a_mailbox_that_gives_twice", 3, queue<RepeatingQueue<false>>()},
      {"eavesdropping_that_loses_a_copy", 7, queue<LosingQueue<true>>()},
      {"eavesdropping_that_gives_a_copy_twice", 7, queue<RepeatingQueue<true>>()},
      {"a_transport_that_reorders", 2, transport<ReorderingTransport>()},
      {"a_transport_that_delivers_to_the_wrong_agent", 6, transport<MisdeliveringTransport>()},
      {"a_transport_that_duplicates", 3, transport<DuplicatingTransport>()},
      {"a_directory_that_forgets_to_join", 6, directory<ForgettingJoins>()},
      {"a_directory_that_forgets_a_member", 6, directory<ForgettingMembers>()},
  };
}

}  // namespace coracle::conformance
