#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "vision/appearance/paint_model.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_search.h"
#include "vision/stands/stand_trace.h"

// Every stand on the table by its painted base, from settled pictures.
namespace fos {

struct StandDetectorOptions {
  // Scale of the search, pixels an inch; the bars are two to three of these deep. The fit that
  // follows works in the picture's own pixels.
  double search_px_per_in = 14;
  // A hypothesis below this mean evidence (nats an area: bar, top and rim together) is not a stand.
  double least_score = 1.0;
  // Where the scenario places a stand that the first look has missed, its outline decides; this
  // much says where to look for it.
  double least_score_faint = -1.0;
  // The same where nothing says that a stand of that side and kind should be: none may be invented.
  double least_score_unexpected = 2.4;
  // By kind (index into Scenario::kinds), inches as the crow flies: further it seldom goes between
  // two looks. Empty: anywhere.
  std::vector<double> reach_in;
};

// Made once for a scenario on a table. Remembers what the paints look like, nothing else: who
// stands where is in the scenes it is given and gives.
class StandDetector {
 public:
  StandDetector(const TableSpec& table, const Scenario& scenario,
                StandDetectorOptions options = {});

  // Learns the paints from where the scenario says units stand, and finds every stand.
  // bgr         CV_8UC3, the size of the camera's lens; settled, best the mean of a few frames
  // blind_mask  CV_8UC1 of that size, non-zero where something covers the table; or empty
  // errors      kBadFormat: a picture or mask of another type or size
  Result<StandScene> Start(const cv::Mat& bgr, const TableCamera& camera,
                           const cv::Mat& blind_mask);

  // Looks again where `changed` (CV_8UC1, the picture's size, or empty for everywhere) is non-zero.
  // Stands elsewhere, and those that the blind mask hides, stay as they are in `before`; ids are
  // kept by the assignment that is shortest in all, whole units together (AssignStands).
  Result<StandScene> Update(const cv::Mat& bgr, const TableCamera& camera, const StandScene& before,
                            const cv::Mat& changed, const cv::Mat& blind_mask);

  // Learns paints and cloth anew when the light alone has changed, for the looks to come; slow
  // drift is to be followed every few seconds.
  // was, now  CV_8UC3 of this camera, settled: what they were last learnt from, and today's
  // scene     who stands where, in both
  // covered   other places that do not show the cloth: projectiles, what people put down
  // errors    kBadFormat: a picture of another type or size
  Status FollowLight(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
                     const StandScene& scene, std::span<const Polygon> covered);

  // From now on each look begins anew there and writes down what it thought; null: no more.
  // Borrowed.
  void Trace(StandTrace* into) { trace_ = into; }

 private:
  struct Look;  // one picture and what it is looked at with

  const KindSpec& KindOf(const StandHypothesis& h) const {
    return scenario_.kinds.at(static_cast<std::size_t>(h.what.kind));
  }
  double GroundAt(Vec2 at) const;
  Status Check(const Look& look) const;
  void BeginTrace(const Look& look) const;
  void Note(const char* stage, std::span<const StandHypothesis> stands) const;
  void NoteDropped(const StandHypothesis& h, std::string why) const;

  // Candidates of some classes within half_in of a place, best first.
  std::vector<StandHypothesis> Candidates(const Look& look, Vec2 centre, double half_in,
                                          std::span<const StandClass> classes,
                                          std::span<const double> headings,
                                          std::span<const StandHypothesis> others,
                                          double least_score) const;
  // Those of them that can stand together.
  std::vector<StandHypothesis> Search(const Look& look, Vec2 centre, double half_in,
                                      std::span<const StandClass> classes,
                                      std::span<const double> headings,
                                      std::span<const StandHypothesis> others,
                                      double least_score) const;
  // Parts stands that seem to lie in each other, puts each to where the paints agree best, and
  // drops those that then have no evidence of their own.
  // `fixed` stay where they are.
  void Settle(const Look& look, std::vector<StandHypothesis>& stands,
              std::span<const StandHypothesis> fixed) const;
  StandHypothesis Refine(const Look& look, const StandHypothesis& h,
                         std::span<const StandHypothesis> others) const;
  // Up to `room` more stands of a class about a place, by their outlines and the colours as they
  // are just there, whose bars say at least so many nats.
  std::vector<StandHypothesis> SearchByOutline(const Look& look, Vec2 centre, double half_in,
                                               StandClass what, std::span<const double> headings,
                                               std::span<const StandHypothesis> others,
                                               std::size_t room, double least_bar_nats) const;
  // The two in contact side by side of which one was made, by the halves next to each other, where
  // the picture says more for them; else nothing.
  std::vector<StandHypothesis> TwoInsteadOf(const Look& look,
                                            std::span<const StandHypothesis> stands,
                                            std::size_t i) const;
  // Whether it may be one of a unit's stands, in its square or leaning out of it.
  bool IsAbout(const UnitSpec& unit, const StandHypothesis& h) const;
  // Adds what the scenario places in a square and the first look did not find there: of one unit,
  // of all; whether there was any.
  bool FindMissing(const Look& look, const UnitSpec& unit,
                   std::vector<StandHypothesis>& stands) const;
  bool FindMissing(const Look& look, std::vector<StandHypothesis>& stands) const;
  // Where outside all that is known about as much of a side's paint lies together as a base shows,
  // the plainest first.
  std::vector<Vec2> PaintedSpots(const Look& look, int side,
                                 std::span<const StandHypothesis> known) const;
  // Adds what stands where the scenario places nobody: only on evidence that nothing else on a
  // table gives.
  void FindUnexpectedStands(const Look& look, std::vector<StandHypothesis>& stands) const;
  // Drops what is in no square where the scenario places its like, or is one too many there, unless
  // the evidence is strong. A road's edge passes for a bar: those stay for which the picture says
  // most.
  void DropUnexpected(const Look& look, std::vector<StandHypothesis>& stands) const;
  struct Measured {
    StandObservation stand;
    double evidence = 0;       // nats for a stand being there (see StandOutline)
    double top_evidence = 0;   // of the top without its bar
    double top_pieces = 0;     // how many pieces that was looked at in
    double edges = 0;          // share of its outline that is seen as edges
    double like = 1;           // share of the top that has anything like its paints
    double open = 1;           // share of the top that no terrain of the scenario hides
    double bar_seen = 0;       // share of the bar in view
    double bar_evidence = 0;   // nats for its own bar being there (see StandOutline)
    double side_evidence = 0;  // and its own side's paint
    double paint_off = 0;      // how far its paint just there is from that learnt, sigmas squared
  };
  // `others` may hold h itself.
  Measured Measure(const Look& look, const StandHypothesis& h,
                   std::span<const StandHypothesis> others) const;
  // Hardly any of its top looks like the side's paint as the whole table shows it, nor does it
  // differ plainly from what lies beside it: it is cloth, and a hill's brink or a drawn line is the
  // bar.
  static bool LacksPaint(const StandHypothesis& h, const Measured& m);
  // Whether it is a stand; where it is not, the trace says why.
  bool Believable(const StandHypothesis& h, const Measured& m) const;
  // Whether it is a stand even where nobody was to be expected.
  bool IsUnexpected(const StandHypothesis& h, const Measured& m) const;
  // Measures all; those that are not to be believed are dropped from both lists.
  std::vector<Measured> MeasureAll(const Look& look, std::vector<StandHypothesis>& stands,
                                   std::span<const StandHypothesis> fixed) const;
  // Puts what has little evidence, as stands there go, where in its unit's square there is more;
  // whether any was moved. `measured` are those of `stands`.
  bool ReplaceWeak(const Look& look, std::vector<StandHypothesis>& stands,
                   std::span<const Measured> measured) const;
  static std::vector<StandObservation> ObservationsOf(std::span<const Measured> measured);
  std::vector<StandHypothesis> SearchSquares(const Look& look) const;
  // Moves measured stands out of each other, each by its share of the doubt.
  void PartFootprints(std::vector<StandObservation>& stands) const;
  // Names the stands after the deployment; says what differs from it.
  void NameByDeployment(const Look& look, std::vector<StandObservation>& stands,
                        std::vector<std::string>& remarks) const;
  // What of the terrain may hide another stand of a kind in a square, between those that are seen
  // there: "tree"; empty: nothing does.
  std::string MayHide(const Look& look, SquareIndex square, int kind,
                      std::span<const StandObservation> seen) const;

  struct Cover {
    bool changed = false;  // something changed on or at the base
    double blind = 0;      // share of it that is hidden
  };
  Cover CoverOf(const Look& look, const StandObservation& stand, const cv::Mat& changed) const;
  std::vector<Vec2> PlacesToSearch(const Look& look, const cv::Mat& changed) const;
  static StandHypothesis AsHypothesis(const StandObservation& stand);
  void NameNewcomer(StandObservation& stand, const StandScene& before, StandScene& scene) const;

  TableSpec table_;
  Scenario scenario_;
  StandDetectorOptions options_;
  PaintModel paints_;
  StandTrace* trace_ = nullptr;
};

}  // namespace fos
