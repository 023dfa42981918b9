#include "refusals.hpp"

#include "coracle/support/log.hpp"

#include <utility>

namespace coracle::fipa {

namespace {

constexpr std::uint32_t minor_mask = 0xfff;

std::string meaning_of(Errc errc) {
  switch (errc) {
    case Errc::bad_encoding:
    case Errc::wrong_type:
      return "it cannot be read";
    case Errc::too_large:
      return "it is too large";
    case Errc::not_permitted:
      return "its sender is not permitted";
    default:
      return "there is no room for it now";
  }
}

template <class Exception>
bool is(const CORBA::SystemException& exception) {
  return Exception::_downcast(&exception) != nullptr;
}

std::string text_of(const CORBA::SystemException& exception) {
  std::string text = std::string("CORBA::") + exception._name();
  if (const char* const minor = exception.NP_minorString()) return text + ", " + minor;
  return text + ", minor code " + std::to_string(exception.minor());
}

}  // namespace

void raise(const Error& error) {
  const auto minor = minor_codes + static_cast<CORBA::ULong>(error.errc());
  switch (error.errc()) {
    case Errc::bad_encoding:
    case Errc::wrong_type:
      throw CORBA::MARSHAL(minor, CORBA::COMPLETED_NO);
    case Errc::too_large:
      throw CORBA::IMP_LIMIT(minor, CORBA::COMPLETED_NO);
    case Errc::not_permitted:
      throw CORBA::NO_PERMISSION(minor, CORBA::COMPLETED_NO);
    default:
      throw CORBA::TRANSIENT(minor, CORBA::COMPLETED_NO);
  }
}

Error error_of(const CORBA::SystemException& exception, const std::string& place) {
  const std::string platform = "the platform at " + place;
  const std::string text = text_of(exception);
  if ((exception.minor() & ~minor_mask) == minor_codes) {
    const auto errc = static_cast<Errc>(exception.minor() & minor_mask);
    return Error(Errc::refused, platform + " has refused the letter: " + meaning_of(errc) + " (" +
                                    "CORBA::" + exception._name() + ")");
  }
  if (is<CORBA::TIMEOUT>(exception))
    return Error(Errc::expired, platform + " has not answered in time");
  if (is<CORBA::COMM_FAILURE>(exception))
    return Error(Errc::disconnected, "the connection to " + platform + " has ended (" + text + ")");
  if (is<CORBA::TRANSIENT>(exception))
    return Error(Errc::unreachable, "cannot connect to " + platform + " (" + text + ")");
  if (is<CORBA::OBJECT_NOT_EXIST>(exception) || is<CORBA::BAD_OPERATION>(exception))
    return Error(Errc::refused, "there is no message transport service at " + place + " (" + text +
                                    "); check the address");
  if (is<CORBA::DATA_CONVERSION>(exception) || is<CORBA::CODESET_INCOMPATIBLE>(exception))
    return Error(Errc::bad_encoding, "the envelope has characters that " + platform +
                                         " cannot read (" + text + "); IIOP 1.0 has Latin-1 only");
  return Error(Errc::refused, platform + " has refused the letter (" + text + ")");
}

bool is_gone(const Error& error) noexcept {
  const Errc errc = error.errc();
  return errc == Errc::unreachable || errc == Errc::expired || errc == Errc::disconnected;
}

void RefusalLines::note(const std::string& who, const std::string& reason) noexcept try {
  std::size_t unsaid = 0;
  {
    const std::lock_guard lock(mutex_);
    const Time now = steady_clock().now();
    if (now >= until_) {
      until_ = now + period;
      said_ = 0;
      unsaid = std::exchange(unsaid_, 0);
    }
    if (said_ == named) {
      ++unsaid_;
      return;
    }
    ++said_;
  }
  const std::string more =
      unsaid == 0 ? "" : " (and " + std::to_string(unsaid) + " more were refused before)";
  detail::log_warning("a letter by IIOP from " + who + " was refused: " + reason + more,
                      detail::LogPart::gateway);
} catch (...) {
  // There is no memory for the line.
}

}  // namespace coracle::fipa
