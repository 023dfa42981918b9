#include "coracle/errors.hpp"

#include "coracle/support/quote.hpp"

#include <utility>

namespace coracle {

namespace {

class Category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "coracle"; }

  std::string message(int value) const override {
    switch (static_cast<Errc>(value)) {
      case Errc::bad_name: return "bad name";
      case Errc::name_taken: return "name taken";
      case Errc::no_such_agent: return "no such agent";
      case Errc::fenced: return "fenced by another holder of the name";
      case Errc::not_permitted: return "not permitted";
      case Errc::bad_realization: return "bad realization";
      case Errc::bad_pattern: return "bad pattern";
      case Errc::bad_options: return "bad options";
      case Errc::too_large: return "too large";
      case Errc::wrong_type: return "wrong type";
      case Errc::bad_encoding: return "bad encoding";
      case Errc::mailbox_full: return "mailbox full";
      case Errc::absent_full: return "too much waits for an absent agent";
      case Errc::deadlock: return "deadlock";
      case Errc::expired: return "expired";
      case Errc::undeliverable: return "undeliverable";
      case Errc::dropped: return "dropped";
      case Errc::refused: return "refused";
      case Errc::peer_down: return "peer down";
      case Errc::agent_failed: return "agent failed";
      case Errc::cancelled: return "cancelled";
      case Errc::stopped: return "stopped";
      case Errc::no_credit: return "no credit";
      case Errc::store_lost:
        return "store lost";
      case Errc::wrong_thread: return "wrong thread";
      case Errc::limit_reached: return "limit reached";
      case Errc::unsupported: return "unsupported by this realization";
      case Errc::bad_endpoint: return "bad endpoint";
      case Errc::cannot_listen: return "cannot listen";
      case Errc::unreachable: return "unreachable";
      case Errc::disconnected: return "disconnected";
      case Errc::disk_full: return "disk full";
      case Errc::disk_failed: return "disk failed";
      case Errc::no_such_file: return "no such file";
      case Errc::file_exists: return "file exists";
      case Errc::bad_path: return "bad path";
      case Errc::no_such_function: return "no such function";
      case Errc::unanswered: return "unanswered";
    }
    return "unknown error " + std::to_string(value);
  }
};

}  // namespace

const std::error_category& error_category() noexcept {
  static const Category category;
  return category;
}

std::error_code make_error_code(Errc errc) noexcept {
  return {static_cast<int>(errc), error_category()};
}

Error::Error(Errc errc, const std::string& sentence) : Error(detail::shown(sentence), errc) {}

Error::Error(std::string&& shown, Errc errc)
    : std::system_error(make_error_code(errc), shown), sentence_(std::move(shown)) {}

}  // namespace coracle
