#pragma once

#include <optional>
#include <vector>

#include "engine/rules/napoleonic/action.h"

// NAP-4A to NAP-4E, and the musketry of Squares (NAP-8B).
namespace fos::napoleonic {

// A volley as it would be thrown: which stands fire, with how many dice.
struct VolleyPlan {
  Volley volley;
  std::vector<PieceNo> stands;
};
// NAP-4B, 4C.
std::optional<Refusal> CheckVolley(const State& s, const CallVolley& a, VolleyPlan* plan);

// NAP-4D, 4E: the dice of a roll against the stands it may take.
struct FireProblem {
  squares::FaceCounts dice{};
  std::vector<PieceNo> stands;              // that may be taken
  std::vector<int> types;                   // unit types present, one entry each
  std::vector<squares::HitTarget> targets;  // in the order of `types`
};
FireProblem MakeFireProblem(const State& s, const std::vector<std::int8_t>& dice, FireColumn column,
                            const std::vector<PieceNo>& stands);
// The stands of one distribution: of each type those with the lowest numbers.
std::vector<PieceNo> StandsFor(const State& s, const FireProblem& problem,
                               const squares::Distribution& losses);
// The losses by type that these stands are; empty when they are not a complete distribution.
std::optional<squares::Distribution> DistributionOf(const State& s, const FireProblem& problem,
                                                    const std::vector<PieceNo>& stands);

// NAP-3H: the canister shot under way, with dice of earlier ones where the settings pool them.
FireProblem CanisterProblem(const State& s);
// The problem of one volley after the volleys judged before it.
FireProblem VolleyProblem(const State& s, std::size_t volley);

}  // namespace fos::napoleonic
