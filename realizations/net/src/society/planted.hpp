// Mistakes that a test may plant into the services of a society, one at a time, to prove that
// generated societies would find them. They exist only where CORACLE_PLANTED is defined; elsewhere
// planted() is a constant.
#pragma once

#include <cstdint>

namespace coracle::society {

enum class Bug : std::uint8_t {
  none,
  relayed_twice,       // a clearinghouse sends some frames to their receiver twice
  away_is_gone,        // it forgets what comes for a node that has no connection
  lease_end_not_told,  // nodes do not hear from their directory that a lease has ended
  sends_unasked,       // the policy is not asked about messages
  copies_unasked,      // nor about copies for those who overhear
  refused_is_heard,    // what the policy does not let somebody say is overheard all the same
  claims_unasked,      // the policy is not asked who may register a name
  joins_unasked,       // nor who may join a group
  any_lease,           // a node may act for the lease of another one
  any_gap,             // a gap may have a source and a content
  any_relayed,         // a node may speak under the lease of another one
};

#ifdef CORACLE_PLANTED
inline Bug planted_bug = Bug::none;
inline bool planted(Bug bug) noexcept { return bug == planted_bug; }
#else
constexpr bool planted(Bug) noexcept { return false; }
#endif

}  // namespace coracle::society
